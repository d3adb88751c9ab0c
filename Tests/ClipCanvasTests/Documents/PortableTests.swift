import SystemPackage
import TestSupport
import Testing

@Suite("make portable")
struct PortableTests {
  private let scratch: ScratchFolder

  /// Makes a folder with the parts of FFmpeg's source that name its demuxers and decoders, and an allow-list.
  init() throws {
    scratch = try ScratchFolder()
    for folder in ["ffmpeg", "ffmpeg/libavformat", "ffmpeg/libavcodec", "ffmpeg/libavcodec/aac"] {
      try FilePath.makeFolder(scratch(folder))
    }
    let configure = """
      #!/bin/sh
      case $1 in
        --list-demuxers) printf 'mov\\timage_png_pipe   vc1t\\nmatroska\\n' ;;
        --list-decoders) printf 'aac\\tlibvpx_vp9\\nh264\\n' ;;
      esac
      """
    try scratch.write(configure.utf8, as: "ffmpeg/configure")
    let texts = [
      "RELEASE": "7.1.5\n",
      "libavformat/mov.c": "const FFInputFormat ff_mov_demuxer = {\n    .p.name = \"mov,mp4\",\n};\n",
      "libavformat/vc1test.c": "const FFInputFormat ff_vc1t_demuxer = {\n    .p.name         = \"vc1test\",\n};\n",
      "libavcodec/libvpxdec.c": "const FFCodec ff_libvpx_vp9_decoder = {\n    .p.name = \"libvpx-vp9\",\n};\n",
      "libavcodec/aac/aacdec.c": "const FFCodec ff_aac_decoder = {\n    .p.name = \"aac\",\n};\n",
    ]
    for (name, text) in texts { try scratch.write(text.utf8, as: "ffmpeg/\(name)") }
  }

  /// Returns what configure's names are for the containers, decoders and sound decoders of an allow-list.
  private func components(_ containers: String, _ decoders: String) async throws -> ProgramResult {
    let list = """
      static const char *const containers[] = {\(containers)};
      static const char *const decoders[] = {\(decoders)};
      // A comment with "quotes".
      static const char *const sound_decoders[] = {
          "aac", // "opus"
      };
      """
    try scratch.write(list.utf8, as: "allow_list.c")
    _ = try await Program.runTool("chmod", ["+x", scratch("ffmpeg/configure").string])
    let script = """
      import sys
      from pathlib import Path
      sys.dont_write_bytecode = True
      sys.path.insert(0, sys.argv[1])
      import allowed
      for names in allowed.components(Path(sys.argv[2]), Path(sys.argv[3])): print(*names)
      """
    let folder = ProjectFolder.top.appending("Packaging").appending("portable")
    return try await Program.runTool(
      "python3",
      ["-c", script, folder.string, scratch("ffmpeg").string, scratch("allow_list.c").string]
    )
  }

  @Test("The names on the allow-list become the names that FFmpeg's configure has for them")
  func names() async throws {
    let result = try await components(
      #""mov,mp4", "vc1test", "png_pipe","#,
      #""h264", "libvpx-vp9", "libaom-av1""#
    )
    #expect(result.text == "mov vc1t image_png_pipe\nh264 libvpx_vp9 aac\n", "\(result.errorOutput)")
  }

