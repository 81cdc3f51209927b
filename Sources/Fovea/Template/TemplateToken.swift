/// A piece of a template's source.
enum TemplateToken: Equatable, Sendable {
  /// Text outside of all tags, as it is written out.
  case text([UInt32])
  case beginOutput
  case endOutput
  case beginStatement
  case endStatement
  case name(String)
  case string([UInt32])
  case integer(Int)
  case double(Double)
  /// An operator or a bracket.
  case sign(String)
  case end

  /// How the token is named in messages.
  var description: String {
    switch self {
    case .text: "text"
    case .beginOutput: "'{{'"
    case .endOutput: "'}}'"
    case .beginStatement: "'{%'"
    case .endStatement: "'%}'"
    case .name(let name): "'\(name)'"
    case .string: "a string"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .sign(let sign): "'\(sign)'"
    case .end: "the end of the template"
    }
  }
}
