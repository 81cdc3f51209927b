extension TemplateRun {
  /// The arguments of a call.
  func arguments(
    _ arguments: TemplateArguments, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateCall {
    if arguments.isEmpty { return TemplateCall() }
    if !arguments.isPositional { return try allArguments(arguments, in: scope) }
    return TemplateCall(positional: try values(of: arguments.positional, in: scope))
  }

  private func allArguments(
    _ arguments: TemplateArguments, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateCall {
    // Values are found in this order, and only then looked at.
    var call = TemplateCall(positional: try values(of: arguments.positional, in: scope))
    for argument in arguments.named {
      call.named.append((argument.name, try argument.value.value(self, scope)))
    }
    var list: TemplateValue?
    if let value = arguments.list { list = try value.value(self, scope) }
    var dictionary: TemplateValue?
    if let value = arguments.dictionary { dictionary = try value.value(self, scope) }
    try add(list, dictionary, to: &call)
    return call
  }

  /// Adds what stood behind `*` and `**`.
  private func add(
    _ list: TemplateValue?, _ dictionary: TemplateValue?, to call: inout TemplateCall
  ) throws(TemplateFailure) {
    var seen: Set<String> = []
    for argument in call.named where !seen.insert(argument.name).inserted {
      throw TemplateFailure("the argument '\(argument.name)' is given twice")
    }
    if let list { call.positional += try items(of: list) }
    guard let dictionary else { return }
    guard case .dictionary(let dictionary) = dictionary else {
      throw TemplateFailure("what stands behind '**' must be a dictionary")
    }
    for (key, value) in zip(dictionary.keys, dictionary.values) {
      guard let name = key.string?.string, seen.insert(name).inserted else {
        throw TemplateFailure("'**' gives an argument twice, or one without a name")
      }
      call.named.append((name, value))
    }
  }

  /// Calls a method, or what a value has by this name.
  func call(
    _ attribute: TemplateAttribute, of owner: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    if let method = attribute.method, method.belongs(to: owner) {
      return try self.call(method, of: owner, call)
    }
    return try self.call(self.attribute(attribute, of: owner), call)
  }

  private func uncallable(_ value: TemplateValue) -> TemplateFailure {
    if case .undefined(let undefined) = value { return TemplateFailure(undefined.message) }
    return TemplateFailure("a value of type '\(value.typeName)' cannot be called")
  }

  func call(
    _ target: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard case .object(let object) = target else { throw uncallable(target) }
    if let macro = object as? TemplateMacroValue { return try self.call(macro, call) }
    if let loop = object as? TemplateLoopState { return try self.call(loop, call) }
    return try self.call(object, call)
  }

  private func call(
    _ loop: TemplateLoopState, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard let scope = loop.scope else {
      throw TemplateFailure("only a loop that is marked 'recursive' can be called")
    }
    let value = try call.bound(to: ["iterable"], required: 1, of: "loop")[0] ?? .none
    try enter()
    let around = beginCapture()
    _ = try loop.loop.run(self, over: value, in: scope, depth0: loop.depth0 + 1)
    leave()
    return .text(endCapture(around))
  }

  /// Calls what runs no part of the template.
  private func call(
    _ object: TemplateObject, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    switch object {
    case let method as TemplateMethodValue:
      return try self.call(method.method, of: method.owner, call)
    case let function as TemplateFunctionValue: return try self.call(function.function, call)
    case let method as TemplateLoopMethod: return try self.call(method, call)
    case let method as TemplateCyclerMethod:
      if method.isReset {
        method.cycler.position = 0
        return .none
      }
      let position = method.cycler.position
      method.cycler.position = (position + 1) % method.cycler.items.count
      return method.cycler.items[position]
    case let joiner as TemplateJoiner:
      defer { joiner.isUsed = true }
      return joiner.isUsed ? joiner.separator : .text("")
    default: throw TemplateFailure("a value of type '\(object.typeName)' cannot be called")
    }
  }

  private func call(
    _ method: TemplateLoopMethod, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard call.named.isEmpty else { throw TemplateFailure("it takes no arguments by name") }
    let loop = method.loop
    switch method.kind {
    case .cycle:
      guard !call.positional.isEmpty else { throw TemplateFailure("'loop.cycle' needs items") }
      return call.positional[loop.index0 % call.positional.count]
    case .changed:
      guard let latest = loop.latest else {
        try keep(loop)
        loop.latest = call.positional
        return .boolean(true)
      }
      loop.latest = call.positional
      guard latest.count == call.positional.count else { return .boolean(true) }
      for (old, new) in zip(latest, call.positional) {
        if try !areEqual(old, new) { return .boolean(true) }
      }
      return .boolean(false)
    }
  }

  private func call(
    _ value: TemplateMacroValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    let macro = value.macro
    try enter(macro.depth)
    let scope = TemplateScope(value.scope)
    let missing = try bind(call, to: macro, in: scope)
    if !missing.isEmpty { try setDefaults(of: missing, in: scope) }
    let text = try capture(macro.body, inNew: scope).text
    leave(macro.depth)
    return .text(text)
  }

  private func setDefaults(
    of parameters: [TemplateMacro.Parameter], in scope: TemplateScope
  ) throws(TemplateFailure) {
    for parameter in parameters {
      let value = try parameter.value?.value(self, scope)
      scope.set(
        parameter.symbol,
        value ?? .undefined("the argument '\(parameter.name)' was not given"))
    }
  }

  /// Gives a macro's parameters the arguments of a call; those that got none are returned.
  private func bind(
    _ call: TemplateCall, to macro: TemplateMacro, in scope: TemplateScope
  ) throws(TemplateFailure) -> [TemplateMacro.Parameter] {
    var named = call.named
    var missing: [TemplateMacro.Parameter] = []
    for (index, parameter) in macro.parameters.enumerated() {
      if index < call.positional.count {
        scope.set(parameter.symbol, call.positional[index])
      } else if let given = named.firstIndex(where: { $0.name == parameter.name }) {
        scope.set(parameter.symbol, named.remove(at: given).value)
      } else {
        missing.append(parameter)
      }
    }
    if let symbol = macro.uses.caller,
      !macro.parameters.contains(where: { $0.symbol == symbol })
    {
      let given = named.firstIndex { $0.name == "caller" }.map { named.remove(at: $0).value }
      scope.set(symbol, given ?? .undefined("the macro was not called by a 'call' block"))
    }
    if let symbol = macro.uses.kwargs {
      let dictionary = TemplateDictionary()
      for argument in named { dictionary.set(.text(argument.name), argument.value) }
      try finish(dictionary)
      scope.set(symbol, .dictionary(dictionary))
    } else if let first = named.first {
      throw TemplateFailure("the macro '\(macro.name)' has no argument '\(first.name)'")
    }
    let extra = call.positional.dropFirst(macro.parameters.count)
    if let symbol = macro.uses.varargs {
      scope.set(symbol, .tuple(try list(Array(extra))))
    } else if !extra.isEmpty {
      throw TemplateFailure(
        "the macro '\(macro.name)' takes at most \(macro.parameters.count) arguments")
    }
    return missing
  }

  func call(
    _ function: TemplateFunction, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    switch function {
    case .range: return .range(try range(call))
    case .dict: return .dictionary(try dictionary(call))
    case .namespace:
      let namespace = TemplateNamespace(try dictionary(call))
      try keep(namespace)
      return .object(namespace)
    case .cycler:
      guard !call.positional.isEmpty, call.named.isEmpty else {
        throw TemplateFailure("'cycler' needs items")
      }
      return try object(TemplateCycler(call.positional))
    case .joiner:
      let separator = try call.bound(to: ["sep"], of: "joiner")[0]
      return try object(TemplateJoiner(separator ?? .text(", ")))
    case .raise:
      let message = try call.bound(to: ["message"], required: 1, of: "raise_exception")[0]
      throw TemplateFailure(try text(of: message ?? .none).string, .refused)
    case .time:
      let format = try call.bound(to: ["format"], required: 1, of: "strftime_now")[0]
      guard let text = format?.string else {
        throw TemplateFailure("'strftime_now' needs a text")
      }
      return .text(try TemplateDate(now).text(text))
    case .lipsum: throw TemplateFailure("the function 'lipsum'", .unsupported)
    }
  }

  private func range(_ call: TemplateCall) throws(TemplateFailure) -> TemplateRange {
    var numbers: [Int] = []
    for value in call.positional {
      guard let index = value.index else { throw unfit("range", value) }
      numbers.append(index)
    }
    guard (1...3).contains(numbers.count), call.named.isEmpty else {
      throw TemplateFailure("'range' takes one to three numbers")
    }
    let step = numbers.count == 3 ? numbers[2] : 1
    if step == 0 { throw TemplateFailure("'range' cannot go by steps of 0") }
    let range = TemplateRange(
      start: numbers.count == 1 ? 0 : numbers[0],
      stop: numbers.count == 1 ? numbers[0] : numbers[1],
      step: step)
    // Jinja's own limit for templates that are not trusted.
    if range.count > 100_000 { throw TemplateFailure("a range of more than 100000 numbers") }
    return range
  }

  private func dictionary(_ call: TemplateCall) throws(TemplateFailure) -> TemplateDictionary {
    let result = TemplateDictionary()
    if call.positional.count > 1 {
      throw TemplateFailure("one value at most can be made a dictionary")
    }
    switch call.positional.first {
    case nil: break
    case .undefined(let undefined)?: throw TemplateFailure(undefined.message)
    case .dictionary(let dictionary)?:
      for (key, value) in zip(dictionary.keys, dictionary.values) { result.set(key, value) }
    case let value?:
      for item in try items(of: value) {
        let pair = try items(of: item)
        guard pair.count == 2 else { throw TemplateFailure("a dictionary is made of pairs") }
        try put(pair[1], at: pair[0], in: result)
      }
    }
    for argument in call.named { result.set(.text(argument.name), argument.value) }
    try finish(result)
    return result
  }
}