  @Test("A name that only newer versions of FFmpeg have is left out of older ones, and required of newer ones")
  func newer() async throws {
    for release in ["5.1", "7.1.5", "8.0"] {
      try scratch.write("\(release)\n".utf8, as: "ffmpeg/RELEASE")
      let result = try await components(#""mov,mp4", "webp_anim""#, #""h264", "webp_anim""#)
      #expect(result.text == "mov\nh264 aac\n", "\(release): \(result.errorOutput)")
    }
    for release in ["9.0", "9.0.1", "10.0"] {
      try scratch.write("\(release)\n".utf8, as: "ffmpeg/RELEASE")
      for (containers, kind) in [(#""mov,mp4", "webp_anim""#, "demuxer"), (#""mov,mp4""#, "decoder")] {
        let result = try await components(containers, #""h264", "webp_anim""#)
        #expect(result.exitStatus == 1 && result.errorOutput.contains("no \(kind) named webp_anim"), "\(release)")
      }
    }
  }

  @Test(
    "A name that FFmpeg does not have stops the build",
    arguments: [
      (#""mov,mp4", "mpeg""#, #""h264""#, "FFmpeg has no demuxer named mpeg"),
      (#""mov,mp4""#, #""h264", "nonsense""#, "FFmpeg has no decoder named nonsense"),
      ("", #""h264""#, "no list named containers"),
    ]
  )
  func unknown(_ containers: String, _ decoders: String, _ message: String) async throws {
    let result = try await components(containers, decoders)
    #expect(result.exitStatus == 1 && result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  /// Writes shell scripts into the folder `bin`; an empty one is left out.
  private func write(programs: [String: String]) async throws {
    try FilePath.makeFolders(scratch("bin"))
    for (name, text) in programs where !text.isEmpty {
      try scratch.write("#!/bin/sh\n\(text)\n".utf8, as: "bin/\(name)")
      _ = try await Program.runTool("chmod", ["+x", scratch("bin/\(name)").string])
    }
  }

  /// Runs the build with stand-ins for all programs that it runs; an empty one is missing.
  private func build(_ programs: [String: String] = [:]) async throws -> ProgramResult {
    let tools = ["apt-get", "apt-cache", "dpkg-source", "make", "nasm", "meson", "ninja", "pkg-config"]
    let apt = """
      case $* in
        *indextargets*) printf 'Debian %s http://127.0.0.1:1/debian\\n' bookworm bookworm-security ;;
        *update*) echo 'E: no way to 127.0.0.1:1' >&2; exit 100 ;;
      esac
      """
    let usual = ["apt-get": apt, "cc": "echo /usr/lib/\"${1#*=}\""]
    var texts = usual.merging(programs) { $1 }
    for tool in tools { texts[tool] = texts[tool] ?? "exit 0" }
    try await write(programs: texts)
    let script = ProjectFolder.top.appending("Packaging/portable/ffmpeg.py").string
    let words = ["-c", "PATH=$0 exec \(Program.python) $1 $2", scratch("bin").string, script, scratch("made").string]
    let result = try await Program.runTool("sh", words)
    #expect(result.exitStatus == 1 && !result.errorOutput.contains("Traceback"), "\(result.errorOutput)")
    return result
  }

  @Test(
    "What a build lacks is named, with what to install or to check",
    arguments: [
      ("nasm", "", "nasm is missing; install nasm"), ("apt-get", "", "apt-get is missing; install apt"),
      (
        "cc", "case $1 in *vpx*) echo libvpx.a ;; *) echo /usr/lib/a.a ;; esac",
        "libvpx.a is missing on this machine; install libvpx-dev"
      ),
      ("apt-get", "exit 0", "apt has no source for Debian's archive on this machine"),
      (
        "apt-get", "echo Debian bookworm http://127.0.0.1:1/debian",
        "apt has no source for Debian's security archive on this machine"
      ),
    ]
  )
  func lacking(_ program: String, _ text: String, _ message: String) async throws {
    let result = try await build([program: text])
    #expect(result.errorOutput.hasPrefix("portable: \(message)"), "\(result.errorOutput)")
  }

  @Test("Without a network, the sources that were downloaded before are used, if there are any")
  func offline() async throws {
    let first = try await build()
    #expect(first.errorOutput.hasPrefix("portable: cannot download the list of Debian's sources; check the network:"))
    #expect(first.errorOutput.contains("E: no way to 127.0.0.1:1"), "\(first.errorOutput)")
    try scratch.write([], as: "made/apt/lists/127.0.0.1:1_debian_dists_trixie_main_source_Sources")
    let second = try await build()
    #expect(second.text == "portable: cannot look for newer sources (no network?); using those downloaded before\n")
    // The list is empty here.
    #expect(second.errorOutput == "portable: Debian trixie has no source package ffmpeg\n", "\(second.errorOutput)")
  }

  @Test(
    "The script that installs the archive refuses systems and folders where the programs would not run",
    arguments: [
      ("getconf", "echo glibc 2.31", "/tmp", "and this system has glibc 2.31; build it from source here"),
      ("getconf", "echo glibc 2.4", "/tmp", "and this system has glibc 2.4; build it from source here"),
      ("getconf", "exit 1", "/tmp", "and this system has another C library"),
      ("uname", "echo riscv64", "/tmp", "these programs are for x86_64, and this machine is riscv64"),
      ("true", "exit 0", "/etc/passwd/tools", "/etc/passwd is not a folder; choose another with --prefix"),
    ]
  )
  func refusals(_ program: String, _ script: String, _ prefix: String, _ message: String) async throws {
    let source = try ScratchFolder.read(ProjectFolder.top.appending("Packaging/portable/install"))
    var text = String(decoding: source, as: UTF8.self)
    for (word, value) in [("GLIBC", "2.36"), ("ARCHITECTURE", "x86_64"), ("VERSION", "1"), ("HELPERS", "helper")] {
      text = text.replacing("@\(word)@", with: value)
    }
    try scratch.write(text.utf8, as: "install")
    let usual = ["getconf": "echo glibc 2.36", "uname": "echo x86_64"]
    try await write(programs: usual.merging([program: script]) { $1 })
    let words = [
      "-c", "PATH=$0:$PATH exec sh $1 --prefix $2", scratch("bin").string, scratch("install").string, prefix,
    ]
    let result = try await Program.runTool("sh", words)
    #expect(result.exitStatus == 1 && result.text.isEmpty, "\(result.text)")
    #expect(
      result.errorOutput.hasPrefix("install: ") && result.errorOutput.hasSuffix("\(message)\n"),
      "\(result.errorOutput)"
    )
  }
}
