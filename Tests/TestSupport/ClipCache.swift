internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import Subprocess
package import SystemPackage

/// What ffmpeg and ffprobe made of the same words and the same files before: clips, pixels and facts.
///
/// An entry is one file, named after a digest of the program's version, of its words, and of the content of the files
/// it read. It begins with its own digest, so a damaged or incomplete entry is detected, removed and made again.
/// Entries are written under another name and renamed, so several runs may share the folder. If an entry cannot be
/// stored, as on a full or read-only file system, only the next run takes longer.
package struct ClipCache: Sendable {
  /// Runs a program: its name, arguments and working folder.
  package typealias Runner = @Sendable (String, [String], FilePath?) async throws -> ProgramResult

  /// The results of all tests, in `.build/test-clips` or in the folder that `CLIPCANVAS_TEST_CLIPS` names.
  package static let shared = ClipCache(
    folder: getenv("CLIPCANVAS_TEST_CLIPS").map { FilePath(platformString: $0) }
      ?? ProjectFolder.top.appending(".build").appending("test-clips"),
    // Random clips of the long forms are not made again.
    isRecording: !LongForm.isWanted
  )

  /// The first bytes of each entry.
  private static let mark = "clipcanvas test clip 1\n"
  /// The maximum size of what is read or stored.
  private static let maximumBytes = 64 << 20

  private let folder: FilePath
  private let isRecording: Bool
  private let run: Runner
  private let versions: Versions

  /// - Parameters:
  ///   - folder: The folder of the entries; created when the first one is stored.
  ///   - isRecording: Whether new entries are stored.
  ///   - run: What runs the programs.
  package init(folder: FilePath, isRecording: Bool = true, run: @escaping Runner = Program.runDirectly) {
    (self.folder, self.isRecording, self.run) = (folder, isRecording, run)
    versions = Versions(run: run)
  }

  /// What an entry stores before the bytes of the standard output and of the files.
  private struct Head: Codable {
    let outputCount: Int
    let errorOutput: String
    let fileCounts: [Int]
  }

  /// Returns the result of ffmpeg or ffprobe, whose output files are then in their places.
  package func result(of name: String, _ arguments: [String], in folder: FilePath?) async throws -> ProgramResult {
    let version = try await versions.version(of: name)
    guard let command = FFmpegCommand(name, arguments, in: folder),
      let outputs = writable(command.outputs, overwriting: arguments.contains("-y")),
      let entry = entry(of: name, command, version: version)
    else { return try await run(name, arguments, folder) }
    if let result = read(entry, into: outputs) { return result }
    let result = try await run(name, arguments, folder)
    if isRecording, result.exitStatus == 0 { try? store(result, of: command, as: entry) }
    return result
  }

  /// Returns the paths if each is free, or is a file that may be overwritten.
  private func writable(_ paths: [FilePath], overwriting: Bool) -> [FilePath]? {
    let areFree = paths.allSatisfy { path in
      var status = stat()
      guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return true }
      return overwriting && status.st_mode & S_IFMT == S_IFREG
    }
    return areFree && Set(paths).count == paths.count ? paths : nil
  }

  /// Returns the path of the entry of a command; `nil` if an input is not a regular file, or is too large.
  private func entry(of name: String, _ command: FFmpegCommand, version: String) -> FilePath? {
    var key = [version, name]
    for word in command.words {
      switch word {
      case .plain(let text): key += ["word", text]
      case .output(let path): key += ["output", path.extension ?? ""]
      case .input(let path):
        guard let bytes = Self.file(path) else { return nil }
        key += ["input", path.extension ?? "", Self.digest(of: bytes)]
      }
    }
    return folder.appending(Self.digest(of: Array(key.map { "\($0.utf8.count) \($0)" }.joined(separator: "\n").utf8)))
  }

  /// Returns the result that an entry stores, after writing its files; `nil` if it is missing or damaged.
  private func read(_ entry: FilePath, into outputs: [FilePath]) -> ProgramResult? {
    guard let bytes = Self.file(entry) else { return nil }
    guard let (head, body) = Self.content(of: bytes), head.fileCounts.count == outputs.count else {
      try? ScratchFolder.remove(entry)
      return nil
    }
    var rest = body.dropFirst(head.outputCount)
    for (path, count) in zip(outputs, head.fileCounts) {
      guard (try? Self.write(rest.prefix(count), to: path)) != nil else {
        // The program then reports why, and needs no -y for that.
        for path in outputs { try? ScratchFolder.remove(path) }
        return nil
      }
      rest = rest.dropFirst(count)
    }
    // Entries that were not used for long are removed by `make test`.
    _ = entry.withPlatformString { utimensat(AT_FDCWD, $0, nil, 0) }
    return ProgramResult(
      status: .exited(0),
      output: Array(body.prefix(head.outputCount)),
      errorOutput: head.errorOutput
    )
  }

  /// Takes an entry apart: its first line, its digest, the length of its head, the head and the rest.
  private static func content(of bytes: [UInt8]) -> (head: Head, body: ArraySlice<UInt8>)? {
    let mark = Array(mark.utf8)
    guard bytes.starts(with: mark), bytes.count > mark.count + 32 else { return nil }
    let content = Array(bytes[(mark.count + 32)...])
    guard bytes[mark.count..<mark.count + 32].elementsEqual(digest(of: content).utf8),
      let end = content.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: Data(content[..<end])),
      content.count - end - 1 == head.fileCounts.reduce(head.outputCount, +)
    else { return nil }
    return (head, content[(end + 1)...])
  }

  /// Stores a result, unless its text contains the path of a file, which is another one in the next test.
  private func store(_ result: ProgramResult, of command: FFmpegCommand, as entry: FilePath) throws {
    let files = command.outputs.compactMap { Self.file($0) }
    let paths = command.names.map { Array($0.utf8) }
    let texts = [result.output, Array(result.errorOutput.utf8)]
    guard files.count == command.outputs.count,
      files.map(\.count).reduce(result.output.count, +) < Self.maximumBytes,
      !texts.contains(where: { text in paths.contains { Self.contains(text, $0) } })
    else { return }
    let head = Head(
      outputCount: result.output.count,
      errorOutput: result.errorOutput,
      fileCounts: files.map(\.count)
    )
    let content = Array(try JSONEncoder().encode(head)) + Array("\n".utf8) + result.output + files.flatMap { $0 }
    try FilePath.makeFolders(folder)
    let temporary = folder.appending("new-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    do {
      let file = try FileDescriptor.open(
        temporary,
        .writeOnly,
        options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead]
      )
      let bytes = Array(Self.mark.utf8) + Array(Self.digest(of: content).utf8) + content
      try file.closeAfter { _ = try file.writeAll(bytes) }
      guard rename(temporary.string, entry.string) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      try? ScratchFolder.remove(temporary)
      throw error
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to path: FilePath) throws {
    try ScratchFolder.write(bytes, to: path)
  }

  /// Returns the content of a regular file that is not too large.
  private static func file(_ path: FilePath) -> [UInt8]? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size < maximumBytes
    else { return nil }
    return try? ScratchFolder.read(path)
  }

  /// Whether bytes contain others, found with the C library, which is fast in a build that is not optimised.
  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        guard let first = part.first, let start = part.baseAddress else { return true }
        var rest = bytes[...]
        while rest.count >= part.count, let place = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
          guard let found = memchr(place, Int32(first), rest.count - part.count + 1) else { return false }
          if memcmp(found, start, part.count) == 0 { return true }
          rest = rest.dropFirst(UnsafeRawPointer(found) - place + 1)
        }
        return false
      }
    }
  }

  /// Returns the MD5 digest of bytes: entries are checked for damage, not for forgery.
  private static func digest(of bytes: [UInt8]) -> String {
    var digits: [CChar] = Array(repeating: 0, count: 33)
    _ = bytes.withUnsafeBufferPointer { MD5Data($0.baseAddress, $0.count, &digits) }
    return String(decoding: digits.prefix(32).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The versions of the programs, each asked for once.
  private actor Versions {
    private let run: Runner
    private var known: [String: Task<String, any Error>] = [:]

    init(run: @escaping Runner) { self.run = run }

    func version(of name: String) async throws -> String {
      let run = run
      let task = known[name] ?? Task { try await run(name, ["-version"], nil).text }
      known[name] = task
      return try await task.value
    }
  }
}
