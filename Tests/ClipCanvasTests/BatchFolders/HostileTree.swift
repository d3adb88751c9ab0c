import Glibc
import SystemPackage
import TestSupport

/// A folder with obstacles in place of the files that a command may write, and canaries that must not change.
final class HostileTree {
  /// The kind of file in place of an output file.
  enum Obstacle: String, CaseIterable {
    case link, danglingLink, folderLink, hardLink, file, emptyFolder, fullFolder, pipe, socket, device

    /// Whether it is never replaced, even with --force.
    var isSpecial: Bool { [.emptyFolder, .fullFolder, .pipe, .socket, .device].contains(self) }
  }

  let scratch: ScratchFolder
  /// The folder with files that no command names.
  var outside: FilePath { scratch("outside") }
  /// The folder where the commands run.
  var work: FilePath { scratch("work") }

  static let canary = Array("#!/bin/sh\necho precious\n".utf8)

  init() throws {
    scratch = try ScratchFolder()
    for name in ["outside", "outside/folder", "work"] { try FilePath.makeFolder(scratch(name)) }
    try scratch.write(Self.canary, as: "outside/profile")
    try scratch.write(Self.canary, as: "outside/folder/notes")
  }

  /// Whether this user can create device nodes.
  static let canMakeDevices = geteuid() == 0

  /// Creates an obstacle in the working folder.
  func put(_ obstacle: Obstacle, at name: String) throws {
    let path = work.pushing(FilePath(name)).string
    let failed =
      switch obstacle {
      case .link: symlink(outside.appending("profile").string, path)
      case .danglingLink: symlink(outside.appending("new").string, path)
      case .folderLink: symlink(outside.appending("folder").string, path)
      case .hardLink: link(outside.appending("profile").string, path)
      case .pipe: mkfifo(path, 0o644)
      case .socket: mknod(path, S_IFSOCK | 0o644, 0)
      // The device number of /dev/null, so that writes do no harm.
      case .device: mknod(path, S_IFCHR | 0o666, 1 << 8 | 3)
      case .emptyFolder: mkdir(path, 0o755)
      case .fullFolder, .file: 0 as CInt
      }
    guard failed == 0 else { throw Errno(rawValue: errno) }
    if obstacle == .file { try ScratchFolder.write(Self.canary, to: FilePath(path)) }
    if obstacle == .fullFolder {
      try FilePath.makeFolder(FilePath(path))
      try ScratchFolder.write(Self.canary, to: FilePath(path + "/notes"))
    }
  }

  /// Returns the files outside, and the inode, type and content of the obstacle.
  func state(of name: String) throws -> (outside: FolderTree, obstacle: [UInt64], bytes: [UInt8]) {
    var status = stat()
    let path = work.pushing(FilePath(name))
    let exists = path.withPlatformString { lstat($0, &status) } == 0
    let isFile = exists && status.st_mode & S_IFMT == S_IFREG
    return (
      try FolderTree(below: outside), exists ? [UInt64(status.st_ino), UInt64(status.st_mode & S_IFMT)] : [],
      isFile ? try ScratchFolder.read(path) : []
    )
  }

  /// Runs the program in the working folder.
  @discardableResult
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", arguments, in: work, environment: environment)
  }

  /// Copies a fixture into the working folder.
  func clip(_ fixture: String = "h264.mp4", as name: String) throws {
    try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture(fixture)), to: work.pushing(FilePath(name)))
  }
}
