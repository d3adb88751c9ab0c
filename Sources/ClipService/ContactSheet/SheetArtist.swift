package import Covers
internal import Files
internal import Subprocess
package import SystemPackage

/// Draws contact sheets with another program, so that only that program has to load fonts and the library for text.
///
/// The program gets a description of the sheet as its only argument, the pixels of the frames as its standard input,
/// and a file for the pixels of the sheet as its standard output. It runs once for each sheet.
package struct SheetArtist: Sendable {
  private let program: FilePath
  private let argument: @Sendable (ContactSheet) throws -> String

  /// Creates an artist.
  ///
  /// - Parameters:
  ///   - program: The path of the program; see ``ProgramLocation/view``.
  ///   - argument: Returns the program's argument for a sheet.
  package init(program: FilePath, argument: @escaping @Sendable (ContactSheet) throws -> String) {
    (self.program, self.argument) = (program, argument)
  }

  /// The program's time limit; drawing takes a fraction of a second.
  private static let timeout = Duration.seconds(60)

  /// Draws a sheet.
  ///
  /// - Parameters:
  ///   - sheet: The sheet.
  ///   - tiles: The pixels of its frames, one frame after another.
  /// - Returns: The pixels of the sheet, as rows of 8-bit RGB.
  /// - Throws: ``ServiceError`` if no sheet can be drawn, for instance because no font is installed.
  func draw(
    _ sheet: ContactSheet,
    from tiles: MemoryFile
  ) async throws(ServiceError) -> Result<MemoryFile, CoverFailure> {
    let bytes = sheet.size.width * sheet.size.height * 3
    let picture: MemoryFile
    do throws(Errno) {
      picture = try MemoryFile(maximumBytes: bytes)
    } catch {
      return .failure(.cannotHold(error))
    }
    let end: End
    do {
      end = try await run(try argument(sheet), from: tiles.descriptor, into: picture.descriptor)
    } catch {
      throw ServiceError("cannot start \(program.displayText): \(error)")
    }
    switch end.status {
    case .exited(0): break
    case .exited: throw ServiceError(end.message)
    case .signaled(let signal): return .failure(.artistEnded(bySignal: Int(signal)))
    }
    do throws(Errno) {
      try picture.seal(bytes: bytes)
    } catch {
      return .failure(.unsealed(error))
    }
    return .success(picture)
  }

  /// How the program ended.
  private struct End: Sendable {
    let status: TerminationStatus
    /// What it wrote to standard error, without its own name.
    let message: String
  }

  /// Returns the message of the program, without its name; libraries may have written other lines.
  private static func message(in text: String) -> String {
    let (lines, name) = (text.split(separator: "\n"), "clipcanvas: ")
    let own = lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    return (own ?? lines.first).map(String.init) ?? "no contact sheet could be drawn"
  }

  private func run(
    _ argument: String,
    from tiles: FileDescriptor,
    into picture: FileDescriptor
  ) async throws -> End {
    // Ctrl-C is sent to the whole foreground process group; the caller decides what becomes of the sheet.
    var options = PlatformOptions()
    options.processGroupID = 0
    return try await withThrowingTaskGroup(of: End?.self) { group in
      group.addTask { [program, options] in
        let result = try await Subprocess.run(
          .path(program),
          arguments: [argument],
          platformOptions: options,
          input: .fileDescriptor(tiles, closeAfterSpawningProcess: false),
          output: .fileDescriptor(picture, closeAfterSpawningProcess: false),
          error: .string(limit: 4096)
        )
        return End(status: result.terminationStatus, message: Self.message(in: result.standardError))
      }
      group.addTask {
        try? await Task.sleep(for: Self.timeout)
        return nil
      }
      // The program is ended when its task is cancelled.
      defer { group.cancelAll() }
      return try await group.next()?.flatMap(\.self) ?? End(status: .signaled(9), message: "")
    }
  }
}

extension CoverFailure {
  fileprivate static func artistEnded(bySignal signal: Int) -> CoverFailure {
    CoverFailure(
      stage: .service,
      cause: .decoderDied,
      code: signal,
      message: "the program that draws contact sheets was killed by signal \(signal)"
    )
  }
}
