internal import Covers

/// Sends one message of each kind to nobody.
///
/// The first JSON of a process takes milliseconds, in which Swift looks up types and their conformances. So each side does
/// that while it would wait for the other: a single cover took 52 to 53 instead of 54 to 55 ms.
package enum WireRehearsal {
  /// To be used by the parent while the decoder starts; only the first use does anything.
  package static let ofParent: Void = {
    rehearse(
      DecoderHello(version: "", libraries: ["": ""], sandbox: SandboxState(holds: [""], landlock: 0, missing: []))
    )
    rehearse(request)
    rehearse(reply)
  }()

  /// To be used by the decoder while the parent reads its greeting; only the first use does anything.
  package static let ofDecoder: Void = {
    rehearse(request)
    rehearse(reply)
  }()

  private static let request = DecoderRequest(
    number: 0,
    deadlineMilliseconds: 0,
    work: .cover(CoverRequest(), texts: [PNGText(.software, "")])
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

  private static func rehearse<Message: Codable>(_ message: Message) {
    guard let line = try? CanonicalJSON.line(message) else { return }
    _ = try? CanonicalJSON.decode(Message.self, from: line)
  }
}
