import Glibc
import SystemPackage
import TestSupport

/// A folder with something in the place of each file that a command may write, and canaries that nothing may touch.
final class HostileTree {
  /// What stands in a place.
  enum Obstacle: String, CaseIterable {
    case link, danglingLink, folderLink, hardLink, file, emptyFolder, fullFolder, pipe, socket, device

    /// Whether it is never replaced, even by force.
    var isSpecial: Bool { [.emptyFolder, .fullFolder, .pipe, .socket, .device].contains(self) }
  }

  let scratch: ScratchFolder
  /// Files that nobody names.
  var outside: FilePath { scratch("outside") }
  /// Where commands run.
  var work: FilePath { scratch("work") }

  static let canary = Array("#!/bin/sh\necho precious\n".utf8)

  init() throws {
    scratch = try ScratchFolder()
    for name in ["outside", "outside/folder", "work"] { try FilePath.makeFolder(scratch(name)) }
    try scratch.write(Self.canary, as: "outside/profile")
    try scratch.write(Self.canary, as: "outside/folder/notes")
  }

  /// Whether a device node can be made here.
  static let canMakeDevices = geteuid() == 0

  /// Puts an obstacle into a place in the working folder.
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
      // The null device's numbers: writing there does no harm.
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

  /// Everything outside, and the obstacle itself, by what the file system says of it.
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
