/// The four-byte name of a chunk in a PNG or WebP file.
package struct ChunkName: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The four bytes, the first one in the highest bits.
  package let code: UInt32

  init(code: UInt32) {
    self.code = code
  }

  /// Creates a name from its four ASCII characters.
  package init(stringLiteral text: String) {
    code = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A text chunk: the keyword, a zero byte and the text, laid out the same way in PNG files and in our WebP files.
  package static let text: ChunkName = "tEXt"
}
