import FoundationEssentials
import SystemPackage
import TestSupport

/// An AVI file as its chunks, for tests that change them.
struct AVIFile {
  /// A piece of a stream.
  struct Chunk {
    /// Four letters: the number of the stream and the kind of data, such as `00dc`.
    let name: String
    var data: [UInt8]

    /// Whether it belongs to the first stream, and holds video.
    var isVideo: Bool { name == "00dc" || name == "00db" }
    /// The types of the MPEG-4 frames in it, in their order: I, P, B or S.
    var frameTypes: String {
      let starts = data.indices.dropLast(4).filter { Array(data[$0..<$0 + 4]) == [0, 0, 1, 0xB6] }
      return String(starts.map { Array("IPBS")[Int(data[$0 + 4] >> 6)] })
    }
  }

  private let head: [UInt8]
  var chunks: [Chunk]

  struct Unreadable: Error {}

  init(_ bytes: [UInt8]) throws {
    guard let list = bytes.indices.dropLast(4).first(where: { Array(bytes[$0..<$0 + 4]) == Array("movi".utf8) })
    else { throw Unreadable() }
    head = Array(bytes[..<(list - 8)])
    chunks = []
    let end = list + bytes[list - 4..<list].littleEndian
    var at = list + 4
    while at + 8 <= min(end, bytes.count) {
      let size = bytes[at + 4..<at + 8].littleEndian
      guard at + 8 + size <= bytes.count else { throw Unreadable() }
      let name = String(decoding: bytes[at..<at + 4], as: UTF8.self)
      chunks.append(Chunk(name: name, data: Array(bytes[at + 8..<at + 8 + size])))
      at += 8 + size + size % 2
    }
  }

  /// The positions of the chunks of video, in the order of the file.
  var videoIndices: [Int] { chunks.indices.filter { chunks[$0].isVideo } }

  /// The numbers of the video chunks that are not empty, which are their DTS.
  var ticks: [Int] {
    videoIndices.enumerated().filter { !chunks[$0.element].data.isEmpty }.map(\.offset)
  }

  /// The file with its index.
  var bytes: [UInt8] {
    var media = Array("movi".utf8)
    var index: [UInt8] = []
    for chunk in chunks {
      let isKey = chunk.data.count > 4 && (!chunk.isVideo || chunk.frameTypes.hasPrefix("I"))
      index += Array(chunk.name.utf8) + littleEndian(isKey ? 0x10 : 0) + littleEndian(media.count)
      index += littleEndian(chunk.data.count)
      media += Array(chunk.name.utf8) + littleEndian(chunk.data.count) + chunk.data
      if chunk.data.count % 2 == 1 { media.append(0) }
    }
    var file = head + Array("LIST".utf8) + littleEndian(media.count) + media
    file += Array("idx1".utf8) + littleEndian(index.count) + index
    file.replaceSubrange(4..<8, with: littleEndian(file.count - 8))
    return file
  }
}
