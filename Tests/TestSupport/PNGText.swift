/// The texts of a PNG file (`tEXt` chunks), changed according to the specification.
package enum PNGText {
  /// Returns the text of a keyword.
  package static func text(of keyword: String, in png: [UInt8]) -> String? {
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).bigEndian
      let body = rest.dropFirst(4).prefix(4 + length)
      let start = Array("tEXt\(keyword)\0".utf8)
      if body.starts(with: start) { return String(decoding: body.dropFirst(start.count), as: UTF8.self) }
      rest = rest.dropFirst(12 + length)
    }
    return nil
  }

  /// Returns a PNG file with the text of a keyword replaced, or removed if the new text is `nil`.
  package static func replacing(_ keyword: String, with text: String?, in png: [UInt8]) -> [UInt8] {
    let start = Array("tEXt\(keyword)\0".utf8)
    var (result, rest) = (Array(png.prefix(8)), png.dropFirst(8))
    while rest.count >= 12 {
      let length = rest.prefix(4).bigEndian
      let chunk = rest.prefix(12 + length)
      rest = rest.dropFirst(12 + length)
      guard chunk.dropFirst(4).starts(with: start) else {
        result += chunk
        continue
      }
      guard let text else { continue }
      let body = start + Array(text.utf8)
      result += bigEndian(body.count - 4) + body + bigEndian(crc32(body))
    }
    return result
  }
}
