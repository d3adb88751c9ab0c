import SystemPackage
import TestSupport
import Testing

@Suite("check-hardening")
struct HardeningTests {
  private static let check = ProjectFolder.top.appending("Packaging").appending("check-hardening").string
  /// Compiler flags that give a fully hardened C program.
  private static let flags = [
    "-O2", "-D_FORTIFY_SOURCE=2", "-fPIE", "-pie", "-s", "-Wl,-z,relro,-z,now,-z,noexecstack",
  ]
  private static let source = """
    #include <string.h>
    void swift(void) __asm__("$s4main5swiftyyF");
    void swift(void) {}
    int main(int count, char **words) {
      char copy[64];
      memcpy(copy, words[0], count);
      return copy[0] == 'x';
    }
    """

  /// Compiles a program with additional flags, which override the hardening flags.
  private func program(_ flags: [String], in scratch: ScratchFolder) async throws -> String {
    try scratch.write(Self.source.utf8, as: "program.c")
    let result = try await Program.runTool(
      "cc",
      Self.flags + flags + ["-o", "program", "program.c"],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return scratch("program").string
  }

  @Test("A fully hardened program passes", .enabled(if: Scope.isFull))
  func whole() async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.runTool("bash", [Self.check, try await program([], in: scratch)])
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
  }

  @Test(
    "Only the missing property is reported",
    .enabled(if: Scope.isFull),
    arguments: [
      (["-no-pie", "-fno-PIE"], "is not position-independent"), (["-Wl,-z,execstack"], "has an executable stack"),
      (["-Wl,-z,norelro"], "has no read-only relocations"), (["-Wl,-z,lazy"], "resolves addresses of functions late"),
      (["-Wl,-rpath,/opt/lib"], "searches an additional folder"),
      (["-Wl,-rpath,/opt/lib,--disable-new-dtags"], "searches an additional folder"),
      (["-U_FORTIFY_SOURCE"], "calls no checked functions"),
      (["-Wl,--export-dynamic"], "exports its Swift functions"),
    ]
  )
  func missing(_ flags: [String], _ words: String) async throws {
    let scratch = try ScratchFolder()
    let path = try await program(flags, in: scratch)
    let result = try await Program.runTool("bash", [Self.check, path])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("\(path): \(words)"), "\(result.errorOutput)")
    #expect(result.errorOutput.split(separator: "\n").count == 1, "\(result.errorOutput)")
  }

  @Test(
    "With --libraries-beside, a program may search the folder lib beside it, and no other",
    arguments: [("$ORIGIN/lib", 0), ("$ORIGIN/library", 1), ("/opt/lib:$ORIGIN/lib", 1)] as [(String, Int32)]
  )
  func beside(_ folder: String, _ status: Int32) async throws {
    let scratch = try ScratchFolder()
    let path = try await program(["-Wl,-rpath,\(folder),--disable-new-dtags"], in: scratch)
    let result = try await Program.runTool("bash", [Self.check, "--libraries-beside", path])
    #expect(result.exitStatus == status, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("searches an additional folder") == (status == 1))
  }

  @Test("A program that is not stripped and a file that is not a program are reported")
  func others() async throws {
    let scratch = try ScratchFolder()
    try scratch.write(Self.source.utf8, as: "program.c")
    let flags = Self.flags.filter { $0 != "-s" }
    let made = try await Program.runTool("cc", flags + ["-o", "named", "program.c"], in: scratch.path)
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let result = try await Program.runTool("bash", [Self.check, scratch("named").string, scratch("program.c").string])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("named: is not stripped\n"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("program.c: is not an ELF file\n"), "\(result.errorOutput)")
  }

  @Test("Every program of a release is built with the required flags")
  func release() async throws {
    let result = try await Program.runTool("make", ["-n", "-C", ProjectFolder.top.string, "release"])
    let builds = result.text.split(separator: "\n").filter { $0.contains("--product") }
    #expect(builds.count == 5)
    for build in builds {
      for flag in ["-Xlinker -z -Xlinker relro", "-Xlinker -z -Xlinker now", "-Xlinker --no-export-dynamic"] {
        #expect(build.contains(flag), "\(build)")
      }
      // It belongs to the settings of the C targets: here it would also reach the headers that Swift imports.
      #expect(!build.contains("_FORTIFY_SOURCE"), "\(build)")
    }
  }
}
