package import Covers
internal import Files
package import SystemPackage

/// What currently exists at the place of a cover.
enum ExistingCover {
  /// Nothing, or an empty file such as a desktop creates before it runs a thumbnailer.
  case none
  /// A ClipCanvas cover, with its head; a truncated cover is not whole.
  case cover(CoverHead)
  /// A file not made by ClipCanvas, with its head if it is a picture.
  case foreign(CoverHead?)
  /// A file that is replaced only when forced, or never.
  case refused(OutputRefusal)

  /// Inspects a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - clip: The clip whose picture is to be put there.
  ///   - others: Other clips that must not be replaced.
  init(at place: OutputPlace, of clip: ClipVersion, sparing others: Set<FileIdentity> = []) {
    switch place.occupant() {
    case .nothing, .file(_, bytes: 0): self = .none
    case .link: self = .refused(place.linkRefusal)
    case .special(let kind): self = .refused(place.refusal(.special(kind)))
    case .file(clip.identity, _): self = .refused(place.refusal(.input("the clip itself")))
    case .file(let identity, let bytes):
      do {
        let file = try place.openForReading()
        self = try file.closeAfter { try Self(of: file, fileBytes: bytes) }
      } catch {
        self = .refused(place.refusal(.unreadable(error as? Errno ?? .ioError)))
      }
      // With `cover *`, covers are named as well; they may be replaced.
      if case .foreign = self, others.contains(identity) {
        self = .refused(place.refusal(.input("another clip of this command")))
      }
    }
  }

  private init(of file: FileDescriptor, fileBytes: Int) throws {
    guard let head = CoverHead(of: file, fileBytes: fileBytes) else {
      // Reading a byte distinguishes an invalid head from an unreadable file.
      var byte: UInt8 = 0
      _ = try withUnsafeMutableBytes(of: &byte) { try file.read(fromAbsoluteOffset: 0, into: $0) }
      self = .foreign(nil)
      return
    }
    self = head.isCover ? .cover(head) : .foreign(head)
  }

  /// Returns the head of the cover if it was made from this version of the clip with this request.
  ///
  /// - Parameters:
  ///   - clip: The version of the clip.
  ///   - request: The request as stored in covers.
  ///   - resizable: The request, if a cover that differs from it only in its size is fresh as well.
  func freshHead(for clip: ClipVersion, request: String, inAnySizeOf resizable: CoverRequest? = nil) -> CoverHead? {
    guard case .cover(let head) = self, head.isWhole, head[.size] == "\(clip.bytes)",
      head[.mtimeNanoseconds] == "\(clip.mtimeNanoseconds)",
      head[.request] == request || resizable.map(head.wasMade(withSizeOtherThanIn:)) == true
    else { return nil }
    return head
  }

  /// Returns why the picture would be replaced by one of this version of the clip with this request.
  func reasonToReplace(for clip: ClipVersion, request: String) -> PlannedPicture.Reason {
    switch self {
    case .none: return .missing
    case .cover(let head):
      guard head.isWhole else { return .damaged }
      guard head[.size] == "\(clip.bytes)", head[.mtimeNanoseconds] == "\(clip.mtimeNanoseconds)" else {
        return .clipChanged
      }
      return head[.request] == request ? .forced : .optionsChanged
    case .foreign(let head?): return head.isThumbnail(of: clip) ? .forced : .clipChanged
    case .foreign(nil), .refused: return .forced
    }
  }
}

extension CoverHead {
  /// Whether the picture was made with a request that differs from another one at most in its size.
  fileprivate func wasMade(withSizeOtherThanIn request: CoverRequest) -> Bool {
    guard
      var made = self[.request].flatMap({ try? CanonicalJSON.decode(CoverRequest.self, from: Array($0.utf8)) })
    else { return false }
    (made.size, made.fill) = (request.size, request.fill)
    return made == request
  }

  /// Whether the picture is a thumbnail of this version of a clip according to freedesktop.org's standard, made by any
  /// program.
  func isThumbnail(of clip: ClipVersion) -> Bool {
    self[.mtime] == "\(clip.mtimeSeconds)" && (self[.size] ?? "\(clip.bytes)") == "\(clip.bytes)" && isWhole
  }

  /// Reads the head of an open file, regardless of its current offset.
  package init?(of file: FileDescriptor) {
    guard let status = try? FileStatus(of: file) else { return nil }
    self.init(of: file, fileBytes: status.bytes)
  }

  /// Reads the head of an open file with the given length.
  fileprivate init?(of file: FileDescriptor, fileBytes: Int) {
    // A page contains the head of nearly every cover, and all of a small one.
    let page = 4096
    let start = file.bytes(at: 0, count: page)
    let end =
      fileBytes <= page
      ? start.suffix(Self.endBytes)
      : file.bytes(at: fileBytes - Self.endBytes, count: Self.endBytes)[...]
    func head(_ start: [UInt8]) -> Self? { Self(start: start, end: Array(end), fileBytes: fileBytes) }
    guard let head = head(start) ?? (fileBytes > page ? head(file.bytes(at: 0, count: Self.maximumBytes)) : nil) else {
      return nil
    }
    self = head
  }
}
