package import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// A clip on standard input.
package struct InputClip: Sendable {
  let clip: OpenClip

  /// The maximum length of a clip that is read from a pipe, in bytes.
  private static let maximumBytes = 4 << 30

  /// Opens the clip: a regular file as it is, and anything else after copying it to a temporary file without a name,
  /// because most containers cannot be read in one pass.
  ///
  /// - Throws: `CoverFailure` if the input is longer than 4 GiB, or the temporary file cannot be written.
  package init() throws(CoverFailure) {
    if let file = try Self.regularFile() {
      clip = file
    } else {
      clip = try OpenClip(opened: Self.copy())
    }
  }

  /// Opens the file that standard input was redirected from; `nil` if it is something else or was read already.
  ///
  /// It is opened again, because the descriptor may permit writing.
  private static func regularFile() throws(CoverFailure) -> OpenClip? {
    guard let status = try? FileStatus(of: .standardInput), status.kind == .regular,
      lseek(STDIN_FILENO, 0, SEEK_CUR) == 0,
      let file = try? FileDescriptor.open("/proc/self/fd/0", .readOnly, options: .closeOnExec)
    else { return nil }
    return try OpenClip(opened: file)
  }

  private static func copy() throws(CoverFailure) -> FileDescriptor {
    let folder = TemporaryFile.folder(usually: "/var/tmp")
    let file: FileDescriptor
    do throws(Errno) {
      file = try TemporaryFile.create(in: folder)
    } catch {
      throw storingFailure(error, in: folder)
    }
    do throws(CoverFailure) {
      try copy(to: file, in: folder)
    } catch {
      try? file.close()
      throw error
    }
    return file
  }

  private static func copy(to file: FileDescriptor, in folder: FilePath) throws(CoverFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
    defer { buffer.deallocate() }
    var bytes = 0
    while true {
      let count: Int
      do {
        count = try FileDescriptor.standardInput.read(into: buffer)
      } catch {
        throw ClipVersion.failure(for: error as? Errno ?? .ioError, what: "cannot read standard input: ")
      }
      guard count > 0 else { return }
      bytes += count
      guard bytes <= maximumBytes else { throw tooLong }
      do {
        _ = try file.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } catch {
        throw storingFailure(error as? Errno ?? .ioError, in: folder)
      }
    }
  }

  private static let tooLong = CoverFailure(
    stage: .input,
    cause: .inputOutput,
    message: "standard input has more than \(maximumBytes >> 30) GiB",
    advice: "save the clip to a file first"
  )

  private static func storingFailure(_ error: Errno, in folder: FilePath) -> CoverFailure {
    CoverFailure(
      stage: .input,
      cause: .inputOutput,
      code: Int(error.rawValue),
      message: "cannot store standard input in \(folder.displayText): \(error.message)",
      advice: "set \(TemporaryFile.folderVariable) to a folder with room for the clip, or save the clip to a file first"
    )
  }
}
