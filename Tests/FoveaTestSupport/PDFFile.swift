/// Writes PDF documents whose pages are coloured on the left half.
package struct PDFFile {
  package struct Page {
    /// Red, green and blue, from 0 to 1.
    let colour: [Int]
    /// In points, 72 an inch.
    let width: Int
    let height: Int
    /// Clockwise, in degrees.
    let rotation: Int

    package init(_ colour: [Int], width: Int = 72, height: Int = 36, rotation: Int = 0) {
      self.colour = colour
      self.width = width
      self.height = height
      self.rotation = rotation
    }
  }

  private let pages: [Page]

  package init(pages: [Page]) { self.pages = pages }

  /// The document.
  package var bytes: [UInt8] {
    // Objects 1 and 2 are the catalogue and the tree of pages; each page has two more.
    let kids = pages.indices.map { "\(3 + $0 * 2) 0 R" }.joined(separator: " ")
    var objects = [
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>",
    ]
    for (index, page) in pages.enumerated() {
      let colour = page.colour.map { "\($0)" }.joined(separator: " ")
      let drawing = "\(colour) rg 0 0 \(page.width / 2) \(page.height) re f"
      objects.append(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(page.width) \(page.height)]"
          + "/Rotate \(page.rotation)/Resources<<>>/Contents \(4 + index * 2) 0 R>>")
      objects.append("<</Length \(drawing.utf8.count)>>stream\n\(drawing)\nendstream")
    }
    var text = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
      places.append(text.utf8.count)
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for place in places {
      let digits = String(place)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    text += "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }
}
