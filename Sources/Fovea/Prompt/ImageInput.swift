/// An image to look at. `FoveaImages` makes one of a file, of bytes or of pixels:
/// `.file("receipt.jpg")`, `.data(bytes)`, `.pixels(image)`.
public struct ImageInput: Sendable {
  /// What error messages call it, usually the path.
  public let name: String
  /// Decodes, turns upright and fits the image; ``pixels(for:)`` is the way in.
  package let load: @Sendable (ImageRequirements) throws -> PixelImage

  /// Makes an input of a function that decodes and fits the image.
  package init(
    name: String, load: @escaping @Sendable (ImageRequirements) throws -> PixelImage
  ) {
    self.name = name
    self.load = load
  }

  /// Decodes the image, turned upright and fitted.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidImage`, `.unsupportedImageFormat`.
  public func pixels(
    for requirements: ImageRequirements = ImageRequirements()
  ) throws(FoveaError) -> PixelImage {
    do {
      return try load(requirements)
    } catch let error as FoveaError {
      throw error
    } catch {
      throw FoveaError(.invalidImage, "'\(name)' cannot be decoded", cause: "\(error)")
    }
  }
}
