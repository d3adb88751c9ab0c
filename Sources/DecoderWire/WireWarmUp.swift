internal import Covers

/// Encodes and decodes one message of each kind without sending it.
///
/// The first JSON message of a process takes milliseconds, because Swift looks up types and their conformances. Each
/// side does this while it would otherwise wait for the other: making a single cover took 52 to 53 ms instead of 54 to
/// 55.
package enum WireWarmUp {
  /// Used by the parent while the decoder starts; only the first use has an effect.
  package static let ofParent: Void = {
    warmUp(
      ProgramHello(version: "", libraries: ["": ""], sandbox: SandboxState(holds: [""], landlock: 0, missing: []))
    )
    warmUp(request)
    warmUp(reply)
  }()

  /// Used by the decoder while the parent reads its greeting; only the first use has an effect.
  package static let ofDecoder: Void = {
    warmUp(request)
    warmUp(reply)
  }()

  private static let request = DecoderRequest(
    number: 0,
    deadlineMilliseconds: 0,
    work: .cover(CoverRequest(), texts: [CoverText(.software, "")]),
    series: 0
  )

  private static let reply = DecoderReply(
    number: 0,
    result: .cover(
      CoverFacts(
        size: PixelSize(width: 1, height: 1),
        alpha: false,
        stored: PixelSize(width: 1, height: 1),
        orientation: .upright,
        sampleAspectRatio: Rational(1, over: 1),
        container: "",
        codec: "",
        pixelFormat: "",
        milliseconds: CoverFacts.StageTimes(open: 0, decode: 0, convert: 0, encode: 0)
      ),
      bytes: 0
    )
  )

  private static func warmUp<Message: Codable>(_ message: Message) {
    guard let line = try? CanonicalJSON.line(message) else { return }
    _ = try? CanonicalJSON.decode(Message.self, from: line)
  }
}
