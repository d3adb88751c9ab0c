internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import SystemPackage

/// A file of records; a line is written for each clip when it is done.
struct ReportFile: ~Copyable {
  private let path: FilePath
  private let option: String
  private let file: FileDescriptor
  /// The new version; an older report remains in its place until it is complete.
  private var replacement: ReplacementFile?

  private static let maximumLineBytes = 1 << 16

  /// Opens the file, replacing an older report.
  ///
  /// - Parameters:
  ///   - path: The path given by the user.
  ///   - option: The option that it was given with.
  ///   - appearsComplete: Whether the file gets its name only when it is complete. An older report remains until then,
  ///     and two runs can write the same report at the same time.
  ///   - isForced: Whether to replace a file that is not a report.
  ///   - inputs: The files that the run reads, each with a description.
  init(
    at path: FilePath,
    option: String = "--report",
    appearsComplete: Bool,
    isForced: Bool,
    sparing inputs: [FileIdentity: String]
  ) throws {
    (self.path, self.option) = (path, option)
    let place = OutputPlace(named: path)
    do {
      try place.check(isForced: isForced, sparing: inputs, sparesData: true, isOurs: Self.isReport)
      if appearsComplete {
        let replacement = try ReplacementFile(for: place)
        file = replacement.descriptor
        self.replacement = consume replacement
        ReplacementFile.removeLeftovers(in: place.folder)
      } else {
        file = try place.create()
        replacement = nil
      }
    } catch let refusal as OutputRefusal {
      throw CommandError(refusal, product: "a report made by clipcanvas", option: option)
    } catch {
      throw Self.failure(path, option, error)
    }
  }

  /// Creates the folder of a report, if it is missing.
  static func makeFolder(for path: FilePath) throws(CommandError) {
    do {
      try Folder.make(at: OutputPlace(named: path).folder)
    } catch {
      throw failure(path, "--report", error)
    }
  }

  /// Writes a line.
  ///
  /// A write error, such as a full disk, ends the program, because an incomplete report is worthless.
  func write(_ line: String) {
    do {
      try file.writeAll((line + "\n").utf8)
    } catch {
      ClipCanvas.end(by: Self.failure(path, option, error))
    }
  }

  /// Closes the file, or discards it if it is not complete and must be.
  consuming func close(isComplete: Bool) throws {
    do {
      guard let replacement = replacement.take() else { return try file.close() }
      if isComplete { try replacement.commit(syncsFolder: true) }
    } catch {
      throw Self.failure(path, option, error)
    }
  }

  /// Returns whether the first line of a file is a record of a batch: of a cover, or of what was made besides.
  static func isReport(_ file: FileDescriptor) -> Bool {
    struct Record: Decodable {
      struct Clip: Decodable { let uri: String }
      struct Summary: Decodable { let covers: Int }
      let status: String?
      let clip: Clip?
      let summary: Summary?
    }
    let line = file.bytes(at: 0, count: maximumLineBytes).prefix { $0 != UInt8(ascii: "\n") }
    guard let record = try? CanonicalJSON.decode(Record.self, from: line) else { return false }
    return record.summary != nil || (record.status != nil && record.clip != nil)
  }

  private static func failure(_ path: FilePath, _ option: String, _ error: any Error) -> CommandError {
    let errno = error as? Errno ?? (error as? FileReplacementError)?.errno
    let reason = errno?.message ?? "\(error)"
    return CommandError(
      .cannotContinue,
      "cannot write the report \(path.displayText): \(reason); specify another file with \(option)"
    )
  }
}
