internal import CoverDecoding
internal import Covers
internal import DecoderWire
internal import Glibc
internal import SystemPackage
internal import WorkerProgram

/// The composer program, which writes one video and ends.
package enum ComposerProgram {
  /// Runs the program with the arguments of this process.
  package static func run() -> Never {
    ProcessSandbox.avoidHugePages()
    let program = SandboxedProgram(name: "clipcanvas-composer", profile: .composer, libraries: Libraries.versions)
    program.run { socket in
      let (request, files) = try socket.receive(ComposerRequest.self)
      guard files.count == request.work.fileCount, (1...ComposerRequest.maximumClips).contains(request.clips) else {
        throw WireError.invalidMessage("a request without its files or clips")
      }
      try ProcessSandbox.lowerLimits(fileBytes: request.fileBytes, tasks: request.tasks)
      var clips: [FileDescriptor] = []
      while clips.count < request.clips {
        clips += try socket.receive(ComposerClips.self).descriptors
      }
      do {
        switch request.work {
        case .remux(let remux): try copy(clips, into: files[0], remux, request, socket)
        case .measure: try measure(clips, request, socket)
        case .compose(let video): try compose(clips, files, video, request, socket)
        }
      } catch let error as CopyFailure {
        try socket.send(ComposerReply.failure(error.failure, clip: error.clip))
      } catch let failure as CoverFailure {
        try socket.send(ComposerReply.failure(failure, clip: nil))
      }
    }
  }

  private static func copy(
    _ clips: [FileDescriptor],
    into output: FileDescriptor,
    _ remux: RemuxRequest,
    _ request: ComposerRequest,
    _ socket: borrowing WireSocket
  ) throws {
    // No picture is made, so the heap may contain data of another clip.
    alarm(request.patience)
    let cut = try cut(clips, remux, request)
    if cut != nil { try socket.send(ComposerReply.measuring(clips: 1)) }
    alarm(request.patience)
    var copy = try StreamCopy(
      of: clips.map(\.rawValue),
      into: output.rawValue,
      remux,
      cut: cut,
      deadline: request.deadline
    )
    while try copy.step(bytes: ComposerReply.bytesBetweenReports) {
      alarm(request.patience)
      try socket.send(ComposerReply.progress(bytes: copy.bytesRead))
    }
    alarm(request.patience)
    let facts = try copy.finish()
    try socket.send(ComposerReply.remuxed(facts))
  }

  /// Finds the part of the clip that is copied; `nil` if all is.
  private static func cut(
    _ clips: [FileDescriptor],
    _ remux: RemuxRequest,
    _ request: ComposerRequest
  ) throws(CopyFailure) -> ClipCut? {
    guard let clip = clips.first else { return nil }
    // All of its work together may take as long as a step of the copy.
    let limits = ClipDecoder.Limits(deadline: request.deadline / 4)
    do throws(CoverFailure) {
      return try ClipCut(of: remux, in: clip.rawValue, limits: limits)
    } catch {
      throw CopyFailure(failure: error, clip: 0)
    }
  }

  // MARK: - Composing

  private static func measure(
    _ clips: [FileDescriptor],
    _ request: ComposerRequest,
    _ socket: borrowing WireSocket
  ) throws {
    var measured: [MeasuredClip] = []
    for clip in clips {
      alarm(request.patience)
      measured.append(MeasuredClip(measuring: clip.rawValue, deadline: request.deadline))
      // The parent waits for each clip as long as for one.
      try socket.send(ComposerReply.measuring(clips: measured.count))
    }
    try socket.send(ComposerReply.measured(measured))
  }

  private static func compose(
    _ clips: [FileDescriptor],
    _ files: [FileDescriptor],
    _ video: VideoRequest,
    _ request: ComposerRequest,
    _ socket: borrowing WireSocket
  ) throws {
    alarm(request.patience)
    var composition = try open(clips, files, video, request)
    // From here on clips are decoded. The encoder was opened before, because much of its memory is never used, and would
    // be filled.
    ProcessSandbox.setUpHeap()
    while case let frames = composition.frames,
      try composition.step(frames: ComposerReply.framesBetweenReports(after: frames))
    {
      alarm(request.patience)
      // At the beginning, clips are opened and the encoder gets its memory; what is free in between is given back.
      if frames < 10 { ProcessSandbox.giveBackMemory() }
      try socket.send(ComposerReply.composing(frames: composition.frames, bytes: composition.bytes))
    }
    alarm(request.patience)
    let facts = try composition.finish()
    try socket.send(ComposerReply.composed(facts))
  }

  private static func open(
    _ clips: [FileDescriptor],
    _ files: [FileDescriptor],
    _ video: VideoRequest,
    _ request: ComposerRequest
  ) throws -> VideoComposition {
    let count = Int(try files[1].seek(offset: 0, from: .end))
    let start = count > 0 ? mmap(nil, count, PROT_READ, MAP_PRIVATE, files[1].rawValue, 0) : nil
    guard count == 0 || start != MAP_FAILED else { throw Errno(rawValue: errno) }
    defer { if let start { munmap(start, count) } }
    return try VideoComposition(
      of: video,
      clips: clips.map(\.rawValue),
      pictures: UnsafeRawBufferPointer(start: start, count: count),
      into: files[0].rawValue,
      deadline: request.deadline
    )
  }
}

extension ComposerRequest {
  fileprivate var deadline: Duration { .milliseconds(deadlineMilliseconds) }

  /// The seconds until an alarm ends this process, if the work hangs and the parent no longer exists.
  fileprivate var patience: UInt32 { UInt32(clamping: deadlineMilliseconds / 1000 + 2) }
}

extension ComposerRequest.Work {
  /// The number of files that are sent along with the request.
  fileprivate var fileCount: Int {
    switch self {
    case .remux: 1
    case .measure: 0
    case .compose: 2
    }
  }
}
