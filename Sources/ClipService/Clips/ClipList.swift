internal import Covers
internal import Files
internal import Glibc
package import SystemPackage

/// A list of paths, read one after another from a file or from standard input.
package final class ClipList {
  private let file: FileDescriptor
  private let path: FilePath
  private let separator: UInt8
  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false
  private let isStopped: @Sendable () -> Bool

  private static let pauseMilliseconds: Int32 = 100
  /// The maximum length of a line; Linux does not accept longer paths.
  private static let maximumBytes = 1 << 16

  /// - Parameters:
  ///   - path: The path of the list, or `-` for standard input.
  ///   - isSeparatedByZeros: Whether each path ends in a zero byte instead of a newline.
  ///   - isStopped: Returns whether to stop reading; called while waiting for input.
  /// - Throws: ``ServiceError`` if the list cannot be opened.
  package init(
    at path: FilePath,
    isSeparatedByZeros: Bool,
    isStopped: @escaping @Sendable () -> Bool
  ) throws(ServiceError) {
    self.path = path
    self.isStopped = isStopped
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

  /// Returns the next path, skipping empty lines; returns `nil` at the end.
  package func next() throws(ServiceError) -> FilePath? {
    while let line = try nextLine() {
      guard line.contains(0) == false else {
        throw ServiceError("\(Self.name(of: path)) contains NUL bytes: read it with -0")
      }
      if !line.isEmpty { return FilePath(bytes: line) }
    }
    return nil
  }

  private func nextLine() throws(ServiceError) -> ArraySlice<UInt8>? {
    while true {
      let end = buffer[start...].firstIndex(of: separator)
      guard (end ?? buffer.endIndex) - start <= Self.maximumBytes else {
        throw ServiceError(
          "\(path.displayText) has a line of more than \(Self.maximumBytes) bytes, which is not a path"
        )
      }
      if let end {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      guard !hasEnded else {
        defer { start = buffer.endIndex }
        return start < buffer.endIndex ? buffer[start...] : nil
      }
      try fill()
    }
  }

  private func fill() throws(ServiceError) {
    buffer.removeSubrange(..<start)
    start = 0
    guard waitForMore() else {
      hasEnded = true
      buffer = []
      return
    }
    do {
      let part = try [UInt8](unsafeUninitializedCapacity: Self.maximumBytes) { bytes, filled in
        filled = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
      }
      hasEnded = part.isEmpty
      buffer += part
    } catch {
      throw Self.error(path, error)
    }
  }

  /// Waits for input; returns false if reading was stopped first.
  private func waitForMore() -> Bool {
    var input = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, Self.pauseMilliseconds) == 0 {
      guard !isStopped() else { return false }
    }
    return true
  }

  private static func name(of list: FilePath) -> String { list == "-" ? "standard input" : list.displayText }

  private static func error(_ path: FilePath, _ error: any Error) -> ServiceError {
    ServiceError("cannot read the list of clips from \(name(of: path)): \((error as? Errno)?.message ?? "\(error)")")
  }
}
