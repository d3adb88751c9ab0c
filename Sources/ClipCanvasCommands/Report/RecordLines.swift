internal import BoardSupport
internal import Files
internal import SystemPackage

/// The lines of a report, read one after another.
struct RecordLines: ~Copyable {
  /// The number of the line returned last, from 1.
  private(set) var number = 0
  private let path: FilePath
  private let file: FileDescriptor
  private var buffer: [UInt8] = []
  private var start = 0

  private static let partBytes = 1 << 18
  private static let maximumLineBytes = 1 << 22

  init(at path: FilePath) throws(CommandError) {
    self.path = path
    file = try ShardReport.open(path)
  }

  deinit { try? file.close() }

  /// Returns the next line without its newline; `nil` at the end, where the rest of a line that is cut short is ignored.
  mutating func next() throws(CommandError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        number += 1
        return buffer[start..<end]
      }
      guard buffer.count - start <= Self.maximumLineBytes else {
        throw ShardReport.problem(path, "is damaged: line \(number + 1) is too long")
      }
      let held = buffer.count - start
      guard try fill() else { return nil }
      searched = held
    }
  }

  /// Reads more; returns false at the end of the file.
  private mutating func fill() throws(CommandError) -> Bool {
    buffer.removeSubrange(..<start)
    start = 0
    do {
      let part = try [UInt8](unsafeUninitializedCapacity: Self.partBytes) { bytes, filled in
        filled = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
      }
      buffer += part
      return !part.isEmpty
    } catch {
      throw ShardReport.problem(path, "cannot be read: \((error as? Errno)?.message ?? "\(error)")")
    }
  }
}
