internal import ArgumentParser
internal import CoverService
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
  }

  private static func text(_ sandbox: SandboxState) -> String {
    guard sandbox.isComplete else { return "without \(sandbox.missingText)" }
    return "complete" + (sandbox.landlock.map { ", with Landlock ABI \($0)" } ?? "")
  }
}
