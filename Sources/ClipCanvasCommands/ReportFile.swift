internal import ArgumentParser
internal import CoverService
internal import SystemPackage

/// The file of `--report`: a line for each clip, written as it is done.
struct ReportFile {
  private let file: FileDescriptor
  private let path: FilePath

  /// Opens the file; an older report is replaced.
  init(at path: FilePath) throws {
    self.path = path
    do {
      file = try FileDescriptor.open(
        path,
        .writeOnly,
        options: [.create, .truncate, .closeOnExec],
        permissions: FilePermissions(rawValue: 0o666)
      )
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Writes a line.
  ///
  /// A full disk ends the program: a report that lacks lines is none.
  func write(_ line: String) {
    do {
      try file.writeAll((line + "\n").utf8)
    } catch {
      ClipCanvas.exit(withError: Self.failure(path, error))
    }
  }

  func close() throws {
    do {
      try file.close()
    } catch {
      throw Self.failure(path, error)
    }
  }

  private static func failure(_ path: FilePath, _ error: any Error) -> ExitCode {
    let reason = (error as? Errno)?.words ?? "\(error)"
    Console.complain("clipcanvas: cannot write the report \(path.displayText): \(reason); name another file")
    return ExitStatus.couldNotGoOn
  }
}
