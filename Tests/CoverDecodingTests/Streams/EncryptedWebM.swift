import TestSupport

/// The elements of a WebM file (RFC 8794), as a tree that tests can edit; all sizes are written with 8 bytes.
struct WebMElement {
  var id: Int
  var content: [UInt8]
  var children: [WebMElement] = []

  static let (segment, tracks, track, cluster, block) = (0x1853_8067, 0x1654_AE6B, 0xAE, 0x1F43_B675, 0xA3)

  /// Parses elements that follow one another.
  ///
  /// The index of the file is left out, because it would be wrong.
  static func parse(_ bytes: ArraySlice<UInt8>) -> [WebMElement] {
    let (index, seekHead) = (0x1C53_BB6B, 0x114D_9B74)
    var elements: [WebMElement] = []
    var rest = bytes
    while let first = rest.first {
      let idBytes = first.leadingZeroBitCount + 1
      let id = rest.prefix(idBytes).bigEndian
      rest = rest.dropFirst(idBytes)
      let sizeBytes = (rest.first ?? 0x80).leadingZeroBitCount + 1
      let size = rest.prefix(sizeBytes).bigEndian & (1 << (7 * sizeBytes) - 1)
      rest = rest.dropFirst(sizeBytes)
      let content = rest.prefix(min(size, rest.count))
      let isParent = [segment, tracks, track, cluster].contains(id)
      if id != index && id != seekHead {
        elements.append(
          WebMElement(id: id, content: isParent ? [] : Array(content), children: isParent ? parse(content) : [])
        )
      }
      rest = rest.dropFirst(content.count)
    }
    return elements
  }

  var bytes: [UInt8] {
    let content = content + children.flatMap(\.bytes)
    let id = Array(bigEndian(id).drop { $0 == 0 })
    return id + ([1, 0, 0, 0] as [UInt8]) + bigEndian(content.count) + content
  }

  /// Changes this element and all in it.
  mutating func edit(_ change: (inout WebMElement) -> Void) {
    change(&self)
    for index in children.indices { children[index].edit(change) }
  }
}

/// A WebM file whose track is encrypted as https://www.webmproject.org/docs/webm-encryption/ describes.
enum EncryptedWebM {
  /// Encrypts all frames but the first ones; the encrypted ones are garbage.
  static func make(of original: [UInt8], clearFrames: Int, keyBytes: Int = 16) -> [UInt8] {
    var number = 0
    return WebMElement.parse(original[...]).flatMap { element in
      var element = element
      element.edit { part in
        switch part.id {
        case WebMElement.track: part.children.append(encodings(keyBytes: keyBytes))
        case WebMElement.block:
          let (head, frame) = (part.content.prefix(4), part.content.dropFirst(4))
          let isClear = number < clearFrames
          number += 1
          part.content = head + (isClear ? [0] + frame : [1, 0, 0, 0, 0, 0, 0, 0, 9] + frame.map { $0 ^ 0x5A })
        default: break
        }
      }
      return element.bytes
    }
  }

  private static func encodings(keyBytes: Int) -> WebMElement {
    let key = WebMElement(id: 0x47E2, content: [UInt8](repeating: 3, count: keyBytes))
    let encryption = WebMElement(
      id: 0x5035,
      content: [],
      children: [WebMElement(id: 0x47E1, content: [5])] + (keyBytes > 0 ? [key] : [])
    )
    let encoding = WebMElement(
      id: 0x6240,
      content: [],
      children: [WebMElement(id: 0x5031, content: [0]), WebMElement(id: 0x5033, content: [1]), encryption]
    )
    return WebMElement(id: 0x6D80, content: [], children: [encoding])
  }
}
