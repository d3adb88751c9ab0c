import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// VP9 whose packets hold a frame for each of several sizes, as video calls send them: the largest is shown.
@Suite("Spatial layers of VP9")
struct SpatialLayerTests {
  private struct Facts: Decodable {
    let storedWidth, storedHeight: Int?
    let actualTime: Double?
  }

  /// The header of an IVF file, and its packets with their times.
  private static func packets(_ file: [UInt8]) -> (header: [UInt8], packets: [(time: [UInt8], data: [UInt8])]) {
    var (rest, packets) = (file.dropFirst(32), [(time: [UInt8], data: [UInt8])]())
    while rest.count > 12 {
      let size = rest.prefix(4).littleEndian
      packets.append((Array(rest.dropFirst(4).prefix(8)), Array(rest.dropFirst(12).prefix(size))))
      rest = rest.dropFirst(12 + size)
    }
    return (Array(file.prefix(32)), packets)
  }

  /// Makes a clip of several layers, each a clip of key frames; the last one is the largest.
  private static func make(_ name: String, widths: [Int], in scratch: ScratchFolder) async throws {
    var layers: [[[UInt8]]] = []
    var (header, times): ([UInt8], [[UInt8]]) = ([], [])
    for width in widths {
      let source = "testsrc2=s=\(width)x\(width * 9 / 16):r=25:d=2"
      let coding = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "1", "-pix_fmt", "yuv420p"]
      try await TestClip.make("\(width).ivf", inputs: [source], coding, in: scratch)
      let layer = packets(Array(try ScratchFolder.read(scratch("\(width).ivf"))))
      (header, times) = (layer.header, layer.packets.map(\.time))
      layers.append(layer.packets.map(\.data))
    }
    var file = header
    for (number, time) in times.enumerated() {
      let frames = layers.map { $0[number] }
      // The index of a superframe: sizes of four bytes between two markers.
      let marker = UInt8(0b1100_0000 | 3 << 3 | (frames.count - 1))
      let packet = frames.flatMap(\.self) + [marker] + frames.flatMap { littleEndian($0.count) } + [marker]
      file += littleEndian(packet.count) + time + packet
    }
    try scratch.write(file, as: name)
  }

  @Test(
    "The largest layer is the picture everywhere",
    arguments: Scope.pairs([[160, 320, 640], [320, 640], [640]], ["ivf", "webm"])
  )
  func largest(_ widths: [Int], _ ending: String) async throws {
    let scratch = try ScratchFolder()
    try await Self.make("a.ivf", widths: widths, in: scratch)
    let name = "a.\(ending)"
    if ending != "ivf" {
      let made = try await Program.runTool(
        "ffmpeg",
        ["-v", "error", "-i", "a.ivf", "-c", "copy", name],
        in: scratch.path
      )
      try #require(made.exitStatus == 0, "\(made.errorOutput)")
    }
    for command in [
      ["cover", "--at", "first"], ["cover", "--at", "0"], ["cover", "--at", "1"], ["cover", "--at", "key:1"],
      ["cover", "--size", "100"], ["sheet", "--exact"], ["probe"],
    ] {
      let output = command[0] == "probe" ? [] : ["--force", "-o", "c.png"]
      let result = try await Program.run("clipcanvas", command + ["--json"] + output + [name], in: scratch.path)
      let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
      #expect(facts.storedWidth == 640 && facts.storedHeight == 360, "\(command): \(facts)")
      guard command.contains("--at"), let time = facts.actualTime else { continue }
      let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
      let select = ["-vf", "select='eq(n,\(Int((time * 25).rounded())))'"]
      let difference = try #require(PixelDifference(pixels, try await Oracle.pixels(of: scratch("640.ivf"), select)))
      #expect(difference.decibels >= 40, "\(command): \(difference)")
    }
  }
}
