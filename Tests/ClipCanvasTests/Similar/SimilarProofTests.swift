import TestSupport
import Testing

@Suite("Copies are found, and different clips are kept apart")
struct SimilarProofTests {
  /// Returns one of many sources of pictures that do not look alike.
  private static func source(_ number: Int) -> String {
    let seed = number / 5 + 1
    switch number % 5 {
    case 0:
      let place = "start_x=\(-0.7 + 0.013 * Double(seed)):start_y=\(0.27 - 0.011 * Double(seed))"
      return "mandelbrot=s=192x108:r=10:\(place):start_scale=\(3.0 / Double(seed)):end_scale=0.01:end_pts=60"
    case 1: return "cellauto=s=48x27:r=10:rule=\(18 + 4 * seed):random_seed=\(seed),scale=192:108:flags=neighbor"
    case 2: return "life=s=32x18:r=10:mold=20:random_seed=\(seed),scale=192:108:flags=neighbor"
    case 3:
      // A small random picture, enlarged, that changes slowly.
      let noise = "st(0,sin(X*12.9898+Y*78.233+\(seed)*3.7)*43758.5453);(ld(0)-floor(ld(0)))*(200+40*sin(N*0.1+X+Y))"
      return "nullsrc=s=8x5:r=10,geq=lum='\(noise)':cb=128:cr=128,scale=192:108:flags=bicubic"
    default:
      let wave = "sin(X*\(0.02 * Double(seed) + 0.03)+N*0.1)*cos(Y*\(0.3 - 0.012 * Double(seed))-N*0.07)"
      return "nullsrc=s=192x108:r=10,geq=lum='128+100*\(wave)':cb=128:cr=128"
    }
  }

  /// Ways to make a copy: other sizes, codecs, bit rates and containers.
  private static let copies: [(fileExtension: String, options: [String])] = [
    ("mkv", ["-vf", "scale=96:54", "-c:v", "libx264", "-crf", "32", "-preset", "ultrafast"]),
    ("avi", ["-vf", "scale=128:72", "-c:v", "mpeg4", "-b:v", "120k"]),
    ("webm", ["-c:v", "libvpx", "-b:v", "100k", "-deadline", "realtime", "-cpu-used", "8"]),
    ("ts", ["-r", "25", "-c:v", "mpeg2video", "-b:v", "300k"]),
    ("mov", ["-vf", "scale=288:162", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-q:v", "12"]),
  ]

  @Test("20 copies of 100 different clips", .enabled(if: Scope.isFull))
  func copies() async throws {
    let scratch = try ScratchFolder()
    for number in 0..<100 {
      let options = ["-frames:v", "20", "-c:v", "mpeg4", "-q:v", "2"]
      try await scratch.makeClip("\(number).mp4", of: Self.source(number), options)
    }
    for number in 0..<20 {
      let (fileExtension, options) = Self.copies[number / 5 % 4 == 3 ? 4 : (number + number / 5) % 5]
      let words = ["-v", "error", "-y", "-i", "\(number).mp4"] + options + ["\(number)-copy.\(fileExtension)"]
      let result = try await Program.runTool("ffmpeg", words, in: scratch.path)
      try #require(result.exitStatus == 0, "\(words): \(result.errorOutput)")
    }
    let similar = try await SimilarGroups(["."], in: scratch)
    try #require(similar.result.exitStatus == 0, "\(similar.result.errorOutput)")
    let groups = similar.paths.map { $0.map { $0.dropFirst(2).prefix { $0.isNumber } } }
    #expect(groups.allSatisfy { Set($0).count == 1 }, "\(similar.paths)")
    #expect(Set(groups.joined()).count >= 19, "\(similar.paths)")
  }
}
