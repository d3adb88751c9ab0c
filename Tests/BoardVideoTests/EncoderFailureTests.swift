import SystemPackage
import TestSupport
import Testing

/// Exports with a function of libavcodec replaced, as if the encoder were missing or broke down.
@Suite("Encoders that are missing or fail")
struct EncoderFailureTests {
  private static let missing = """
    #include <stddef.h>
    const void *avcodec_find_encoder_by_name(const char *name) { (void)name; return NULL; }
    """

  private static func failing(code: String) -> String {
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stddef.h>
    int avcodec_send_frame(void *context, const void *frame) {
        static int count;
        int (*real)(void *, const void *) = (int (*)(void *, const void *))dlsym(RTLD_NEXT, "avcodec_send_frame");
        return ++count > 10 ? \(code) : real(context, frame);
    }
    """
  }

  @Test(
    "They are reported with what to do, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: [
      (missing, "the installed libavcodec has no encoder libx264; install an FFmpeg with x264 and AAC"),
      (failing(code: "-ENOMEM"), "out of memory; export the clips one after another with --order sequence"),
      (failing(code: "-EINVAL"), "cannot encode the video"),
    ]
  )
  func reported(_ source: String, _ message: String) async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let tone = "sine=r=48000:d=1"
    try await board.bring("a.mp4", to: "c1", video: "testsrc2=size=160x90:rate=30:duration=1", sound: tone)
    let composer = try await PreloadedProgram.make("clipcanvas-composer", with: source, in: board.scratch)
    try ScratchFolder.write(Array("old".utf8), to: board.scratch("out.mp4"))
    let before = try FolderTree(below: board.scratch.path)
    let result = try await Program.run(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--size", "320x90", "--force"],
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    #expect(result.exitStatus == 2 && result.errorOutput.contains(message), "\(result.errorOutput)")
    #expect(try FolderTree(below: board.scratch.path) == before)
  }
}
