internal import CoverDecoding
internal import Covers
internal import DecoderWire
internal import Glibc

/// The decoder program.
package enum DecoderProgram {
  /// Runs the program with the arguments of this process.
  package static func run() -> Never {
    let program = SandboxedProgram(name: "clipcanvas-decoder", profile: .decoder, libraries: Libraries.versions)
    program.run { socket in
      ProcessSandbox.setUpHeap()
      WireWarmUp.ofDecoder
      let handler = RequestHandler()
      while true {
        try serve(&socket, with: handler)
      }
    }
  }

  private static func serve(_ socket: inout WireSocket, with handler: RequestHandler) throws(WireError) {
    let (request, descriptors) = try socket.receive(DecoderRequest.self)
    // If the work hangs and the parent no longer exists, the alarm ends this process.
    alarm(UInt32(clamping: request.deadlineMilliseconds / 1000 + 2))
    let result = handler.perform(request, descriptors: descriptors)
    handler.close(descriptors)
    alarm(SandboxedProgram.maximumIdleSeconds)
    try socket.send(DecoderReply(number: request.number, result: result))
  }
}
