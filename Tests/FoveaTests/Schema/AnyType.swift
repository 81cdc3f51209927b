/// A type as an argument of a test.
typealias AnyType = Decodable & SendableMetatype
