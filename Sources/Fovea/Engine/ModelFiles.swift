/// The files of a model.
public struct ModelFiles: Sendable, Hashable {
  /// The path of the model file.
  public var model: String
  /// The path of the projector (mmproj) file, which lets the model see images.
  public var projector: String?

  /// A GGUF model and, for images, its projector.
  public static func gguf(_ model: String, projector: String? = nil) -> ModelFiles {
    ModelFiles(model: model, projector: projector)
  }
}
