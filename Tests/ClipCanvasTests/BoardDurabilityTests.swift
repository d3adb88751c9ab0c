import SystemPackage
import TestSupport
import Testing

/// A disk on which only what was synced is sure to be there after a power cut.
///
/// It is told the system calls of a commit, from strace's log, and gives all that a file may hold if the power fails now:
/// names reach the disk in their order but late, the bytes of a file that was not synced as nothing, half or all of them.
private struct ForgetfulDisk {
  private struct File {
    var bytes: [UInt8] = []
    var isSynced = true
  }

  private var files: [File]
  /// What each name leads to, on the disk first and after every change since.
  private var folders: [[String: Int]]
  private var open: [String: Int] = [:]
  private let folder: String

  init(folder: String, old: [UInt8]?, name: String) {
    self.folder = folder
    files = old.map { [File(bytes: $0)] } ?? []
    folders = [old == nil ? [:] : [name: 0]]
  }

  /// All that the file of a name may hold; `nil` for no file.
  func possible(_ name: String) -> Set<[UInt8]?> {
    Set(
      folders.flatMap { folder -> [[UInt8]?] in
        guard let index = folder[name] else { return [nil] }
        let file = files[index]
        return file.isSynced ? [file.bytes] : [[], Array(file.bytes.prefix(file.bytes.count / 2)), file.bytes]
      }
    )
  }

  /// Takes a line of the log, as `write(7, "…", 12) = 12`.
  mutating func take(_ line: String) {
    guard let (call, words, result) = Self.parts(line), !result.hasPrefix("-1") else { return }
    switch call {
    case "openat" where words[2].contains("O_TMPFILE"): open[result] = add()
    case "openat" where words[2].contains("O_CREAT") && words[1].contains(".tmp"):
      open[result] = add()
      link(name(words[1]), open[result])
    case "openat" where words[2].contains("O_TRUNC"):
      guard let index = folders.last?[name(words[1])] else { return }
      (open[result], files[index]) = (index, File(isSynced: false))
    case "openat" where words[1] == "\"\(folder)\"" || (words[1] == "\".\"" && open[words[0]] == -1): open[result] = -1
    case "openat": open[result] = nil
    case "close": open[words[0]] = nil
    case "write", "pwrite64":
      guard let index = open[words[0]], index >= 0 else { return }
      files[index].bytes += Array(repeating: UInt8(ascii: "n"), count: Int(result) ?? 0)
      files[index].isSynced = false
    case "fsync", "fdatasync":
      guard let index = open[words[0]] else { return }
      if index >= 0 { files[index].isSynced = true } else { folders = folders.suffix(1) }
    case "linkat": link(name(words[3]), words[1].split(separator: "/").last.flatMap { open[String($0.dropLast())] })
    case "renameat":
      link(name(words[3]), folders.last?[name(words[1])])
      folders[folders.count - 1][name(words[1])] = nil
    default: break
    }
  }

  private mutating func add() -> Int {
    files.append(File(isSynced: false))
    return files.count - 1
  }

  private mutating func link(_ name: String, _ index: Int?) {
    guard let index, var names = folders.last else { return }
    names[name] = index
    folders.append(names)
  }

  private func name(_ quoted: String) -> String {
    String(quoted.filter { $0 != "\"" }.split(separator: "/").last ?? "")
  }

  private static func parts(_ line: String) -> (call: String, words: [String], result: String)? {
    guard let start = line.firstIndex(of: "("), let end = line.range(of: ") = ") else { return nil }
    let words = line[line.index(after: start)..<end.lowerBound].split(separator: ", ").map(String.init)
    let result = line[end.upperBound...].split(separator: " ").first ?? ""
    // What is written holds commas itself; only its number of bytes is wanted.
    return (line[..<start].filter { $0 != " " }, words, String(result))
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { ranges(of: text).last }
}

@Suite("P2: a command that has ended well survives a power cut")
struct BoardDurabilityTests {
  private static let calls = "openat,close,write,pwrite64,fsync,fdatasync,linkat,renameat,ftruncate,flock,exit_group"

  /// The calls of a commit, from the lock on, and how many bytes it wrote.
  private func commit(_ arguments: [String], on board: TestBoard) async throws -> (calls: [String], size: Int) {
    let (result, calls) = try await board.trace(arguments, ["-e", "trace=\(Self.calls)"])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let start = try #require(calls.firstIndex { $0.contains(".board.json.lock") })
    return (Array(calls[start...]), try board.bytes.count)
  }

  @Test("a file beside it is written and synced, takes its name, and the folder is synced, before anything is told")
  func order() async throws {
    let board = try await TestBoard()
    let (calls, _) = try await commit(["tap", "c1"], on: board)
    let steps = [
      "O_TMPFILE", "write(", "fsync(", "linkat(AT_FDCWD, \"/proc/self/fd/", "renameat(", "fsync(", "write(1, ",
      "exit_group(0",
    ]
    var rest = calls[...]
    for step in steps {
      let index = try #require(rest.firstIndex { $0.contains(step) && !$0.contains("EEXIST") }, "\(step) is missing")
      rest = rest[(index + 1)...]
    }
  }

  /// Checks every prefix of the calls; with some left out, a disk that loses something is to be found out.
  private func losses(_ calls: [String], on board: TestBoard, old: [UInt8]?, size: Int) -> [Int] {
    var disk = ForgetfulDisk(folder: board.scratch.path.string, old: old, name: "board.json")
    let new = [UInt8](repeating: UInt8(ascii: "n"), count: size)
    var losses: [Int] = []
    for (index, call) in calls.enumerated() {
      let hasEnded = call.hasPrefix("write(1, ") || call.hasPrefix("exit_group(0")
      disk.take(call)
      let allowed: Set<[UInt8]?> = hasEnded ? [new] : [old, new]
      if !disk.possible("board.json").isSubset(of: allowed) { losses.append(index) }
    }
    return losses
  }

  @Test("on a disk that forgets what was not synced, whenever it is cut off", arguments: ["tap", "new", "repair"])
  func everyPrefix(_ command: String) async throws {
    let board = try await TestBoard()
    if command == "new" { try board.remove() }
    if command == "repair" { try ScratchFolder.write(try board.bytes.dropLast(40), to: board.path) }
    let old = ProjectFolder.isThere(board.path) ? try board.bytes : nil
    let (calls, size) = try await commit(command == "tap" ? ["tap", "c1"] : [command], on: board)
    #expect(losses(calls, on: board, old: old, size: size) == [])

    // The same disk finds out what is left out: the first sync is that of the file, the last that of the folder.
    let syncs = calls.indices.filter { calls[$0].hasPrefix("fsync(") }
    let ofBoard = command == "repair" ? syncs.suffix(2) : syncs[...]
    try #require(ofBoard.count == 2)
    for sync in ofBoard {
      let without = calls.indices.filter { $0 != sync }.map { calls[$0] }
      #expect(losses(without, on: board, old: old, size: size) != [], "call \(sync)")
    }
  }

  // The folder is opened first, then for an unnamed file, and then to be synced.
  @Test("on a file system without unnamed files too")
  func named() async throws {
    let board = try await TestBoard()
    let (result, _) = try await board.trace(
      ["tap", "c1"],
      ["-P", board.scratch.path.string, "-e", "inject=openat:error=EOPNOTSUPP:when=2"]
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try board.record.revision == 1)
    #expect(try board.leftovers == [])
  }
}
