import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Board shared by several users", .enabled(if: geteuid() == 0, "becoming another user takes root"))
struct SharedBoardTests {
  private static let orders: [[SharedBoard.User]] = [
    [.owner, .member, .root], [.owner, .root, .member], [.member, .owner, .root], [.member, .root, .owner],
    [.root, .owner, .member], [.root, .member, .owner],
  ]

  @Test(
    "Each user can read and change the board after any other, and it keeps its group and mode",
    .enabled(if: Scope.isFull),
    arguments: [0o660, 0o664] as [mode_t],
    [0o2770, 0o770] as [mode_t]
  )
  func orders(mode: mode_t, folderMode: mode_t) async throws {
    let board = try await SharedBoard(folderMode: folderMode)
    try board.share(mode: mode)
    try await board.run(.owner, "tap", "c1")
    for order in Self.orders {
      for user in order {
        let owner = try SharedBoard.Access(of: board.path).owner
        let result = try await board.run(user, "tap", "c1")
        #expect(result.exitStatus == 0, "\(user) in \(order): \(result.errorOutput)")
        // Only root can give a file to another user.
        let newOwner = user == .root ? owner : user.rawValue
        #expect(try SharedBoard.Access(of: board.path) == SharedBoard.Access(owner: newOwner, mode: mode))
        let lock = try SharedBoard.Access(of: board.lock)
        #expect(lock.group == SharedBoard.group && lock.mode == mode)
      }
      for user in SharedBoard.User.allCases {
        #expect(try await board.run(user, "show").exitStatus == 0, "\(user) after \(order)")
      }
    }
  }

  @Test(
    "A private board stays private after root changes it",
    .enabled(if: Scope.isFull),
    arguments: [["tap", "c1"], ["new", "--force"]]
  )
  func rootOnPrivateBoard(_ command: [String]) async throws {
    let board = try await SharedBoard(folderMode: 0o700, group: SharedBoard.User.owner.rawValue)
    try #require(unlink(board.lock.string) == 0)
    let before = try SharedBoard.Access(of: board.path)
    let result = try await board.run(.root, command[0], command[1])
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try SharedBoard.Access(of: board.path) == before)
    #expect(try SharedBoard.Access(of: board.lock) == before)
    for command in [["show", "--json"], ["tap", "c2"]] {
      let result = try await board.run(.owner, command[0], command[1])
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    }
  }

  @Test("The damaged copy kept by root's `repair` belongs to the board's owner")
  func repairByRoot() async throws {
    let board = try await SharedBoard(folderMode: 0o2770)
    try board.share(mode: 0o640)
    let whole = try ScratchFolder.read(board.path)
    try ScratchFolder.write(whole.dropLast(40), to: board.path)
    let result = try await board.run(.root, "repair")
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let copy = board.path.removingLastComponent().appending("board.json.damaged")
    let access = SharedBoard.Access(owner: SharedBoard.User.owner.rawValue, mode: 0o640)
    #expect(try SharedBoard.Access(of: copy) == access)
    #expect(try SharedBoard.Access(of: board.path) == access)
  }

  @Test("A read-only lock file excludes others but does not record its holder", .enabled(if: Scope.isFull))
  func readOnlyLock() async throws {
    let board = try await SharedBoard(folderMode: 0o2770)
    try board.share(mode: 0o640)
    try await board.run(.owner, "tap", "c1")
    #expect(try SharedBoard.Access(of: board.lock).mode == 0o640)
    let result = try await board.run(.member, "tap", "c2")
    #expect(result.exitStatus == 0, "\(result.errorOutput)")

    let lock = try FileDescriptor.open(board.lock, .readOnly, options: .closeOnExec)
    defer { try? lock.close() }
    try #require(flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0)
    for user in SharedBoard.User.allCases {
      let result = try await board.run(user, "tap", "c1", "--lock-timeout", "0.2")
      #expect(result.exitStatus == 5 && result.errorOutput.contains("by another process"), "\(result.errorOutput)")
    }
  }

  @Test("A process that has ended is not named as the holder of the lock")
  func staleNote() async throws {
    let board = try await SharedBoard(folderMode: 0o2770)
    // A number above the highest possible process ID.
    try ScratchFolder.write("4194305 1700000000\n".utf8, to: board.lock)
    let lock = try FileDescriptor.open(board.lock, .readOnly, options: .closeOnExec)
    defer { try? lock.close() }
    try #require(flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0)
    let result = try await board.run(.owner, "tap", "c1", "--lock-timeout", "0.1")
    #expect(result.exitStatus == 5 && result.errorOutput.contains("by another process"), "\(result.errorOutput)")
  }

  @Test(
    "A lock that cannot be opened is reported with advice that works",
    .enabled(if: Scope.isFull),
    arguments: [SharedBoard.User.owner, .root]
  )
  func deniedLock(_ helper: SharedBoard.User) async throws {
    let board = try await SharedBoard(folderMode: 0o2770)
    try board.share(mode: 0o660)
    let before = try ScratchFolder.read(board.path)
    let result = try await board.run(.member, "tap", "c1")
    #expect(result.exitStatus == 2)
    #expect(
      result.errorOutput.contains("cannot open its lock \(board.lock): permission denied; "),
      "\(result.errorOutput)"
    )
    #expect(result.errorOutput.contains("change the board once"))
    #expect(try ScratchFolder.read(board.path) == before)
    #expect(try await board.run(helper, "tap", "c1").exitStatus == 0)
    #expect(try await board.run(.member, "tap", "c1").exitStatus == 0)
  }

  @Test("If a user is not in the board's group, the new file grants none of that group's rights")
  func foreignGroup() async throws {
    let board = try await SharedBoard(folderMode: 0o2770)
    try board.share(mode: 0o666, group: 61_003)
    try await board.run(.owner, "tap", "c1")
    try board.share(mode: 0o664, group: 61_003)
    let result = try await board.run(.member, "tap", "c1")
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(
      try SharedBoard.Access(of: board.path)
        == SharedBoard.Access(owner: SharedBoard.User.member.rawValue, mode: 0o644)
    )
  }
}
