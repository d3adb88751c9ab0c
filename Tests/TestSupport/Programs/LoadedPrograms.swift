internal import Glibc
package import SystemPackage

/// Programs that stay loaded as long as the tests run, because loading them takes longer than most of their work.
///
/// ffmpeg and ffprobe have more than a hundred libraries. A client executes in place of the program, and has the loaded
/// one do the work in a copy of itself; see `Tests/LoadedPrograms`. If anything is missing, the program is executed.
package actor LoadedPrograms {
  /// The programs of all tests.
  package static let shared = LoadedPrograms()

  private static let sources = ProjectFolder.top.appending("Tests").appending("LoadedPrograms")
  private static let folder = ProjectFolder.top.appending(".build").appending("loaded-programs")
  /// In milliseconds.
  private static let longestLoading: Int32 = 60_000

  /// What has a loaded program do the work, with these variables in its environment.
  package typealias Client = (path: FilePath, environment: [String: String])

  private var compilation: Task<Bool, Never>?
  private var clients: [String: Client?] = [:]

  /// Returns what to execute for a program in `PATH`, with the same arguments; `nil` if the program cannot be loaded.
  package func client(of name: String) async -> Client? {
    let compilation = compilation ?? Task { await Self.compile() }
    self.compilation = compilation
    guard await compilation.value else { return nil }
    if let client = clients[name] { return client }
    let client = Self.load(name)
    clients[name] = .some(client)
    return client
  }

  /// Compiles the sources, unless an earlier run of the tests did; returns whether that was possible.
  private static func compile() async -> Bool {
    guard mkdir(folder.string, 0o755) == 0 || errno == EEXIST else { return false }
    for (source, options) in [("loaded", ["-shared", "-fPIC", "-ldl"]), ("client", [])] {
      let (code, result) = (sources.appending("\(source).c"), folder.appending(source))
      if isNewer(result, than: code), isNewer(result, than: sources.appending("request.h")) { continue }
      // Two runs of the tests may do this at once.
      let new = folder.appending("\(source).\(getpid())")
      let words = ["-O1", "-Wall", "-Wextra", "-Werror", "-o", new.string, code.string] + options
      do {
        let compiler = try await Program.runTool("clang", words)
        guard compiler.exitStatus == 0, rename(new.string, result.string) == 0 else {
          print("\(source).c of Tests/LoadedPrograms cannot be compiled: \(compiler.errorOutput)")
          return false
        }
      } catch {
        print("ffmpeg and ffprobe do not stay loaded: \(error)")
        return false
      }
    }
    return true
  }

  private static func isNewer(_ path: FilePath, than other: FilePath) -> Bool {
    var (status, otherStatus) = (stat(), stat())
    return stat(path.string, &status) == 0 && stat(other.string, &otherStatus) == 0
      && (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) > (otherStatus.st_mtim.tv_sec, otherStatus.st_mtim.tv_nsec)
  }

  /// Starts a program, and waits until it listens for clients.
  private static func load(_ name: String) -> Client? {
    let (client, socket) = (folder.appending(name), "clipcanvas-tests-\(getpid())-\(name)")
    guard symlink("client", client.string) == 0 || errno == EEXIST else { return nil }
    // The program writes a byte when it listens. Our end is closed when the tests end, and then the program ends, too.
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pair[0], STDIN_FILENO)
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    let variables = ["LD_PRELOAD=\(folder)/loaded", "CLIPCANVAS_LOADED=\(socket)"].map { strdup($0 as String) }
    defer { for variable in variables { free(variable) } }
    var all = variables + Array(sequence(first: environ) { $0 + 1 }.lazy.map(\.pointee).prefix { $0 != nil }) + [nil]
    var words = [strdup(name), nil]
    defer { free(words[0]) }
    var process: Int32 = 0
    let error = posix_spawnp(&process, name, &actions, nil, &words, &all)
    close(pair[0])
    var start = pollfd(fd: pair[1], events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    guard error == 0, poll(&start, 1, longestLoading) == 1, read(pair[1], &byte, 1) == 1 else {
      close(pair[1])
      return nil
    }
    return (client, ["CLIPCANVAS_LOADED": socket])
  }
}
