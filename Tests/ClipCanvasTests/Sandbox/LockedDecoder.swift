import Covers
import DecoderWire
import Subprocess
import SystemPackage
import TestSupport

/// A decoder process that has sent its hello and waits for a request.
enum LockedDecoder {
  /// Starts a decoder, inspects it while it waits, and returns how it ended.
  ///
  /// The soft limit on core files is raised to the hard limit before it starts.
  ///
  /// - Parameter request: A final request and its descriptor; its reply is awaited.
  static func run(
    sandbox: String,
    as user: DecoderUser = .oneself,
    in scratch: ScratchFolder,
    request: (DecoderRequest, FileDescriptor)? = nil,
    _ look: @Sendable (_ process: Int32, _ hello: ProgramHello) async throws -> Void
  ) async throws -> TerminationStatus {
    let (ours, theirs) = try WireSocket.makePair()
    let lifeline = try WireSocket.makePair()
    defer { try? lifeline.ours.close() }
    let command = try await user.command(in: scratch) + ["--sandbox", sandbox]
    return try await Subprocess.run(
      .path("/bin/sh"),
      arguments: Arguments(["-c", #"ulimit -c "$(ulimit -H -c)"; exec "$0" "$@""#] + command),
      workingDirectory: scratch.path,
      input: .fileDescriptor(theirs, closeAfterSpawningProcess: true),
      output: .fileDescriptor(lifeline.theirs, closeAfterSpawningProcess: true),
      error: .discarded
    ) { execution in
      var socket = WireSocket(takingOwnershipOf: ours, acceptsDescriptors: false)
      let hello = try socket.receive(ProgramHello.self, by: .now + .seconds(60)).message
      try await look(execution.processIdentifier.value, hello)
      if let request {
        try socket.send(request.0, descriptors: [request.1])
        _ = try? socket.receive(DecoderReply.self, by: .now + .seconds(60))
      }
    }.terminationStatus
  }
}
