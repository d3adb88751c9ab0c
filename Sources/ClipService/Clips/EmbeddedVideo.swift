internal import Covers
internal import Files
internal import Glibc
package import SystemPackage

/// The video after the picture in a motion photo: a JPEG or HEIC followed by an MP4.
package struct EmbeddedVideo: Encodable, Hashable, Sendable {
  /// The position in the file, in bytes.
  package let byte: Int
  /// The size in bytes.
  package let bytes: Int

  /// A box of MP4 or HEIC.
  private struct Box {
    let type: String
    let body, end: Int
  }

  /// The size of the largest file that is searched for a video, in bytes.
  private static let maximumBytes = 1 << 30

  /// Finds the video in a file; fails if the file is not a picture or has none.
  package init?(in path: FilePath) {
    guard let file = try? OpenClip(opening: path) else { return nil }
    self.init(in: file)
  }

  init?(in file: OpenClip) {
    let (file, size) = (file.descriptor, file.version.bytes)
    let start = file.bytes(at: 0, count: PictureBrand.maximumBytes)
    guard size <= Self.maximumBytes else { return nil }
    if PictureBrand.isHEIF(start, includesSequences: false) {
      self.init(inHEIC: file, size: size)
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self.init(inJPEG: file, size: size)
    } else {
      return nil
    }
  }

  /// Finds the video in a HEIC: the content of a box for it, or another file after the picture.
  private init?(inHEIC file: FileDescriptor, size: Int) {
    var position = 0
    while let box = Self.box(in: file, at: position, end: size) {
      if box.type == "mpvd" {
        (byte, bytes) = (box.body, box.end - box.body)
        return
      }
      if position > 0, box.type == "ftyp", let end = Self.endOfMovie(in: file, at: position, size: size) {
        (byte, bytes) = (position, end - position)
        return
      }
      position = box.end
    }
    return nil
  }

  /// Finds the video in a JPEG: the first place where the boxes of a movie begin.
  private init?(inJPEG file: FileDescriptor, size: Int) {
    let (window, overlap) = (1 << 20, 8)
    let name = Array("ftyp".utf8)
    for start in stride(from: 0, to: size, by: window - overlap) {
      let part = file.bytes(at: start, count: window)
      var rest = part[...]
      while let found = rest.firstIndex(of: name[0]) {
        rest = rest[found...]
        let position = start + found - 4
        if rest.starts(with: name), let end = Self.endOfMovie(in: file, at: position, size: size) {
          (byte, bytes) = (position, end - position)
          return
        }
        rest = rest.dropFirst()
      }
    }
    return nil
  }

  /// Returns the end of the boxes of a movie; `nil` without a movie that has an index.
  private static func endOfMovie(in file: FileDescriptor, at start: Int, size: Int) -> Int? {
    var (position, hasIndex) = (start, false)
    while let box = box(in: file, at: position, end: size), position > start || box.end - start <= 1024 {
      hasIndex = hasIndex || box.type == "moov"
      position = box.end
    }
    return hasIndex ? position : nil
  }

  private static func box(in file: FileDescriptor, at position: Int, end: Int) -> Box? {
    let head = position >= 0 ? file.bytes(at: position, count: 16) : []
    guard head.count >= 8, head[4..<8].allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { ($0 & Int.max >> 9) << 8 | Int($1) } }
    let isLarge = number(head[..<4]) == 1 && head.count == 16
    let size = isLarge ? number(head[8...]) : number(head[..<4])
    let header = isLarge ? 16 : 8
    guard end - position >= header, size == 0 || (header...end - position).contains(size) else { return nil }
    let type = String(decoding: head[4..<8], as: UTF8.self)
    return Box(type: type, body: position + header, end: size == 0 ? end : position + size)
  }

  /// Copies the video to a temporary file without a name.
  func copy(from file: FileDescriptor) throws(CoverFailure) -> FileDescriptor {
    let folder = TemporaryFile.folder(usually: "/var/tmp")
    do throws(Errno) {
      let copy = try TemporaryFile.create(in: folder)
      do throws(Errno) {
        guard try file.copy(byte..<byte + bytes, to: copy) else { throw .ioError }
      } catch {
        try? copy.close()
        throw error
      }
      return copy
    } catch {
      throw ClipVersion.failure(for: error, what: "cannot copy the video in it to '\(folder.displayText)': ")
    }
  }
}
