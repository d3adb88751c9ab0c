import TestSupport

/// The boxes of an MP4 file (ISO/IEC 14496-12, section 4.2), as a tree that tests can edit.
///
/// Sizes are computed when the boxes are written. Offsets into the file are not adjusted, so movies that are edited
/// have fragments, whose offsets are relative, or their index at the end.
struct MovieBox {
  var type: String
  /// The fields in front of the children, or the whole content of a box without children.
  var fields: [UInt8]
  var children: [MovieBox] = []

  /// The number of bytes in front of the children, for boxes that have some.
  private static let fieldBytes = [
    "moov": 0, "trak": 0, "edts": 0, "mdia": 0, "minf": 0, "stbl": 0, "mvex": 0, "moof": 0, "traf": 0, "stsd": 8,
    "encv": 78, "avc1": 78, "sinf": 0, "schi": 0,
  ]

  init(_ type: String, _ fields: [UInt8], _ children: [MovieBox] = []) {
    (self.type, self.fields, self.children) = (type, fields, children)
  }

  /// Parses boxes that follow one another.
  static func parse(_ bytes: ArraySlice<UInt8>) -> [MovieBox] {
    var boxes: [MovieBox] = []
    var rest = bytes
    while rest.count >= 8 {
      let size = min(max(8, rest.prefix(4).bigEndian), rest.count)
      let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      let content = rest.prefix(size).dropFirst(8)
      let fields = fieldBytes[type]
      boxes.append(
        MovieBox(
          type,
          Array(content.prefix(fields ?? content.count)),
          fields.map { parse(content.dropFirst($0)) } ?? []
        )
      )
      rest = rest.dropFirst(size)
    }
    return boxes
  }

  var bytes: [UInt8] {
    let content = fields + children.flatMap(\.bytes)
    return bigEndian(content.count + 8) + Array(type.utf8) + content
  }

  /// The first child of a type.
  subscript(type: String) -> MovieBox {
    get { children.first { $0.type == type } ?? MovieBox(type, []) }
    set { if let index = children.firstIndex(where: { $0.type == type }) { children[index] = newValue } }
  }
}

extension [MovieBox] {
  subscript(type: String) -> MovieBox {
    get { first { $0.type == type } ?? MovieBox(type, []) }
    set { if let index = firstIndex(where: { $0.type == type }) { self[index] = newValue } }
  }

  var bytes: [UInt8] { flatMap(\.bytes) }
}

/// Fragmented movies that start with a part that is not encrypted.
enum EncryptedMovie {
  /// Replaces the first fragment of an encrypted movie by that of the original, and marks its samples as members of an
  /// unprotected group ("seig").
  static func withClearGroup(_ encrypted: [UInt8], original: [UInt8]) -> [UInt8] {
    replacingFirstFragment(of: encrypted, by: original) { part in
      part.children += [
        MovieBox("sbgp", bigEndian(0) + Array("seig".utf8) + bigEndian(1) + bigEndian(1000) + bigEndian(0x10001)),
        MovieBox(
          "sgpd",
          [1, 0, 0, 0] + Array("seig".utf8) + bigEndian(20) + bigEndian(1) + [0, 0, 0, 0]
            + [UInt8](repeating: 7, count: 16)
        ),
      ]
    }
  }

  /// Replaces the first fragment of an encrypted movie by that of the original, and makes it refer to a second sample
  /// entry, that of the original.
  static func withClearEntry(_ encrypted: [UInt8], original: [UInt8]) -> [UInt8] {
    let clearEntry = MovieBox.parse(original[...])["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"].children
    let movie = replacingFirstFragment(of: encrypted, by: original) { part in
      let fields = part["tfhd"].fields
      part["tfhd"].fields = [0, fields[1], fields[2], fields[3] | 2] + fields[4..<8] + bigEndian(2) + fields[8...]
    }
    var boxes = MovieBox.parse(movie[...])
    boxes["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"].children += clearEntry
    boxes["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"].fields = bigEndian(0) + bigEndian(2)
    return boxes.bytes
  }

  private static func replacingFirstFragment(
    of encrypted: [UInt8],
    by original: [UInt8],
    edit: (inout MovieBox) -> Void
  ) -> [UInt8] {
    var boxes = MovieBox.parse(encrypted[...])
    let clear = MovieBox.parse(original[...])
    var fragment = clear["moof"]
    let size = fragment.bytes.count
    edit(&fragment["traf"])
    let offset = fragment["traf"]["trun"].fields[8..<12].bigEndian
    fragment["traf"]["trun"].fields.replaceSubrange(8..<12, with: bigEndian(offset + fragment.bytes.count - size))
    // ffmpeg writes these for samples outside of fragments, but the movie has only fragments.
    boxes["moov"]["trak"]["mdia"]["minf"]["stbl"].children.removeAll { ["senc", "saio", "saiz"].contains($0.type) }
    boxes["moof"] = fragment
    boxes["mdat"] = clear["mdat"]
    return boxes.bytes
  }
}
