internal import Covers
internal import Glibc
internal import SystemPackage

/// Paths that are read one after another from a file or from standard input.
final class ClipList {
  private let file: FileDescriptor
  private let path: FilePath
  private let separator: UInt8
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  /// What a line may have at most; Linux takes no longer paths.
  private static let mostBytes = 1 << 16

  /// - Parameters:
  ///   - path: Where the list is, `-` for standard input.
  ///   - isSeparatedByZeros: Whether a zero byte ends a path, instead of a newline.
  /// - Throws: ``ServiceError`` when it cannot be opened.
  init(at path: FilePath, isSeparatedByZeros: Bool) throws(ServiceError) {
    self.path = path
    separator = isSeparatedByZeros ? 0 : UInt8(ascii: "\n")
    guard path != "-" else {
      file = .standardInput
      return
    }
    do {
      file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    } catch {
      throw Self.error(path, error)
    }
  }

  deinit {
    if path != "-" { try? file.close() }
  }

  /// The next path; empty lines are passed over.
  func next() throws(ServiceError) -> FilePath? {
    while let line = try nextLine() {
      guard line.contains(0) == false else {
        throw ServiceError("\(path.displayText) holds zero bytes: read it with -0")
      }
      if !line.isEmpty { return FilePath(bytes: line) }
    }
    return nil
  }

  private func nextLine() throws(ServiceError) -> ArraySlice<UInt8>? {
    while true {
      if let end = buffer[start...].firstIndex(of: separator) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      guard !hasEnded else {
        defer { start = buffer.endIndex }
        return start < buffer.endIndex ? buffer[start...] : nil
      }
      guard buffer.count - start <= Self.mostBytes else {
        throw ServiceError("\(path.displayText) holds a line of more than \(Self.mostBytes) bytes, which is no path")
      }
      try fill()
    }
  }

  private func fill() throws(ServiceError) {
    buffer.removeSubrange(..<start)
    start = 0
    do {
      let part = try [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { bytes, filled in
        filled = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
      }
      hasEnded = part.isEmpty
      buffer += part
    } catch {
      throw Self.error(path, error)
    }
  }

  private static func error(_ path: FilePath, _ error: any Error) -> ServiceError {
    let name = path == "-" ? "standard input" : path.displayText
    return ServiceError("cannot read the list of clips from \(name): \((error as? Errno)?.words ?? "\(error)")")
  }
}
