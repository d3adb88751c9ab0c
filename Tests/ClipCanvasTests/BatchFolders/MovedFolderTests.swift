import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("A folder that was moved after a build")
struct MovedFolderTests {
  private let scratch: ScratchFolder
  private let folder: FilePath

  init() throws {
    scratch = try ScratchFolder()
    folder = scratch("a folder")
    for name in ["", "/.build"] { try FilePath.makeFolder(FilePath("\(folder)\(name)")) }
    for name in ["Makefile", ".ci"] {
      try #require(symlink(ProjectFolder.top.appending(name).string, folder.appending(name).string) == 0)
    }
  }

  /// Runs a Makefile target, with a compiler that does nothing.
  private func make(_ target: String) async throws -> ProgramResult {
    try await Program.run(
      .name("make"),
      ["--silent", "-C", folder.string, target, "SWIFT=true", "VERSION=1", "SOURCE_DATE_EPOCH=1769904000"],
      environment: .inherit.updating(["MAKEFLAGS": "", "MAKELEVEL": ""])
    )
  }

  @Test(
    "is not built, with a message that names make clean, which helps",
    arguments: [
      ("folder", "/former/place\n"), ("debug.yaml", #"inputs: ["/former/place/.build/debug/a.o"]"# + "\n"),
    ]
  )
  func moved(_ name: String, _ text: String) async throws {
    try ScratchFolder.write(Array(text.utf8), to: folder.appending(".build/\(name)"))
    for _ in 1...2 {
      let result = try await make("build")
      #expect(result.exitStatus != 0)
      #expect(result.errorOutput.contains("/former/place") && result.errorOutput.contains("run 'make clean'"))
    }
    #expect(try await make("clean").exitStatus == 0)
    #expect(try await make("build").exitStatus == 0)
  }

  @Test("is built again where it was built before")
  func kept() async throws {
    for _ in 1...2 {
      let result = try await make("build")
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
  }
}
