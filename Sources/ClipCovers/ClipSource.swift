internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// A clip to read: a file, or bytes in memory.
public struct ClipSource: Sendable, Hashable, ExpressibleByStringLiteral {
  private enum Content: Hashable {
    case path(String)
    case bytes([UInt8], name: String)
  }

  private let content: Content

  /// The file at a path, which must be a regular file.
  ///
  /// A relative path starts at the current folder.
  public static func file(_ path: String) -> ClipSource { ClipSource(content: .path(path)) }

  /// A whole clip in memory, such as the body of an upload.
  ///
  /// - Parameters:
  ///   - bytes: The content of the clip.
  ///   - name: The name of the file. Only its extension is used, and only for raw streams such as H.264, which have no
  ///     container to be recognised by.
  public static func bytes(_ bytes: [UInt8], name: String = "") -> ClipSource {
    ClipSource(content: .bytes(bytes, name: name))
  }

  /// Creates a source of the file at a path.
  public init(stringLiteral path: String) { content = .path(path) }

  private init(content: Content) { self.content = content }

  /// Opens the clip.
  ///
  /// - Throws: ``ClipError``.
  func open() throws(ClipError) -> ClipReading {
    do throws(CoverFailure) {
      switch content {
      case .path(let path): return try ClipReading(opening: FilePath(path))
      case .bytes(let bytes, let name): return try ClipReading(opened: Self.descriptor(of: bytes), name: FilePath(name))
      }
    } catch {
      throw ClipError(error)
    }
  }

  /// Returns a descriptor of a file in memory that contains the bytes.
  private static func descriptor(of bytes: [UInt8]) throws(CoverFailure) -> FileDescriptor {
    do {
      let file = try MemoryFile(maximumBytes: bytes.count)
      try file.descriptor.writeEverything(bytes)
      try file.seal(bytes: bytes.count)
      // Opened again, because a decoder gets no descriptor that can be written to.
      return try FileDescriptor.open("/proc/self/fd/\(file.descriptor.rawValue)", .readOnly, options: .closeOnExec)
    } catch {
      let error = error as? Errno ?? .ioError
      throw CoverFailure(
        stage: .input,
        cause: .inputOutput,
        code: Int(error.rawValue),
        message: "cannot hold the clip in memory: \(error)"
      )
    }
  }
}
