import Pictures
import SystemPackage
import TestSupport

/// Pictures filled with reproducible noise, and helpers to compare them.
enum PictureSamples {
  /// Returns a byte that depends on all three arguments and is the same in every run.
  static func noise(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    let mixed = (x &+ 1) &* 2_654_435_761 ^ (y &+ 1) &* 40_503_557 ^ (channel &+ 1) &* 97_531
    return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 11))
  }

  /// Returns the pixels of ``picture(width:height:layout:padding:)``, row by row without padding.
  static func bytes(width: Int, height: Int, channels: Int) -> [UInt8] {
    (0..<height).flatMap { y in
      (0..<width).flatMap { x in (0..<channels).map { noise(x, y, $0) } }
    }
  }

  /// Returns a picture of noise, with `padding` bytes of other noise after each row.
  static func picture(width: Int, height: Int, layout: Picture.Layout, padding: Int = 0) -> Picture {
    let used = width * layout.channels
    var picture = Picture(
      width: width,
      height: height,
      layout: layout,
      rowBytes: used + padding,
      tailBytes: padding
    )
    picture.withMutableBytes { target in
      for index in target.indices { target[index] = noise(index, padding, 7) }
      for (index, byte) in bytes(width: width, height: height, channels: layout.channels).enumerated() {
        target[index / used * (used + padding) + index % used] = byte
      }
    }
    return picture
  }

  /// Returns the pixels of a picture, row by row without padding.
  static func bytes(of picture: borrowing Picture) -> [UInt8] {
    let (used, rowBytes, height) = (picture.width * picture.layout.channels, picture.rowBytes, picture.height)
    return picture.withBytes { bytes in (0..<height).flatMap { bytes[$0 * rowBytes..<$0 * rowBytes + used] } }
  }

  /// Writes a picture as a PNG and returns the file's contents.
  static func png(
    _ picture: borrowing Picture,
    texts: [(keyword: String, text: String)] = [],
    in folder: ScratchFolder,
    as name: String = "picture.png"
  ) throws -> [UInt8] {
    let file = try FileDescriptor.open(
      folder(name),
      .writeOnly,
      options: [.create, .truncate, .closeOnExec],
      permissions: .ownerReadWrite
    )
    defer { try? file.close() }
    try picture.writePNG(to: file.rawValue, texts: texts)
    return try ScratchFolder.read(folder(name))
  }

  /// Calls `body` with the picture read from a file.
  static func reading<Result>(
    _ path: FilePath,
    maximumPixels: Int = 64 << 20,
    _ body: (borrowing Picture) throws -> Result
  ) throws -> Result {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    let picture = try Picture(readingPNGFrom: file.rawValue, maximumPixels: maximumPixels)
    return try body(picture)
  }
}

/// The chunks of a PNG, parsed and serialised independently according to the specification.
struct PNGChunks {
  struct Chunk: Equatable {
    var type: String
    var data: [UInt8]
    /// The offset of the chunk in the file.
    var position = 0
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  var chunks: [Chunk] = []

  var types: [String] { chunks.map(\.type) }

  /// Parses a file, or returns `nil` if a length or a checksum is wrong.
  init?(_ file: [UInt8]) {
    guard file.starts(with: Self.signature) else { return nil }
    var position = 8
    while position < file.count {
      guard position + 12 <= file.count else { return nil }
      let end = position + 8 + file[position..<position + 4].bigEndian
      guard end + 4 <= file.count, crc32(file[position + 4..<end]) == file[end..<end + 4].bigEndian else {
        return nil
      }
      let type = String(decoding: file[position + 4..<position + 8], as: UTF8.self)
      chunks.append(Chunk(type: type, data: Array(file[position + 8..<end]), position: position))
      position = end + 4
    }
  }

  init(_ chunks: [Chunk]) {
    self.chunks = chunks
  }

  /// The chunks serialised as a file.
  var bytes: [UInt8] {
    Self.signature
      + chunks.flatMap { chunk in
        let body = Array(chunk.type.utf8) + chunk.data
        return bigEndian(chunk.data.count) + body + bigEndian(crc32(body))
      }
  }
}
