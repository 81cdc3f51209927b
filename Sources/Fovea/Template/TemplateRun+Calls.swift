extension TemplateRun {
  /// The arguments of a call.
  func arguments(
    _ arguments: TemplateArguments, in scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateCall {
    var call = TemplateCall()
    if arguments.isEmpty { return call }
    call.positional = try values(of: arguments.positional, in: scope)
    for argument in arguments.named {
      guard !call.named.contains(where: { $0.name == argument.name }) else {
        throw TemplateFailure("the argument '\(argument.name)' is given twice")
      }
      call.named.append((argument.name, try value(of: argument.value, in: scope)))
    }
    if let list = arguments.list { call.positional += try items(of: value(of: list, in: scope)) }
    if let more = arguments.dictionary {
      guard case .dictionary(let dictionary) = try value(of: more, in: scope) else {
        throw TemplateFailure("what stands behind '**' must be a dictionary")
      }
      for (key, value) in zip(dictionary.keys, dictionary.values) {
        guard let name = key.string?.string, !call.named.contains(where: { $0.name == name })
        else { throw TemplateFailure("'**' gives an argument twice, or one without a name") }
        call.named.append((name, value))
      }
    }
    return call
  }

  func call(
    _ target: TemplateValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    guard case .object(let object) = target else {
      if case .undefined(let undefined) = target { throw TemplateFailure(undefined.message) }
      throw TemplateFailure("a value of type '\(target.typeName)' cannot be called")
    }
    switch object {
    case let macro as TemplateMacroValue:
      try enter()
      defer { leave() }
      return try self.call(macro, call)
    case let method as TemplateMethodValue:
      return try self.call(method.method, of: method.owner, call)
    case let function as TemplateFunctionValue: return try self.call(function.function, call)
    case let loop as TemplateLoopState:
      guard loop.loop.isRecursive else {
        throw TemplateFailure("only a loop that is marked 'recursive' can be called")
      }
      let value = try call.bound(to: ["iterable"], required: 1, of: "loop")[0] ?? .none
      let (text, _) = try capture { () throws(TemplateFailure) in
        try run(loop.loop, over: value, in: loop.scope, depth0: loop.depth0 + 1)
      }
      return .text(text)
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
      let isSame =
        loop.latest.map { latest in
          latest.count == call.positional.count
            && zip(latest, call.positional).allSatisfy { $0.equals($1) }
        } ?? false
      loop.latest = call.positional
      return .boolean(!isSame)
    }
  }

  private func call(
    _ value: TemplateMacroValue, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    let macro = value.macro
    let scope = TemplateScope(value.scope)
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
    if let symbol = macro.caller, !macro.parameters.contains(where: { $0.symbol == symbol }) {
      let given = named.firstIndex { $0.name == "caller" }.map { named.remove(at: $0).value }
      scope.set(symbol, given ?? .undefined("the macro was not called by a 'call' block"))
    }
    if let symbol = macro.kwargs {
      let dictionary = TemplateDictionary()
      for argument in named { dictionary.set(.text(argument.name), argument.value) }
      scope.set(symbol, .dictionary(dictionary))
    } else if let first = named.first {
      throw TemplateFailure("the macro '\(macro.name)' has no argument '\(first.name)'")
    }
    let extra = call.positional.dropFirst(macro.parameters.count)
    if let symbol = macro.varargs {
      scope.set(symbol, .tuple(try list(Array(extra))))
    } else if !extra.isEmpty {
      throw TemplateFailure(
        "the macro '\(macro.name)' takes at most \(macro.parameters.count) arguments")
    }
    for parameter in missing {
      let value =
        if let value = parameter.value {
          try self.value(of: value, in: scope)
        } else {
          TemplateValue.undefined("the argument '\(parameter.name)' was not given")
        }
      scope.set(parameter.symbol, value)
    }
    let (text, _) = try capture { () throws(TemplateFailure) in try run(macro.body, inNew: scope) }
    return .text(text)
  }

  func call(
    _ function: TemplateFunction, _ call: TemplateCall
  ) throws(TemplateFailure) -> TemplateValue {
    switch function {
    case .range: return .range(try range(call))
    case .dict: return .dictionary(try dictionary(call))
    case .namespace:
      let namespace = TemplateNamespace(try dictionary(call))
      keep(namespace)
      return .object(namespace)
    case .cycler:
      guard !call.positional.isEmpty, call.named.isEmpty else {
        throw TemplateFailure("'cycler' needs items")
      }
      return .object(TemplateCycler(call.positional))
    case .joiner:
      let separator = try call.bound(to: ["sep"], of: "joiner")[0]
      return .object(TemplateJoiner(separator ?? .text(", ")))
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
        guard result.set(pair[0], pair[1]) else { throw unhashable(pair[0]) }
      }
    }
    for argument in call.named { result.set(.text(argument.name), argument.value) }
    try spend(result.count)
    try check(depth: result.depth)
    return result
  }
}
