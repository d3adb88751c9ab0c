import Glibc
import SystemPackage
import TestSupport
import Testing

/// A folder `v` of clips, which a test watches with `clipcanvas batch --watch`; the covers are in `out/v`.
struct WatchedFolder {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("v"))
  }

  /// Starts a watch, and waits until it has searched the folder.
  ///
  /// - Parameters:
  ///   - options: Options of `batch`.
  ///   - program: `clipcanvas`, or `hurried-watch`, whose intervals are a tenth of those.
  func start(_ options: [String] = ["--prune"], with program: String = "hurried-watch") async throws -> RunningProgram {
    let arguments = ["batch", "--watch", "--json", "--size", "64", "-o", "out"] + options + ["v"]
    let watch = try RunningProgram(program, arguments, scratch: scratch)
    try await wait(for: watch, "the start") { try watch.errorOutputSoFar().contains("waiting for clips") }
    return watch
  }

  /// Waits until a condition holds; a watch that hangs or has ended fails the test.
  func wait(for watch: RunningProgram, _ what: String, until condition: () async throws -> Bool) async throws {
    for _ in 0..<1200 {
      if try await condition() { return }
      let errors = try watch.errorOutputSoFar()
      try #require(!watch.hasEnded, "it ended before \(what): \(errors)")
      try await pause(.milliseconds(50))
    }
    let paths = try FolderTree(below: scratch.path).paths
    Issue.record("\(what) did not come: \(paths) \(try watch.errorOutputSoFar())")
  }

  /// The covers; empty also if one is removed while the folder is read.
  func covers() -> [String] { (try? FolderTree(below: scratch("out/v")).paths) ?? [] }

  /// Waits until there are the covers of some clips, and no others.
  func expect(_ names: [String], by watch: RunningProgram) async throws {
    let expected = names.map { $0 + ".png" }.sorted()
    try await wait(for: watch, "covers \(expected)") { covers() == expected }
  }

  /// Ends a watch as Ctrl-C does, and returns its records.
  func end(_ watch: RunningProgram) async throws -> BatchRun {
    watch.send(SIGINT)
    let result = try await watch.end()
    #expect(result.exitStatus == 128 + Int(SIGINT))
    return try BatchRun(of: result)
  }

  /// Runs shell commands; `$f` is the folder of the fixtures.
  func shell(_ command: String) async throws {
    let result = try await Program.runTool(
      "sh",
      ["-ec", "f='\(ProjectFolder.top)/Fixtures'; \(command)"],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }
}
