import Glibc
import SystemPackage
import TestSupport
import Testing

/// A board in a folder that two ordinary users share through a group.
///
/// Creating one requires root, because the tests switch users.
struct SharedBoard {
  /// A user of the board.
  enum User: UInt32, CaseIterable {
    case root = 0
    /// The user who created the board.
    case owner = 61_001
    /// Another member of the group.
    case member = 61_002
  }

  /// The owner, group and mode of a file.
  struct Access: Equatable {
    let owner: UInt32
    let group: UInt32
    let mode: mode_t

    init(owner: UInt32, group: UInt32 = SharedBoard.group, mode: mode_t) {
      (self.owner, self.group, self.mode) = (owner, group, mode)
    }

    /// Reads the access of the file at a path without following links.
    init(of path: FilePath) throws {
      var status = stat()
      guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
      self.init(owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777)
    }
  }

  /// The group of the folder, which is not the primary group of any user.
  static let group: UInt32 = 61_000

  let path: FilePath
  private let scratch: ScratchFolder
  private let program: FilePath

  /// Creates the folder and, as the owner, a board in it.
  ///
  /// - Parameters:
  ///   - folderMode: The mode of the folder, which belongs to the owner and the group.
  ///   - group: The group of the folder.
  init(folderMode: mode_t, group: UInt32 = Self.group) async throws {
    scratch = try ScratchFolder()
    let folder = scratch("shared")
    try FilePath.makeFolder(folder)
    path = folder.appending("board.json")
    program = try await scratch.install(ProjectFolder.program("clipcanvas"), as: "clipcanvas")
    try Self.check(chmod(scratch.path.string, 0o755))
    try Self.check(chown(folder.string, User.owner.rawValue, group))
    try Self.check(chmod(folder.string, folderMode))
    let result = try await run(.owner, "new", "--canvases", "2")
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  /// The board's lock.
  var lock: FilePath { path.removingLastComponent().appending(".board.json.lock") }

  /// Changes the group and mode of the board, as its owner does with `chgrp` and `chmod`.
  func share(mode: mode_t, group: UInt32 = Self.group) throws {
    try Self.check(chown(path.string, User.owner.rawValue, group))
    try Self.check(chmod(path.string, mode))
  }

  /// Runs a command on the board.
  @discardableResult
  func run(_ user: User, _ arguments: String...) async throws -> ProgramResult {
    let groups = user == .root ? ["--keep-groups"] : ["--groups=\(Self.group)"]
    let identity = ["--reuid=\(user.rawValue)", "--regid=\(user.rawValue)"]
    return try await Program.runTool(
      "setpriv",
      identity + groups + [program.string, "board"] + arguments + ["--board", path.string]
    )
  }

  private static func check(_ status: Int32) throws {
    guard status == 0 else { throw Errno(rawValue: errno) }
  }
}
