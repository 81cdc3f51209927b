internal import FoveaImages

/// The options that say how pictures and documents are read.
struct ImageArguments {
  static let specifications = [
    OptionSpecification("password", value: "TEXT", "opens encrypted PDFs"),
    OptionSpecification("resolution", value: "N", "pixels an inch of a PDF page becomes (150)"),
    OptionSpecification(
      "allow-damaged", "use what can be decoded of a damaged picture, and warn about it"),
    OptionSpecification("max-bytes", value: "N", "the largest file of a picture (67108864)"),
    OptionSpecification("max-pixels", value: "N", "the most pixels of a picture (100000000)"),
    OptionSpecification("max-side", value: "N", "the greatest width or height (32768)"),
    OptionSpecification("max-pages", value: "N", "the most pages of a document (200)"),
  ]

  let options: ImageOptions

  init(_ arguments: ParsedArguments, of command: CommandSpecification) throws(UsageError) {
    var options = ImageOptions()
    let any = 1...Int(Int32.max)
    options.password = arguments.values["password"]
    options.allowsDamaged = arguments.flags.contains("allow-damaged")
    if let value = try arguments.integer("resolution", in: 1...2_400, of: command) {
      options.resolution = value
    }
    for (name, limit) in [
      ("max-bytes", \.maxBytes), ("max-pixels", \.maxPixels), ("max-side", \.maxSide),
      ("max-pages", \.maxPages),
    ] as [(String, WritableKeyPath<ImageOptions, Int>)] {
      if let value = try arguments.integer(name, in: any, of: command) {
        options[keyPath: limit] = value
      }
    }
    self.options = options
  }
}
