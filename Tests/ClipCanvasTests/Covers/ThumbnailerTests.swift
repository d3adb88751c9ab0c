import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Desktop thumbnailer")
struct ThumbnailerTests {
  private let entry: [String: String]

  init() throws {
    let text = String(
      decoding: try ScratchFolder.read(ProjectFolder.top.appending("Desktop/clipcanvas.thumbnailer")),
      as: UTF8.self
    )
    let lines = text.split(separator: "\n")
    try #require(lines.first == "[Thumbnailer Entry]")
    entry = Dictionary(
      uniqueKeysWithValues: lines.dropFirst().map { line in
        let parts = line.split(separator: "=", maxSplits: 1)
        return (String(parts[0]), String(parts[1]))
      }
    )
  }

  /// Runs the entry as a file manager does, which creates an empty output file first and may read it through the
  /// descriptor that it still has.
  private func run(_ clip: FilePath, size: Int, output: FilePath) async throws -> ProgramResult {
    try ScratchFolder.write([], to: output)
    let file = try FileDescriptor.open(output, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    let words = try #require(entry["Exec"]).split(separator: " ").map { word in
      switch word {
      case "%i": clip.string
      case "%o": output.string
      case "%s": "\(size)"
      case "%u": "file://" + clip.string
      default: String(word)
      }
    }
    #expect(words.first == entry["TryExec"])
    let result = try await Program.run(words[0], Array(words.dropFirst()))
    let byName = try ScratchFolder.read(output)
    var bytes = [UInt8](repeating: 0, count: byName.count + 1)
    let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
    #expect(Array(bytes.prefix(count)) == byName, "the file itself is written, not replaced")
    return result
  }

  @Test(
    "The command writes a thumbnail of the requested size to the file manager's empty file",
    .enabled(if: Scope.isFull),
    arguments: ["1080p.mp4", "rotated-90.mp4", "vp9-alpha.webm", "mpeg2.ts"],
    [128, 256]
  )
  func fills(_ clip: String, _ size: Int) async throws {
    let scratch = try ScratchFolder()
    let copy = try scratch.copy(ProjectFolder.fixture(clip), as: "-a %s 'b' 12:30 \(clip)")
    let result = try await run(copy, size: size, output: scratch("out.png"))
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let picture = try await Oracle.pixels(ofPNG: scratch("out.png"), hasAlpha: true)
    #expect(max(picture.width, picture.height) == (clip == "1080p.mp4" ? size : min(size, 160)))
    #expect(try scratch.names() == ["-a %s 'b' 12:30 \(clip)", "out.png"])
  }

  @Test("A clip without a cover exits with status 1 and leaves the file empty")
  func fails() async throws {
    let scratch = try ScratchFolder()
    let result = try await run(ProjectFolder.fixture("sound-only.m4a"), size: 128, output: scratch("out.png"))
    #expect(result.exitStatus == 1)
    #expect(try ScratchFolder.read(scratch("out.png")) == [])
  }

  // MARK: - Types

  private var types: Set<String> {
    Set(entry["MimeType", default: ""].split(separator: ";").map(String.init))
  }

  private static let hasTypes =
    dlopen("libgio-2.0.so.0", RTLD_LAZY) != nil && ProjectFolder.isThere("/usr/share/mime/packages/freedesktop.org.xml")

  @Test(
    "The entry has the type of every fixture with a cover",
    .enabled(if: hasTypes, "GIO or the shared MIME database is not on this machine")
  )
  func fixtures() async throws {
    let script = """
      import ctypes, sys
      gio = ctypes.CDLL("libgio-2.0.so.0")
      gio.g_content_type_guess.restype = ctypes.c_char_p
      for name in sys.argv[1:]:
        with open(name, "rb") as file: start = file.read(1 << 16)
        print(gio.g_content_type_guess(name.encode(), start, ctypes.c_size_t(len(start)), None).decode())
      """
    // A raw stream has no type, and GIF is an image format, which desktops handle themselves.
    let clips = FixtureManifest.withCover.map(\.file).filter { !$0.hasSuffix(".h264") && !$0.hasSuffix(".gif") }
    let python = try await Program.runTool("python3", ["-c", script] + clips, in: ProjectFolder.fixtures)
    let found = python.text.split(separator: "\n").map(String.init)
    try #require(found.count == clips.count, "\(python.errorOutput)")
    for (clip, type) in zip(clips, found) { #expect(types.contains(type), "\(clip)") }
  }

  @Test(
    "Every type of the entry is in the shared MIME database",
    .enabled(if: Scope.isFull),
    .enabled(if: hasTypes, "GIO or the shared MIME database is not on this machine")
  )
  func known() throws {
    let database = String(
      decoding: try ScratchFolder.read("/usr/share/mime/packages/freedesktop.org.xml"),
      as: UTF8.self
    )
    // The database has the AVI type since version 2.3; the Matroska types are registered by RFC 9559.
    let newer: Set = ["video/vnd.avi", "video/matroska", "video/matroska-3d"]
    // Newer databases have the older types as aliases.
    let unknown = types.subtracting(newer).filter { type in
      !["mime-type", "alias"].contains { database.contains("<\($0) type=\"\(type)\"") }
    }
    #expect(unknown.isEmpty && types.isSuperset(of: newer))
  }
}
