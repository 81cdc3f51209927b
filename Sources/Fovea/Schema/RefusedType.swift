import Foundation

/// A type that is refused by name, since it decodes only some of what its schema could say today.
struct RefusedType {
  let reason: String
  let fix: String

  /// Nil for a type that may be probed.
  init?(_ type: any Decodable.Type) {
    if type is any RefusedDictionary.Type {
      self.init(
        reason: "a dictionary's keys are not known in advance",
        fix: "use an array of a struct with a name and a value")
    } else if type is any RefusedSet.Type {
      self.init(reason: "JSON lists may repeat items, and a set's may not", fix: "use an array")
    } else if type == URL.self || type == UUID.self {
      self.init(
        reason: "its text has a form that is not enforced yet",
        fix: "use a String and convert it after decoding")
    } else if type == Data.self {
      self.init(
        reason: "bytes have no form that a model could write", fix: "use a String or an array")
    } else {
      return nil
    }
  }

  private init(reason: String, fix: String) {
    self.reason = reason
    self.fix = fix
  }
}

private protocol RefusedDictionary {}
extension Dictionary: RefusedDictionary {}

private protocol RefusedSet {}
extension Set: RefusedSet {}
