import SystemPackage
import TestSupport
import Testing

/// Exports that let the composer leave out the loop filter of H.264, of a clip that is compressed so strongly that it
/// makes a difference.
@Suite("The loop filter of clips on an exported board")
struct ExportLoopFilterTests {
  /// Keeps the loop filter on, whatever the composer sets.
  private static let filtering = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    int avcodec_send_packet(void *context, const void *packet) {
        int (*real)(void *, const void *) = (int (*)(void *, const void *))dlsym(RTLD_NEXT, "avcodec_send_packet");
        int (*set)(void *, const char *, long, int) =
            (int (*)(void *, const char *, long, int))dlsym(RTLD_DEFAULT, "av_opt_set_int");
        set(context, "skip_loop_filter", 0, 0);
        return real(context, packet);
    }
    """

  /// Returns a board with a strongly compressed clip, of whose frames most are not referred to.
  private func board() async throws -> ExportBoard {
    let board = try await ExportBoard("--grid", "1x1")
    let options = ["-preset", "medium", "-crf", "42", "-bf", "3", "-x264-params", "b-pyramid=none:b-adapt=0"]
    let video = "mandelbrot=size=640x360:rate=30:start_scale=0.3:end_scale=0.1:end_pts=20,trim=end_frame=30"
    try await board.bring("a.mp4", to: "c1", video: video, options: options)
    return board
  }

  /// Exports the board as it is, and with the loop filter on.
  private func exported(_ board: ExportBoard, _ size: String) async throws -> (usual: [UInt8], filtered: [UInt8]) {
    let composer = try await PreloadedProgram.make("clipcanvas-composer", with: Self.filtering, in: board.scratch)
    try await board.export(["--size", size])
    let result = try await Program.run(
      "clipcanvas",
      ["board", "export", "--quality", "100", "-o", "filtered.mp4", "--size", size],
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return (
      try ScratchFolder.read(board.scratch("out.mp4")), try ScratchFolder.read(board.scratch("filtered.mp4"))
    )
  }

  /// Decodes the clip with ffmpeg, at the size of the small canvas.
  private func decoded(_ board: ExportBoard, _ options: [String] = []) async throws -> [Planes] {
    let filter = "scale=316:178:flags=bicubic,crop=316:176:0:1"
    let words = options + ["-i", "a.mp4", "-vf", filter, "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"]
    let bytes = try await board.ffmpeg(words)
    let count = 316 * 176 * 3 / 2
    return stride(from: 0, to: bytes.count - count + 1, by: count).map { start in
      Planes(width: 316, height: 176, bytes: Array(bytes[start..<start + count]))
    }
  }

  @Test("At half the size, it is left out where no frame is predicted from the result, and the difference is small")
  func small() async throws {
    let board = try await board()
    let (usual, filtered) = try await exported(board, "320x180")
    #expect(usual != filtered)
    let (with, without) = (try await decoded(board), try await decoded(board, ["-skip_loop_filter", "noref"]))
    func frames(_ name: String) async throws -> [Planes] {
      let frames = try await board.frames(of: name, width: 320, height: 180)
      return frames.map { $0.part(x: 2, y: 2, width: 316, height: 176) }
    }
    let (frames, others) = (try await frames("out.mp4"), try await frames("filtered.mp4"))
    try #require([with.count, without.count, frames.count, others.count].allSatisfy { $0 == 30 })
    let differences = zip(with, without).map { $0.quality(comparedWith: $1) }
    #expect(differences.allSatisfy { $0 >= 45 } && differences.count { $0 < 55 } >= 20, "\(differences)")
    for number in 0..<30 {
      func change(_ reference: [Planes]) -> Double {
        let reference = reference[number]
        return frames[number].quality(comparedWith: reference) - others[number].quality(comparedWith: reference)
      }
      #expect(frames[number].quality(comparedWith: with[number]) >= 34 && change(with) > -0.5, "\(number)")
      if differences[number] == 99 {
        #expect(abs(change(with)) < 0.1, "the filter was left out of frame \(number), which is a reference")
      } else {
        #expect(change(without) > change(with), "the filter was not left out of frame \(number)")
      }
    }
  }

  @Test("Above half the size, it is kept")
  func large() async throws {
    let (usual, filtered) = try await exported(try await board(), "640x360")
    // Not compared in the expectation, which would list all differences.
    let isSame = usual == filtered
    #expect(isSame)
  }
}
