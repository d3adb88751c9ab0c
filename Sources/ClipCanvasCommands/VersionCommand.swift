internal import ArgumentParser
internal import ClipService
internal import Covers
internal import DecoderWire

/// `clipcanvas version`, the same as `clipcanvas --version`.
struct VersionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Show the versions of clipcanvas and FFmpeg's libraries, and the state of the sandbox.",
    usage: "clipcanvas version",
    shouldDisplay: false
  )

  func run() async throws {
    Console.print("clipcanvas \(ClipCanvasVersion.current)")
    let hello = try await CoverService(decoder: ProgramLocation.decoder.find()).decoderHello()
    for (library, version) in hello.libraries.sorted(by: { $0.key < $1.key }) {
      Console.print("\(library) \(version)")
    }
    Console.print("sandbox \(Self.text(hello.sandbox))")
    if let note = hello.libraries["libavcodec"].flatMap(Self.note(libavcodec:)) { Console.print("note: \(note)") }
  }

  /// Returns a note if a version of libavcodec belongs to an FFmpeg older or newer than those that were tested.
  ///
  /// FFmpeg 5.1 has libavcodec 59.37, and FFmpeg 9 has libavcodec 63.
  static func note(libavcodec version: String) -> String? {
    let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    let range = "clipcanvas was tested with FFmpeg 5.1 to 9"
    if numbers.lexicographicallyPrecedes([59, 37]) { return "this FFmpeg is older: \(range)" }
    return numbers[0] > 63 ? "this FFmpeg is newer: \(range)" : nil
  }

  private static func text(_ sandbox: SandboxState) -> String {
    guard sandbox.isComplete else { return "without \(sandbox.missingText)" }
    return "complete" + (sandbox.landlock.map { ", with Landlock ABI \($0)" } ?? "")
  }
}
