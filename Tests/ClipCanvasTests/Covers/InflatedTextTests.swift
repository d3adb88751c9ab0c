import SystemPackage
import TestSupport
import Testing

/// Pictures with a text or colour profile of 512 KB that takes 512 MB when it is inflated.
@Suite("Texts in PNG pictures are not inflated")
struct InflatedTextTests {
  /// Writes a PNG or APNG of 16×16 pixels with a chunk that inflates to 512 MB: in front of the pixels, and in an
  /// APNG also between its frames.
  private static let writer = #"""
    import struct, sys, zlib
    name, path = sys.argv[1].encode(), sys.argv[2]
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    # The same block 512 times, which is quicker than to compress as much.
    zeros, deflate, check = bytes(1 << 20), zlib.compressobj(9, zlib.DEFLATED, -15), 1
    block = deflate.compress(zeros) + deflate.flush(zlib.Z_FULL_FLUSH)
    for _ in range(512): check = zlib.adler32(zeros, check)
    bomb = b"\x78\xda" + block * 512 + b"\x03\0" + struct.pack(">I", check)
    start = {b"zTXt": b"Comment\0\0", b"iTXt": b"Comment\0\1\0\0\0", b"iCCP": b"icc\0\0"}[name]
    bomb = chunk(name, start + bomb)
    pixels = zlib.compress((b"\0" + b"\xff\x80\0" * 16) * 16)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
    if path.endswith(".apng"):
        control = lambda number: chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 16, 16, 0, 0, 1, 25, 0, 0))
        file += chunk(b"acTL", struct.pack(">II", 2, 0)) + bomb + control(0) + bomb + chunk(b"IDAT", pixels)
        file += control(1) + bomb + chunk(b"fdAT", struct.pack(">I", 2) + pixels)
    else:
        file += bomb + chunk(b"IDAT", pixels) + bomb
    open(path, "wb").write(file + chunk(b"IEND", b""))
    """#

  /// Runs a command and writes the largest memory of one of its processes, in KiB, after its output.
  private static let measure = """
    import resource, subprocess, sys
    status = subprocess.run(sys.argv[1:]).returncode
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    sys.exit(status)
    """

  private func expectLittleMemory(_ clip: String, _ options: [String] = [], in scratch: ScratchFolder) async throws {
    let cover = ["cover", "--force", "-o", "cover.png"]
    // The second command also analyses the streams.
    for command in options.isEmpty ? [cover, cover + ["--at", "0"], ["probe"]] : [cover + options] {
      let program = ProjectFolder.program("clipcanvas").string
      let result = try await Program.runTool(
        "python3",
        ["-c", Self.measure, program] + command + [clip],
        in: scratch.path
      )
      #expect(result.exitStatus == 0, "\(clip): \(result.errorOutput)")
      let kibibytes = try #require(result.text.split(separator: "\n").last.flatMap { Int($0) })
      #expect(kibibytes < 256 << 10, "\(clip), \(command): \(kibibytes) KiB")
    }
  }

  @Test(
    "They take no memory in a picture, an animation, a clip or as artwork",
    .enabled(if: Scope.isFull),
    arguments: ["zTXt", "iTXt", "iCCP"]
  )
  func bombs(_ chunk: String) async throws {
    let scratch = try ScratchFolder()
    for path in ["a.png", "a.apng"] {
      let made = try await Program.runTool("python3", ["-c", Self.writer, chunk, path], in: scratch.path)
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
      try await expectLittleMemory(path, in: scratch)
    }
    for clip in ["a.mov", "a.mkv", "a.avi", "a.nut"] {
      let made = try await Program.runTool(
        "ffmpeg",
        ["-nostdin", "-v", "error", "-i", "a.png", "-c", "copy", clip],
        in: scratch.path
      )
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
      try await expectLittleMemory(clip, in: scratch)
    }
    for clip in ["a.mp3", "a.flac", "a.m4a"] {
      let made = try await Program.runTool(
        "ffmpeg",
        ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.1", "-i", "a.png", "-map", "0", "-map", "1"]
          + ["-c:v", "copy", "-disposition:v:0", "attached_pic", clip],
        in: scratch.path
      )
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
      try await expectLittleMemory(clip, ["--embedded", "prefer"], in: scratch)
    }
  }

  @Test("The facts of an animation come from its header")
  func animation() async throws {
    let scratch = try ScratchFolder()
    for (format, expected) in [("rgb24", "rgb24"), ("rgba", "rgba"), ("gray", "gray"), ("rgb48be", "rgb48be")] {
      let made = try await Program.runTool(
        "ffmpeg",
        [
          "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=20x10:r=5:d=0.6", "-pix_fmt", format,
          "a.apng",
        ],
        in: scratch.path
      )
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
      let result = try await Program.run("clipcanvas", ["probe", "--json", "a.apng"], in: scratch.path)
      #expect(result.text.contains("\"pixelFormat\":\"\(expected)\"") && result.text.contains("\"shownWidth\":20"))
    }
  }
}
