import Covers
import TestSupport

/// A PNG file as chunks, parsed and reassembled according to the specification.
struct PNGParts {
  struct Chunk {
    var name: String
    var data: [UInt8]
    var checksum: Int

    init(_ name: String, _ data: [UInt8]) {
      (self.name, self.data) = (name, data)
      checksum = crc32(Array(name.utf8) + data)
    }

    var bytes: [UInt8] { bigEndian(data.count) + Array(name.utf8) + data + bigEndian(checksum) }
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var chunks: [Chunk] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).bigEndian
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      chunks.append(Chunk(name, Array(rest.dropFirst(8).prefix(length))))
      rest = rest.dropFirst(12 + length)
    }
  }

  var bytes: [UInt8] { Self.signature + chunks.flatMap(\.bytes) }

  /// The indices of the chunks with a name.
  func places(of name: String) -> [Int] { chunks.indices.filter { chunks[$0].name == name } }

  func changed(_ change: (inout [Chunk]) -> Void) -> [UInt8] {
    var copy = self
    change(&copy.chunks)
    return copy.bytes
  }
}

/// A WebP file as chunks, according to RFC 9649.
struct WebPParts {
  struct Chunk {
    var name: String
    var data: [UInt8]
    var padding: UInt8 = 0

    var bytes: [UInt8] {
      Array(name.utf8) + littleEndian(data.count) + data + (data.count % 2 == 1 ? [padding] : [])
    }
  }

  var chunks: [Chunk] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes.dropFirst(12)
    while rest.count >= 8 {
      let length = rest.dropFirst(4).prefix(4).littleEndian
      chunks.append(
        Chunk(
          name: String(decoding: rest.prefix(4), as: UTF8.self),
          data: Array(rest.dropFirst(8).prefix(length))
        )
      )
      rest = rest.dropFirst(8 + length + length % 2)
    }
  }

  var bytes: [UInt8] {
    let body = Array("WEBP".utf8) + chunks.flatMap(\.bytes)
    return Array("RIFF".utf8) + littleEndian(body.count) + body
  }

  func changed(_ change: (inout [Chunk]) -> Void) -> [UInt8] {
    var copy = self
    change(&copy.chunks)
    return copy.bytes
  }
}

/// A JPEG file as segments followed by the scan, according to ITU-T T.81, annex B.
struct JPEGParts {
  struct Segment {
    var marker: UInt8
    var data: [UInt8]

    var bytes: [UInt8] {
      [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8(truncatingIfNeeded: data.count + 2)] + data
    }
  }

  var segments: [Segment] = []
  /// The compressed pixels and the end-of-image marker.
  var scan: [UInt8] = []

  init(_ bytes: [UInt8]) {
    var rest = bytes.dropFirst(2)
    while rest.count >= 4, segments.last?.marker != 0xDA {
      let head = Array(rest.prefix(4))
      let length = head[2..<4].bigEndian
      segments.append(Segment(marker: head[1], data: Array(rest.dropFirst(4).prefix(length - 2))))
      rest = rest.dropFirst(2 + length)
    }
    scan = Array(rest)
  }

  var bytes: [UInt8] { [0xFF, 0xD8] + segments.flatMap(\.bytes) + scan }

  func place(of marker: UInt8) -> Int { segments.firstIndex { $0.marker == marker } ?? -1 }

  func changed(_ change: (inout JPEGParts) -> Void) -> [UInt8] {
    var copy = self
    change(&copy)
    return copy.bytes
  }
}
