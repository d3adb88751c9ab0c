import Glibc
import SystemPackage
import TestSupport
import Testing

/// System calls that strace makes fail.
@Suite("A failing system call leaves the older cover and no other file")
struct FaultInjectionTests {
  struct Fault: CustomTestStringConvertible {
    let call: String
    let error: String
    let words: String

    var testDescription: String { "\(call) gives \(error)" }
  }

  static let faults = [
    Fault(call: "fdatasync", error: "EIO", words: "cannot write"),
    Fault(call: "fdatasync", error: "ENOSPC", words: "no space left on device; make room there"),
    Fault(call: "linkat", error: "EIO", words: "input/output error"),
    Fault(call: "renameat", error: "EDQUOT", words: "make room there"),
    Fault(call: "renameat", error: "EACCES", words: "permission denied; specify a writable folder"),
  ]

  /// Makes a cover in the folder `covers` while certain system calls fail, on all paths or only on the given ones.
  private func cover(
    failing injections: [String],
    on paths: [String] = [],
    in scratch: ScratchFolder
  ) async throws -> ProgramResult {
    let options = paths.flatMap { ["-P", $0] } + injections.flatMap { ["-e", "inject=" + $0] }
    return try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", "/dev/null"] + options + [
        ProjectFolder.program("clipcanvas").string, "cover", "--force", "-o", scratch("covers").string + "/",
        ProjectFolder.fixture("h264.mp4").string,
      ]
    )
  }

  @Test("A failing call while a cover is written leaves the older cover", .enabled(if: Scope.isFull), arguments: faults)
  func fault(_ fault: Fault) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("covers"))
    let older = try scratch.write(Array("an older cover".utf8), as: "covers/h264.mp4.png")
    let result = try await cover(failing: ["\(fault.call):error=\(fault.error)"], in: scratch)
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains(fault.words), "\(result.errorOutput)")
    #expect(try ScratchFolder.read(older) == Array("an older cover".utf8))
    #expect(try ScratchFolder.names(in: scratch("covers")) == ["h264.mp4.png"])
  }

  @Test(
    "A cover that cannot be read is reported with the system's reason and left alone",
    arguments: [
      ("openat", "EACCES", "outputDenied", "permission denied"),
      ("openat", "EMFILE", "outputFailed", "too many open files"),
      ("pread64", "EIO", "outputFailed", "input/output error"),
    ]
  )
  func unreadable(call: String, error: String, cause: String, words: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    try #require(try await BatchRun(["a.mp4"], in: scratch.path).status == 0)
    let cover = try ScratchFolder.read(scratch("a.mp4.png"))
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", "/dev/null", "-P", "a.mp4.png", "-e", "inject=\(call):error=\(error)"]
        + [ProjectFolder.program("clipcanvas").string, "batch", "--json", "a.mp4"],
      in: scratch.path
    )
    let record = try #require(try BatchRun(of: result).records.first)
    #expect(record.reason == cause && record.stage == "output")
    #expect(record.message?.hasPrefix("a.mp4.png exists and cannot be read: \(words)") == true, "\(record)")
    #expect(try ScratchFolder.read(scratch("a.mp4.png")) == cover)
  }

  @Test(
    "A cover is written through a named file if an unnamed file cannot be linked",
    .enabled(if: Scope.isFull),
    arguments: ["EPERM", "ENOENT", "EOPNOTSUPP", "EXDEV"],
    [true, false]
  )
  func withoutNamesForUnnamedFiles(error: String, exists: Bool) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("covers"))
    if exists { try scratch.write(Array("an older cover".utf8), as: "covers/h264.mp4.png") }
    let result = try await cover(failing: ["linkat:error=\(error)"], in: scratch)
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    try #require(try await cover(failing: [], in: try ScratchFolder()).exitStatus == 0)
    let cover = try ScratchFolder.read(scratch("covers/h264.mp4.png"))
    #expect(
      cover.starts(with: [0x89, 0x50, 0x4E, 0x47])
        && cover.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    )
    #expect(try ScratchFolder.names(in: scratch("covers")) == ["h264.mp4.png"])
    var (made, usual) = (stat(), stat())
    try scratch.write([], as: "usual")
    #expect(stat(scratch("covers/h264.mp4.png").string, &made) == 0 && stat(scratch("usual").string, &usual) == 0)
    #expect(made.st_mode == usual.st_mode)
  }

  // A named file next to the cover is used instead. Only the calls for unnamed files use the path of the folder itself.
  @Test("A cover is written on a file system without unnamed files")
  func withoutUnnamedFiles() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("covers"))
    let older = try scratch.write(Array("an older cover".utf8), as: "covers/h264.mp4.png")
    let result = try await cover(
      // The first call opens the folder itself.
      failing: ["openat:error=EOPNOTSUPP:when=2"],
      on: [scratch("covers").string],
      in: scratch
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try ScratchFolder.read(older).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try ScratchFolder.names(in: scratch("covers")) == ["h264.mp4.png"])
  }
}
