internal import Fovea

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// An open file, closed when its owner goes. The system's own calls and not Foundation's, because
/// they say why something failed and stop at the limit also where the size is not known beforehand
/// (a pipe, a device).
struct OpenFile: ~Copyable {
  private let descriptor: Int32
  private let name: String

  /// Opens a file for reading.
  init(_ path: String) throws {
    name = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw OpenFile.failure(path, errno) }
  }

  deinit { close(descriptor) }

  /// All bytes of the file; an error when there are more than `limit`.
  borrowing func bytes(limit: Int) throws -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw OpenFile.failure(name, errno) }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw FoveaError(
        .fileNotReadable, "\(name) is a folder, not a picture", fix: "give the path of one file")
    }
    let size = Int(status.st_size)
    if size > limit { throw ImageOptions.tooManyBytes(name, size, limit: limit) }

    var bytes: [UInt8] = []
    while bytes.count <= limit {
      // One byte more than the size, so that a file is read in one go and its end is seen. A size
      // of 0 may be a pipe or a file of the system.
      let wanted = max(size + 1 - bytes.count, 64 << 10)
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        repeat {
          count = read(descriptor, buffer.baseAddress, wanted)
        } while count < 0
          && errno == EINTR
        filled = max(count, 0)
      }
      if count < 0 { throw OpenFile.failure(name, errno) }
      if count == 0 { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
    throw ImageOptions.tooManyBytes(name, nil, limit: limit)
  }

  private static func failure(_ name: String, _ code: Int32) -> FoveaError {
    FoveaError(
      .fileNotReadable, "cannot read the image \(name)",
      fix: code == ENOENT ? "check the path" : "check the path and its permissions",
      cause: String(cString: strerror(code)))
  }
}
