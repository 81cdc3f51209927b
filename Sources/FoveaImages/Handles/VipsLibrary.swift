#if !canImport(ImageIO)
  internal import CVips
  internal import Fovea
  internal import Synchronization

  /// libvips as a whole: set up once, then entered by one thread at a time.
  ///
  /// One at a time, because vips keeps one error text for the whole process, which would mix the
  /// words of two failures, and because so the memory of one image is all that decoding ever
  /// takes. The settings hold for the whole process: a program that uses vips itself shares them.
  package enum VipsLibrary {
    private static let gate = Mutex<Void>(())

    /// Sets up at the first use; the text says why that failed, nil that it did not.
    private static let problem: String? = {
      // GLib would write warnings about odd files to stderr, which belongs to the program.
      g_log_set_handler("VIPS", G_LOG_LEVEL_WARNING, { _, _, _, _ in }, nil)
      guard vips_init("fovea") == 0 else { return takeError() }
      // Loaders that vips itself does not call safe against hostile files (ImageMagick, SVG and
      // others) are off, whatever a file claims to be. PDF is the exception: there is no other way
      // to read one, and only files that begin as PDF reach that loader.
      vips_block_untrusted_set(1)
      vips_operation_block_set("VipsForeignLoadPdf", 0)
      // No operation is ever repeated here, and a cached one would hold its image's memory.
      vips_cache_set_max(0)
      // With more workers vips 8.14 now and then loses the error of a damaged file that fits into
      // one piece of work, and returns a picture that is partly black.
      vips_concurrency_set(1)
      return nil
    }()

    /// Runs `body` as the only user of vips.
    package static func run<Value: Sendable>(_ body: () throws -> Value) throws -> Value {
      try gate.withLock { _ in
        if let problem {
          throw FoveaError(
            .unsupportedImageFormat, "libvips cannot be used",
            fix: "reinstall libvips (Debian: apt-get install --reinstall libvips42)",
            cause: problem)
        }
        vips_error_clear()
        // Buffers that vips keeps for each thread would stay for threads that ended.
        defer { vips_thread_shutdown() }
        return try body()
      }
    }

    /// vips' words on what failed, in one line, taken out of its buffer.
    package static func takeError() -> String {
      guard let text = vips_error_buffer_copy() else { return "" }
      defer { g_free(text) }
      return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
  }
#endif
