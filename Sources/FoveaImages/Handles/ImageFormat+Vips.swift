#if !canImport(ImageIO)
  extension ImageFormat {
    /// The operation that decodes it; nil: none that may be used.
    var vipsLoader: String? {
      switch self {
      case .jpeg: "jpegload_buffer"
      case .png: "pngload_buffer"
      case .gif: "gifload_buffer"
      case .webp: "webpload_buffer"
      case .tiff: "tiffload_buffer"
      case .heic, .avif: "heifload_buffer"
      case .pdf: "pdfload_buffer"
      case .bmp, .jpegXL, .jpeg2000, .svg: nil
      }
    }

    /// What brings the codec that libheif lacks, or a page as a picture.
    var missingPart: String? {
      switch self {
      case .heic: "run: apt-get install libheif-plugin-libde265; or convert it to JPEG"
      case .avif: "run: apt-get install libheif-plugin-dav1d; or convert it to JPEG"
      case .pdf: "convert its pages, for example with: pdftoppm -r 150 -png FILE.pdf page"
      default: nil
      }
    }
  }
#endif
