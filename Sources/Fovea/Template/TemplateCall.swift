/// The arguments of a call, found.
struct TemplateCall {
  var positional: [TemplateValue] = []
  var named: [(name: String, value: TemplateValue)] = []

  /// The arguments in the order of a function's parameters; nil for those that were not given.
  func bound(
    to parameters: [String], required: Int = 0, of function: String
  ) throws(TemplateFailure) -> [TemplateValue?] {
    if positional.count > parameters.count {
      throw TemplateFailure(
        "'\(function)' takes \(parameters.count) arguments at most, not \(positional.count)")
    }
    var values: [TemplateValue?] = positional
    values += Array(repeating: nil, count: parameters.count - positional.count)
    for argument in named {
      guard let index = parameters.firstIndex(of: argument.name) else {
        throw TemplateFailure("'\(function)' has no argument '\(argument.name)'")
      }
      if values[index] != nil {
        throw TemplateFailure("the argument '\(argument.name)' of '\(function)' is given twice")
      }
      values[index] = argument.value
    }
    for index in 0..<required where values[index] == nil {
      throw TemplateFailure("'\(function)' needs the argument '\(parameters[index])'")
    }
    return values
  }
}
