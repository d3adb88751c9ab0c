/// The four bytes that name a chunk of a PNG or a WebP.
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

  /// The keyword, a zero byte and the text, in a PNG as in our WebP.
  package static let text: ChunkName = "tEXt"
}
