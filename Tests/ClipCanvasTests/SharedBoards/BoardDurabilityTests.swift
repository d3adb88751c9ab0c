import SystemPackage
import TestSupport
import Testing

/// A model of a disk where only synced data is sure to survive a power cut.
///
/// It processes the system calls of a commit from strace's log and returns every content that a file may have if the
/// power fails now. Names reach the disk in order but late; of the bytes of an unsynced file, none, half or all do.
private struct ForgetfulDisk {
  private struct File {
    var bytes: [UInt8] = []
    var isSynced = true
  }

  private var files: [File]
  /// The file of each name: first as stored on the disk, then after each change since.
  private var folders: [[String: Int]]
  private var open: [String: Int] = [:]
  private let folder: String

  init(folder: String, old: [UInt8]?, name: String) {
    self.folder = folder
    files = old.map { [File(bytes: $0)] } ?? []
    folders = [old == nil ? [:] : [name: 0]]
  }

  /// Returns every possible content of the file with the given name, with `nil` for no file.
  func possible(_ name: String) -> Set<[UInt8]?> {
    Set(
      folders.flatMap { folder -> [[UInt8]?] in
        guard let index = folder[name] else { return [nil] }
        let file = files[index]
        return file.isSynced ? [file.bytes] : [[], Array(file.bytes.prefix(file.bytes.count / 2)), file.bytes]
      }
    )
  }

  /// Processes a line of the log, such as `write(7, "…", 12) = 12`.
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
    // Written data contains commas itself, but only the number of bytes matters.
    return (line[..<start].filter { $0 != " " }, words, String(result))
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { ranges(of: text).last }
}

@Suite("A successful command survives a power cut")
struct BoardDurabilityTests {
  private static let calls = "openat,close,write,pwrite64,fsync,fdatasync,linkat,renameat,ftruncate,flock,exit_group"

  /// Returns the system calls of a commit, starting with the lock, and the size of the board it wrote.
  private func commit(_ arguments: [String], on board: TestBoard) async throws -> (calls: [String], size: Int) {
    let (result, calls) = try await board.trace(arguments, ["-e", "trace=\(Self.calls)"])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let start = try #require(calls.firstIndex { $0.contains(".board.json.lock") })
    return (Array(calls[start...]), try board.bytes.count)
  }

  @Test("A new file is written, synced and renamed and the folder is synced, before anything is printed")
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

  /// Returns the indices of the calls that, followed by a power cut, could lose the board or a reported change.
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

  @Test(
    "A power cut after any system call loses no reported change",
    .enabled(if: Scope.isFull),
    arguments: ["tap", "new", "repair"]
  )
  func everyPrefix(_ command: String) async throws {
    let board = try await TestBoard()
    if command == "new" { try board.remove() }
    if command == "repair" { try ScratchFolder.write(try board.bytes.dropLast(40), to: board.path) }
    let old = ProjectFolder.isThere(board.path) ? try board.bytes : nil
    let (calls, size) = try await commit(command == "tap" ? ["tap", "c1"] : [command], on: board)
    #expect(losses(calls, on: board, old: old, size: size) == [])

    // The model detects a missing sync: the first is that of the file, the last that of the folder.
    let syncs = calls.indices.filter { calls[$0].hasPrefix("fsync(") }
    let ofBoard = command == "repair" ? syncs.suffix(2) : syncs[...]
    try #require(ofBoard.count == 2)
    for sync in ofBoard {
      let without = calls.indices.filter { $0 != sync }.map { calls[$0] }
      #expect(losses(without, on: board, old: old, size: size) != [], "call \(sync)")
    }
  }

  // The folder is opened once before, then to create an unnamed file, and then to be synced.
  @Test("A change is committed on a file system without unnamed files")
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
