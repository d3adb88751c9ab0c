import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("make install")
struct InstallTests {
  private let scratch: ScratchFolder
  /// A path that a shell would split and expand.
  private let prefix: FilePath

  init() throws {
    scratch = try ScratchFolder()
    prefix = scratch("a user's $HOME")
    for folder in ["", "/bin", "/share", "/share/fish", "/share/zsh"] {
      try FilePath.makeFolder(FilePath("\(prefix)\(folder)"))
    }
    try ScratchFolder.write([1], to: prefix.appending("bin/another"))
  }

  /// Runs a Makefile target with the programs that were built with the tests.
  @discardableResult
  private func make(_ target: String, _ variables: [String] = []) async throws -> ProgramResult {
    let words = [
      "--silent", "-C", ProjectFolder.top.string, target, "RELEASE_BIN=\(ProjectFolder.programs)",
      "SHARE=\(scratch("made"))",
    ]
    // The quick tests are built without the web server.
    let server = ProjectFolder.isThere(ProjectFolder.program("clipcanvas-serve")) ? [] : ["SERVER="]
    // `make test` would pass its own variables on to this make.
    let result = try await Program.run(
      .name("make"),
      Arguments(words + server + variables),
      environment: .inherit.updating(["MAKEFLAGS": "", "MAKELEVEL": "", "DESTDIR": "", "PREFIX": prefix.string])
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    return result
  }

  /// Returns the paths, types and modes of a folder's entries, with additional `find -printf` fields.
  private func tree(_ folder: FilePath, printing more: String = "") async throws -> String {
    let found = try await Program.runTool("find", [".", "-printf", "%p %y %m\(more)\\n"], in: folder)
    return found.text.split(separator: "\n").sorted().joined(separator: "\n")
  }

  @Test(
    "uninstall restores the tree as it was before install, also below DESTDIR",
    .enabled(if: Scope.isFull),
    arguments: ["", "stage"]
  )
  func uninstall(_ stage: String) async throws {
    let variables = stage.isEmpty ? [] : ["DESTDIR=\(scratch(stage))", "PREFIX=/opt/a b"]
    let root = stage.isEmpty ? prefix : scratch(stage)
    if !stage.isEmpty { try FilePath.makeFolder(root) }
    let before = try await tree(root)
    try await make("install", variables)
    let after = try await tree(root)
    for name in [
      "bin/clipcanvas f 755", "libexec/clipcanvas/clipcanvas-decoder f 755", "share/man/man1/clipcanvas-cover.1 f 644",
      "share/man/man5/clipcanvas-json.5 f 644",
      "share/clipcanvas/schemas/cover.schema.json f 644",
      "share/bash-completion/completions/clipcanvas f 644", "share/zsh/site-functions/_clipcanvas f 644",
      "share/fish/vendor_completions.d/clipcanvas.fish f 644", "share/thumbnailers/clipcanvas.thumbnailer f 644",
      "share/systemd/user/clipcanvas-watch@.service f 644", "share/doc/clipcanvas/README.md f 644",
      "share/doc/clipcanvas/SECURITY.md f 644", "share/doc/clipcanvas/LICENSE f 644",
      "share/doc/clipcanvas/licences/swift-argument-parser-LICENSE.txt f 644",
    ] {
      #expect(after.contains("/\(name)"))
    }
    try await make("uninstall", variables)
    #expect(try await tree(root) == before)
  }

  @Test("install prints what it installed, how shells find the completions, and what to try")
  func report() async throws {
    let text = try await make("install").text
    let installed = text.split(separator: "\n\n").first ?? ""
    #expect(installed.hasPrefix("Installed into \(prefix):\n  bin/clipcanvas\n"))
    for line in installed.split(separator: "\n").dropFirst() {
      let path = try #require(line.split(separator: " ").first)
      #expect(ProjectFolder.isThere(prefix.appending(String(path))), "\(path)")
    }
    for helper in ["composer", "decoder", "view"] { #expect(installed.contains("clipcanvas-\(helper)")) }
    let folders = ["man1", "man5"].map { prefix.appending("share/man").appending($0) }
    let pages = try folders.reduce(0) { try $0 + ScratchFolder.names(in: $1).count }
    let schemas = try ScratchFolder.names(in: prefix.appending("share/clipcanvas/schemas")).count
    #expect(installed.contains(" \(schemas) JSON schemas"))
    #expect(installed.contains(" \(pages) manual pages"))
    // The quoted paths are those that a shell reads: the prefix contains a quote, a space and a dollar sign.
    for (shell, rest) in [("zsh", "fpath+=("), ("fish", "fish_complete_path ")] {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  \(shell) ") })
      let words = try #require(line.firstRange(of: rest).map { line[$0.upperBound...] })
      let word = shell == "zsh" ? words.dropLast() : words
      let folder = try await Program.run(.name("bash"), ["-c", "printf %s \(word)"]).text
      #expect(ProjectFolder.isThere(FilePath(folder)), "\(folder)")
    }
    #expect(text.contains("Add \(prefix)/bin to PATH, then try:\n  clipcanvas cover YOUR-CLIP.mp4"))
  }

  @Test("A staged install, as packages use it, prints no advice for shells", .enabled(if: Scope.isFull))
  func staged() async throws {
    let text = try await make("install", ["DESTDIR=\(scratch("stage"))", "PREFIX=/usr"]).text
    #expect(text.contains("Installed into \(scratch("stage"))/usr:") && !text.contains("Completions:"))
  }

  @Test("Programs are installed without debugging symbols", .enabled(if: Scope.isFull))
  func stripped() async throws {
    try await make("install")
    for program in ["bin/clipcanvas", "libexec/clipcanvas/clipcanvas-decoder", "libexec/clipcanvas/clipcanvas-view"] {
      let path = "\(prefix)/\(program)"
      let sections = try await Program.runTool("readelf", ["-SW", "--", path])
      #expect(sections.exitStatus == 0 && sections.text.contains(" .dynsym "))
      #expect(!sections.text.contains(" .symtab ") && !sections.text.contains(" .debug_"), "\(program)")
    }
  }

  @Test("uninstall keeps a folder that contains other files", .enabled(if: Scope.isFull))
  func others() async throws {
    try await make("install")
    try ScratchFolder.write([1], to: prefix.appending("share/man/man1/another.1"))
    try await make("uninstall")
    #expect(try ScratchFolder.names(in: prefix.appending("share")) == ["fish", "man", "zsh"])
    #expect(try ScratchFolder.names(in: prefix.appending("share/man/man1")) == ["another.1"])
    // The record of the installation is gone, so a second uninstall removes nothing.
    #expect(try await make("uninstall").errorOutput.contains("nothing was installed"))
    #expect(try ScratchFolder.names(in: prefix) == ["bin", "share"])
  }

  @Test("A second install writes nothing, and a file that a newer version lacks is removed", .enabled(if: Scope.isFull))
  func again() async throws {
    try await make("install")
    let first = try await tree(prefix, printing: " %i %T@")
    try await make("install")
    #expect(try await tree(prefix, printing: " %i %T@") == first)
    let record = prefix.appending("share/clipcanvas/installed")
    let old = prefix.appending("share/old/clipcanvas-old.1")
    try FilePath.makeFolder(old.removingLastComponent())
    try ScratchFolder.write([1], to: old)
    let lines = Array("\(old.removingLastComponent())/\n\(old)\n".utf8)
    try ScratchFolder.write(lines + (try ScratchFolder.read(record)), to: record)
    try await make("install")
    #expect(!ProjectFolder.isThere(old.removingLastComponent()))
    try await make("uninstall")
    #expect(try ScratchFolder.names(in: prefix.appending("share")) == ["fish", "zsh"])
  }

  @Test("The systemd unit starts the installed program, whatever its path", .enabled(if: Scope.isFull))
  func unit() async throws {
    try await make("install")
    try await make("install", ["DESTDIR=\(scratch("stage"))", "PREFIX=/opt/100% a b"])
    for (folder, program) in [
      (prefix.string, prefix.string.replacing("$", with: "$$")),
      (scratch("stage").string + "/opt/100% a b", "/opt/100%% a b"),
    ] {
      let unit = FilePath(folder + "/share/systemd/user/clipcanvas-watch@.service")
      let text = String(decoding: try ScratchFolder.read(unit), as: UTF8.self)
      let command = "batch --watch --quiet $CLIPCANVAS_WATCH_OPTIONS -- %f"
      #expect(text.contains("\nExecStart=\"\(program)/bin/clipcanvas\" \(command)\n"), "\(text)")
    }
  }

  /// Folders of user units, from systemd.unit(5).
  @Test(
    "The systemd unit is in a folder that systemd searches",
    .enabled(if: Scope.isFull),
    arguments: [
      ("/home/ann/.local", "/home/ann/.local/share/systemd/user"), ("/usr", "/usr/lib/systemd/user"),
      ("/usr/local", "/usr/local/lib/systemd/user"),
    ]
  )
  func unitFolder(_ prefix: String, _ folder: String) async throws {
    let stage = scratch("stage")
    try await make("install", ["DESTDIR=\(stage)", "PREFIX=\(prefix)"])
    let units = try await Program.runTool("find", [stage.string, "-name", "*.service"])
    #expect(units.text == "\(stage)\(folder)/clipcanvas-watch@.service\n")
  }

  @Test("The licence of each package that the programs are linked to is installed", .enabled(if: Scope.isFull))
  func licences() async throws {
    try await make("install")
    let names = try ScratchFolder.names(in: prefix.appending("share/doc/clipcanvas/licences"))
    let pins = String(decoding: try ScratchFolder.read(ProjectFolder.top.appending("Package.resolved")), as: UTF8.self)
    let packages = pins.matches(of: /"identity" : "([^"]+)"/).map { String($0.1) }
    #expect(!packages.isEmpty)
    for package in packages {
      #expect(names.contains { $0.hasPrefix("\(package)-LICENSE") }, "\(package): \(names)")
    }
  }

  @Test(
    "The installed program works without the build folder, and file managers can call it",
    .enabled(if: Scope.isFull)
  )
  func use() async throws {
    try await make("install")
    let entry = String(
      decoding: try ScratchFolder.read(prefix.appending("share/thumbnailers/clipcanvas.thumbnailer")),
      as: UTF8.self
    )
    let program = prefix.appending("bin/clipcanvas")
    #expect(entry.contains("\nTryExec=\(program)\n"))
    let command = try #require(entry.firstMatch(of: /\nExec=(.+)\n/)?.output.1)
      .replacing("%s", with: "64").replacing("%o", with: "out.png").replacing("%i", with: "clip.mp4")
    try scratch.copy(ProjectFolder.fixture("1080p.mp4"), as: "clip.mp4")
    // A file manager splits the command into words as a shell does.
    let result = try await Program.run(
      .path("/bin/sh"),
      ["-c", String(command)],
      in: scratch.path,
      environment: .custom(["PATH": "/nowhere"])
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try await Oracle.pixels(ofPNG: scratch("out.png"), hasAlpha: true).width == 64)
  }

  @Test("A PREFIX that is not absolute is refused, and nothing is created")
  func relative() async throws {
    let words = ["--silent", "-C", ProjectFolder.top.string, "install", "RELEASE_BIN=\(ProjectFolder.programs)"]
    let result = try await Program.runTool("make", words + ["SHARE=\(scratch("made"))", "PREFIX=some/where"])
    #expect(result.exitStatus != 0 && result.errorOutput.contains("PREFIX is 'some/where'"))
    #expect(!ProjectFolder.isThere(ProjectFolder.top.appending("some")))
  }
}
