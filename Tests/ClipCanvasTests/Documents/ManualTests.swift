import Covers
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("Manual pages")
struct ManualTests {
  private let scratch: ScratchFolder
  private let pages: FilePath

  init() async throws {
    scratch = try ScratchFolder()
    pages = scratch("man1")
    let made = try await Program.run(
      .name("make"),
      [
        "--silent", "-C", ProjectFolder.top.string, "share", "RELEASE_BIN=\(ProjectFolder.programs)",
        "SHARE=\(scratch.path)", "SOURCE_DATE_EPOCH=1769904000",
      ],
      // `make test` would pass its own variables on to this make.
      environment: .inherit.updating(["MAKEFLAGS": "", "MAKELEVEL": ""])
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
  }

  /// Returns a page as formatted text with wide lines.
  private func page(_ name: String) async throws -> String {
    let result = try await Program.runTool("mandoc", ["-Tutf8", "-Owidth=300", pages.appending(name + ".1").string])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    // Bold and underlined letters are overstruck with a backspace.
    return result.text.replacing(/.\u{8}/, with: "")
  }

  private func help(_ words: [String]) async throws -> String {
    try await Program.run("clipcanvas", ["help"] + words, environment: ["COLUMNS": "300"]).text
  }

  /// Returns the commands that a help text lists.
  private func commands(in help: String) -> [String] {
    var isList = false
    return help.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  ") else {
        isList = line.hasSuffix("SUBCOMMANDS:")
        return nil
      }
      let name = line.dropFirst(2).prefix { $0 != " " }
      return isList && name.first?.isLowercase == true ? String(name) : nil
    }
  }

  /// Returns the options that a help text lists, each name separately.
  private func options(in help: String) -> [String] {
    help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.dropFirst(2).split(separator: #/  +/#).first.map { names in
        names.matches(of: /(?:^|[ \/,])(--?[a-zA-Z0-9][a-z0-9-]*)/).map { String($0.output.1) }
      } ?? []
    }
  }

  /// Checks that a page documents all options of a command and of its subcommands, and returns their number.
  private func checkPage(of command: [String]) async throws -> Int {
    let page = try await page((["clipcanvas"] + command).joined(separator: "-"))
    let own = try await help(command)
    var helps = [own]
    for subcommand in commands(in: own) {
      #expect(page.contains("clipcanvas \(command.joined(separator: " ")) \(subcommand)"))
      helps.append(try await help(command + [subcommand]))
    }
    let names = helps.flatMap { options(in: $0) }
    for option in names {
      let line = try Regex("(?m)^ {2,8}([^ ].*, )?\(option)([ ,].*)?$")
      #expect(page.contains(line), "\(command) \(option)")
    }
    return names.count
  }

  @Test("Every command has a page that documents its options and those of its subcommands", .enabled(if: Scope.isFull))
  func complete() async throws {
    let top = commands(in: try await help([]))
    let board = commands(in: try await help(["board"]))
    #expect(top.contains("board") && board.contains("stop-preview"))
    #expect(top.count + board.count >= 29)
    let files = top.map { "clipcanvas-\($0).1" } + board.map { "clipcanvas-board-\($0).1" }
    #expect(try ScratchFolder.names(in: pages) == (["clipcanvas.1"] + files).sorted())
    let rootPage = try await page("clipcanvas")
    for name in top { #expect(rootPage.contains("clipcanvas-\(name)(1)")) }
    let boardPage = try await page("clipcanvas-board")
    for name in board { #expect(boardPage.contains("clipcanvas-board-\(name)(1)")) }
    var count = 0
    for name in top where name != "board" { count += try await checkPage(of: [name]) }
    for name in board { count += try await checkPage(of: ["board", name]) }
    #expect(count > 150)
  }

  @Test(
    "clipcanvas-board(1) explains what a board is and lists the commands in the groups of the help",
    .enabled(if: Scope.isFull)
  )
  func boards() async throws {
    let page = try await page("clipcanvas-board")
    #expect(page.contains("A board is one JSON file"))
    let titles = try await help(["board"]).matches(of: /(?m)^(.+) SUBCOMMANDS:$/).map { String($0.output.1) }
    #expect(titles.count >= 3)
    for title in titles {
      #expect(page.contains("   \(title.prefix(1))\(title.dropFirst().lowercased()) commands\n"))
    }
    #expect(page.contains("board.covers/") && page.contains("clipcanvas(1), clipcanvas-animate(1)"))
  }

  @Test("The synopsis shows a required option by its short name, and repetition only where it is allowed")
  func synopsis() async throws {
    #expect(try await page("clipcanvas-board-render").contains("clipcanvas board render [options] -o file\n"))
    let wait = try await page("clipcanvas-board-wait")
    #expect(wait.contains("clipcanvas board wait [options] --for condition\u{A0}...\n"))
    #expect(try await page("clipcanvas-cover").contains("       --at time\n"))
  }

  @Test("Every page has its sections in the order of man-pages(7) and shows the version", .enabled(if: Scope.isFull))
  func sections() async throws {
    let all = [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES",
      "SEE ALSO",
    ]
    for file in try ScratchFolder.names(in: pages) {
      let page = try await page(String(file.dropLast(2)))
      let found = page.split(separator: "\n").filter { $0.first?.isUppercase == true && !$0.contains("(1)") }
        .map(String.init)
      #expect(found == all.filter(found.contains), "\(file)")
      #expect(Set(found).isSuperset(of: ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "SEE ALSO"]))
      #expect(page.contains("clipcanvas \(ClipCanvasVersion.current)") && page.contains("2026-02-01"))
    }
  }

  @Test("mandoc reports no problems", .enabled(if: Scope.isFull))
  func lint() async throws {
    let files = try ScratchFolder.names(in: pages).map { pages.appending($0).string }
    let result = try await Program.runTool("mandoc", ["-Tlint", "-Wall"] + files)
    #expect(result.exitStatus == 0 && result.text.isEmpty, "\(result.text)")
  }

  @Test("clipcanvas(1) documents every environment variable that the programs read")
  func environment() async throws {
    let found = try await Program.runTool(
      "grep",
      ["-rhoE", #"(getenv|isSet|named|variable)(\(|: )"[A-Z_]+""#, ProjectFolder.top.appending("Sources").string]
    )
    let names = Set(found.text.matches(of: /"([A-Z_]+)"/).map { String($0.output.1) })
    #expect(names.isSuperset(of: ["CLIPCANVAS_BOARD", "CLIPCANVAS_VIEW", "NO_COLOR", "XDG_CACHE_HOME", "TMUX"]))
    let page = try await page("clipcanvas")
    for name in names { #expect(page.contains(name), "\(name)") }
  }
}
