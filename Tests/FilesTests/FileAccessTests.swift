import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
  "Owner and group of a replaced file",
  .enabled(if: geteuid() == 0, "becoming another user takes root")
)
struct FileAccessTests {
  /// Creates a folder that everyone can write to, with a file that has the given owner, group and mode.
  private func folder(owner: UInt32, group: UInt32, mode: UInt32) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try #require(chmod(folder.path.string, 0o777) == 0)
    let file = try folder.write("old".utf8, as: "file")
    try #require(chown(file.string, owner, group) == 0)
    try #require(chmod(file.string, mode) == 0)
    return folder
  }

  /// Replaces the file in a process that runs as an ordinary user, 62001, who is also a member of group 62010.
  private func replace(in folder: ScratchFolder) async throws {
    await #expect(processExitsWith: .success) { [path = folder("file").string as String] in
      var groups: [gid_t] = [62_010]
      try #require(setgroups(groups.count, &groups) == 0 && setgid(62_001) == 0 && setuid(62_001) == 0)
      _ = umask(0o022)
      let file = try ReplacementFile(for: FilePath(path))
      try file.descriptor.writeAll("new".utf8)
      try file.commit()
    }
    #expect(try FileState(folder("file")).text == "new")
  }

  @Test("Root keeps the owner, the group and the whole mode", arguments: [0o600, 0o640, 0o4755, 0o2771] as [UInt32])
  func root(mode: UInt32) throws {
    let folder = try folder(owner: 62_002, group: 62_020, mode: mode)
    let file = try ReplacementFile(for: folder("file"))
    try file.descriptor.writeAll("new".utf8)
    try file.commit()
    let state = try FileState(folder("file"))
    #expect(state.text == "new" && state.owner == 62_002 && state.group == 62_020 && state.mode == mode)
  }

  @Test(
    "A member keeps the group, even where new files get the group of the folder",
    .enabled(if: Scope.isFull),
    arguments: [0o777, 0o2777] as [UInt32]
  )
  func member(folderMode: UInt32) async throws {
    let folder = try folder(owner: 62_002, group: 62_010, mode: 0o664)
    try #require(chmod(folder.path.string, folderMode) == 0)
    try await replace(in: folder)
    let state = try FileState(folder("file"))
    #expect(state.owner == 62_001 && state.group == 62_010 && state.mode == 0o664)
  }

  @Test("A user's own file in one of the user's groups keeps its owner, group and mode")
  func oneself() async throws {
    let folder = try folder(owner: 62_001, group: 62_010, mode: 0o751)
    try await replace(in: folder)
    let state = try FileState(folder("file"))
    #expect(state.owner == 62_001 && state.group == 62_010 && state.mode == 0o751)
  }

  // The new group must not get permissions that only the old group had, nor permissions denied to the old group as
  // others.
  @Test(
    "If the group cannot be kept, only permissions common to group and others remain",
    .enabled(if: Scope.isFull),
    arguments: [(0o660, 0o600), (0o664, 0o644), (0o644, 0o644), (0o604, 0o600), (0o6775, 0o755)] as [(UInt32, UInt32)]
  )
  func stranger(mode: UInt32, expected: UInt32) async throws {
    let folder = try folder(owner: 62_002, group: 62_020, mode: mode)
    try await replace(in: folder)
    let state = try FileState(folder("file"))
    #expect(state.owner == 62_001 && state.group == 62_001 && state.mode == expected)
  }

  // The kernel clears such bits when an ordinary user writes to the file, so nothing is written here.
  @Test(
    "The set-user-ID and set-group-ID bits are kept only with that user or group",
    arguments: [(62_001, 62_010, 0o6755), (62_002, 62_010, 0o2755), (62_001, 62_020, 0o4755)]
      as [(UInt32, UInt32, UInt32)]
  )
  func setUserAndGroup(owner: UInt32, group: UInt32, expected: UInt32) async throws {
    let folder = try folder(owner: owner, group: group, mode: 0o6755)
    await #expect(processExitsWith: .success) { [path = folder.path.string as String] in
      var groups: [gid_t] = [62_010]
      try #require(setgroups(groups.count, &groups) == 0 && setgid(62_001) == 0 && setuid(62_001) == 0)
      let folder = FilePath(path)
      let file = try FileDescriptor.open(
        folder.appending("new"),
        .readWrite,
        options: [.create, .closeOnExec],
        permissions: .ownerReadWrite
      )
      try #require(FileAccess(of: folder.appending("file"))).give(to: file)
    }
    #expect(try FileState(folder("new")).mode == expected)
  }
}
