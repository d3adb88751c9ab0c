package import Covers
internal import Files
package import SystemPackage

/// What stands at the place where a cover is to go.
enum ExistingCover {
  /// Nothing, or an empty file: a desktop that calls a thumbnailer makes one first.
  case none
  /// A cover of ours; its head says of what and how it was made. One that was cut short is not whole.
  case cover(CoverHead)
  /// Somebody else's file, with its head where it is a picture.
  case foreign(CoverHead?)
  /// Something that is replaced only when forced, or never.
  case refused(OutputRefusal)

  /// Looks at a place.
  init(at place: OutputPlace, of clip: ClipVersion) {
    switch place.occupant() {
    case .nothing, .file(_, bytes: 0): self = .none
    case .link: self = .refused(place.refusal(.link))
    case .special(let kind): self = .refused(place.refusal(.special(kind)))
    case .file(clip.identity, _): self = .refused(place.refusal(.input("the clip itself")))
    case .file(_, let bytes):
      do {
        let file = try place.openForReading()
        self = try file.closeAfter { try Self(of: file, fileBytes: bytes) }
      } catch {
        self = .refused(place.refusal(.unreadable(error as? Errno ?? .ioError)))
      }
    }
  }

  private init(of file: FileDescriptor, fileBytes: Int) throws {
    guard let head = CoverHead(of: file, fileBytes: fileBytes) else {
      // A head that is none, or bytes that the disk does not give?
      var byte: UInt8 = 0
      _ = try withUnsafeMutableBytes(of: &byte) { try file.read(fromAbsoluteOffset: 0, into: $0) }
      self = .foreign(nil)
      return
    }
    self = head.isCover ? .cover(head) : .foreign(head)
  }

  /// The head of the cover, if it was made of this version of the clip by this request.
  func freshHead(for clip: ClipVersion, request: String) -> CoverHead? {
    guard case .cover(let head) = self, head.isWhole, head[.size] == "\(clip.bytes)",
      head[.mtimeNanoseconds] == "\(clip.mtimeNanoseconds)", head[.request] == request
    else { return nil }
    return head
  }
}

extension CoverHead {
  /// Whether the picture is a thumbnail of this version of a clip by the standard that desktops share, whoever made it.
  func isThumbnail(of clip: ClipVersion) -> Bool {
    self[.mtime] == "\(clip.mtimeSeconds)" && (self[.size] ?? "\(clip.bytes)") == "\(clip.bytes)" && isWhole
  }

  /// Reads the head of an open file, wherever its offset stands.
  package init?(of file: FileDescriptor) {
    guard let status = try? FileStatus(of: file) else { return nil }
    self.init(of: file, fileBytes: status.bytes)
  }

  /// Reads the head of an open file that is so long.
  fileprivate init?(of file: FileDescriptor, fileBytes: Int) {
    // A page holds the head of nearly every cover, and the whole of a small one.
    let page = 4096
    let start = file.bytes(at: 0, count: page)
    let end =
      fileBytes <= page
      ? start.suffix(Self.endBytes)
      : file.bytes(at: fileBytes - Self.endBytes, count: Self.endBytes)[...]
    func head(_ start: [UInt8]) -> Self? { Self(start: start, end: Array(end), fileBytes: fileBytes) }
    guard let head = head(start) ?? (fileBytes > page ? head(file.bytes(at: 0, count: Self.mostBytes)) : nil) else {
      return nil
    }
    self = head
  }
}

extension FileDescriptor {
  /// The bytes that stand at a place, fewer where the file ends or cannot be read.
  package func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = (try? read(fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
  }
}
