internal import Covers
internal import Glibc
internal import SystemPackage

/// What stands at the place where a cover is to go.
enum ExistingCover {
  /// Nothing, or an empty file: a desktop that calls a thumbnailer makes one first.
  case none
  /// A cover of ours; its head tells of what and how it was made. One that was cut short is not whole.
  case cover(PNGHead, isWhole: Bool)
  /// Somebody else's file.
  case foreign
  /// The clip itself, perhaps by another name.
  case clip
  /// A folder, a device or the like.
  case notRegular

  /// Looks at a path.
  ///
  /// A file that cannot be read counts as somebody else's.
  init(at path: FilePath, of clip: ClipFile) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      self = .none
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      self = .notRegular
      return
    }
    guard clip.identity != FileIdentity(status) else {
      self = .clip
      return
    }
    guard status.st_size > 0 else {
      self = .none
      return
    }
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      self = .foreign
      return
    }
    defer { try? file.close() }
    if let head = PNGHead(start: file), head.isCover {
      self = .cover(head, isWhole: PNGEnd.isPresent(in: file))
    } else {
      self = .foreign
    }
  }

  /// The size of the cover, if it was made of this version of the clip by this request.
  func freshSize(for clip: ClipFile, request: String) -> PixelSize? {
    guard case .cover(let head, isWhole: true) = self, head[.size] == "\(clip.bytes)",
      head[.mtimeNanoseconds] == "\(clip.mtimeNanoseconds)", head[.request] == request
    else { return nil }
    return head.size
  }
}

extension PNGHead {
  /// Reads the head of an open file, wherever its offset stands.
  init?(start file: FileDescriptor) {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { buffer, count in
      count = (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    self.init(bytes)
  }

  /// Whether clipcanvas made the picture.
  var isCover: Bool { self[.software]?.hasPrefix("ClipCanvas ") == true }
}

extension PNGEnd {
  /// Whether an open file ends as a PNG does.
  static func isPresent(in file: FileDescriptor) -> Bool {
    guard let size = try? file.seek(offset: 0, from: .end), size >= Int64(bytes.count) else { return false }
    var tail: [UInt8] = Array(repeating: 0, count: bytes.count)
    let count = tail.withUnsafeMutableBytes { buffer in
      (try? file.read(fromAbsoluteOffset: size - Int64(bytes.count), into: buffer)) ?? 0
    }
    return count == bytes.count && tail == bytes
  }
}
