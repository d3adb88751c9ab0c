internal import CoverDecoding
internal import Covers
internal import DecoderWire
internal import Glibc
internal import Sandboxing
internal import SystemPackage

/// The composer program, which writes one video and ends.
public enum ComposerProgram {
  /// Runs the program with the arguments of this process.
  public static func run() -> Never {
    let program = SandboxedProgram(name: "clipcanvas-composer", profile: .composer, libraries: Libraries.versions)
    program.run { socket in
      let (request, output) = try socket.receive(ComposerRequest.self)
      guard let output = output.first, (1...ComposerRequest.maximumClips).contains(request.clips) else {
        throw WireError.nonsense("a request without a file or clips")
      }
      var clips: [FileDescriptor] = []
      while clips.count < request.clips {
        clips += try socket.receive(ComposerClips.self).descriptors
      }
      do {
        switch request.work {
        case .remux(let remux): try copy(clips, into: output, remux, request, socket)
        }
      } catch let error as CopyFailure {
        try socket.send(ComposerReply.failure(error.failure, clip: error.clip))
      }
    }
  }

  /// The bytes that are copied between two messages.
  private static let stepBytes = 16 << 20

  private static func copy(
    _ clips: [FileDescriptor],
    into output: FileDescriptor,
    _ remux: RemuxRequest,
    _ request: ComposerRequest,
    _ socket: borrowing WireSocket
  ) throws {
    // If the work hangs and the parent no longer exists, the alarm ends this process.
    let patience = UInt32(clamping: request.deadlineMilliseconds / 1000 + 2)
    let deadline = Duration.milliseconds(request.deadlineMilliseconds)
    alarm(patience)
    var copy = try StreamCopy(of: clips.map(\.rawValue), into: output.rawValue, remux, deadline: deadline)
    while try copy.step(bytes: stepBytes) {
      alarm(patience)
      try socket.send(ComposerReply.progress(bytes: copy.bytesRead))
    }
    alarm(patience)
    let facts = try copy.finish()
    try socket.send(ComposerReply.remuxed(facts))
  }
}
