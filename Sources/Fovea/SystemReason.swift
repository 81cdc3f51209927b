internal import Foundation

/// The system's own words for a failure, for ``FoveaError/cause``.
package enum SystemReason {
  /// The text of the POSIX error beneath, without Foundation's wrapping: "No such file or directory".
  package static func of(_ error: any Error) -> String {
    let outer = error as NSError
    let inner = (outer.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? outer
    if inner.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(inner.code))) }
    switch CocoaError.Code(rawValue: outer.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
    case .fileReadNoPermission, .fileWriteNoPermission: return String(cString: strerror(EACCES))
    case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
    default: return outer.localizedDescription
    }
  }
}
