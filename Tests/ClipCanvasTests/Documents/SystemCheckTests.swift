import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Checks in clean systems, and the names of packages")
struct SystemCheckTests {
  private static let check = ProjectFolder.top.appending("Packaging/check-system").string
  private static let setup = ProjectFolder.top.appending(".ci/setup").string

  /// Returns a folder with links to a few tools and to the given empty programs, to be the whole `PATH`.
  private func folder(programs: [String], in scratch: borrowing ScratchFolder) async throws -> String {
    let script = """
      mkdir bin && cd bin
      for tool in awk bash cat dirname env mkdir sed; do ln -s "$(command -v $tool)" .; done
      for program in "$@"; do printf '#!/bin/sh\\n' > "$program"; chmod +x "$program"; done
      """
    let made = try await Program.runTool("bash", ["-ec", script, "tools"] + programs, in: scratch.path)
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    return scratch("bin").string
  }

  @Test("An unknown suite or option is a usage error", arguments: ["", "buster", "trixie --fast", "trixie --package"])
  func usage(_ words: String) async throws {
    let result = try await Program.runTool("bash", [Self.check] + words.split(separator: " ").map(String.init))
    #expect(result.exitStatus == 64 && result.errorOutput.hasPrefix("usage: check-system "), "\(result.errorOutput)")
  }

  @Test(
    "Without root or debootstrap, check-system reports what it needs",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0)
  )
  func needs() async throws {
    let user = try await Program.runTool(
      "setpriv",
      ["--reuid", "1000", "--clear-groups", "bash", Self.check, "trixie"]
    )
    #expect(user.exitStatus == 1 && user.errorOutput.contains("needs root"), "\(user.errorOutput)")
    let scratch = try ScratchFolder()
    let bin = try await folder(programs: [], in: scratch)
    let bare = try await Program.runTool("env", ["PATH=\(bin)", "bash", Self.check, "trixie"])
    #expect(bare.exitStatus == 1 && bare.errorOutput.contains("apt-get install debootstrap"), "\(bare.errorOutput)")
  }

  @Test(
    "On other systems, setup prints the command that installs the packages",
    .enabled(if: Scope.isFull),
    arguments: [
      ("dnf", "sudo dnf install 'pkgconfig(libavformat)' util-linux python3-pillow\n"),
      ("pacman", "sudo pacman -S --needed ffmpeg util-linux python-pillow\n"),
      ("zypper", "sudo zypper install 'pkgconfig(libavformat)' util-linux python3-Pillow\n"),
    ]
  )
  func otherSystems(_ manager: String, _ command: String) async throws {
    let scratch = try ScratchFolder()
    let bin = try await folder(programs: ["swift", manager], in: scratch)
    let packages = ["libavformat-dev", "mount", "python3-pil", "python3-tuspy"]
    let result = try await Program.runTool("env", ["PATH=\(bin)", "bash", Self.setup] + packages)
    #expect(result.exitStatus == 0 && result.text.hasSuffix("  \(command)"), "\(result.text)\(result.errorOutput)")
  }

  @Test("Each package that building and testing need has a name for each package manager")
  func table() throws {
    let makefile = String(decoding: try ScratchFolder.read(ProjectFolder.top.appending("Makefile")), as: UTF8.self)
    let table = String(decoding: try ScratchFolder.read(ProjectFolder.top.appending(".ci/packages.tsv")), as: UTF8.self)
    let rows = table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }
    #expect(rows.allSatisfy { $0.count == 4 })
    let lists = makefile.replacing("\\\n", with: "").matches(of: /(?m)^(?:BUILD|TEST|BROWSER)_PACKAGES := (.*)$/)
    let names = lists.flatMap { $0.output.1.split(whereSeparator: { $0 == " " || $0 == "\t" }) }
    #expect(names.count > 30)
    #expect(Set(names).isSubset(of: Set(rows.compactMap(\.first))))
  }
}
