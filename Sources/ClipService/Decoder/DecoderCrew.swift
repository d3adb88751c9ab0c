/// Several decoders that take clips from one queue.
struct DecoderCrew: Sendable {
  let decoders: [RestartingDecoder]

  /// Creates decoders, at least one.
  ///
  /// - Throws: ``ServiceError`` if too few files can be open for so many.
  init(_ count: Int, makeDecoder: () -> RestartingDecoder) throws(ServiceError) {
    let count = max(1, count)
    try DescriptorLimit.makeRoom(forDecoders: count)
    decoders = (0..<count).map { _ in makeDecoder() }
  }

  /// Does work with the clips of a queue, and shuts the decoders down when it has ended.
  ///
  /// If the task is cancelled, the queue is stopped, and the decoders are shut down at once.
  func run(_ clips: ClipQueue, _ work: () async throws(ServiceError) -> Void) async throws(ServiceError) {
    let result = await handlingCancellation(work) {
      clips.stop()
      for decoder in decoders {
        Task { await decoder.shutDown() }
      }
    }
    for decoder in decoders {
      await decoder.shutDown()
    }
    try result.get()
  }

  /// Does the same work with each decoder in parallel.
  func each(
    _ work: @escaping @Sendable (RestartingDecoder) async throws(ServiceError) -> Void
  ) async throws(ServiceError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for decoder in decoders {
          group.addTask { try await work(decoder) }
        }
        try await group.waitForAll()
      }
    } catch {
      throw error as? ServiceError ?? ServiceError("\(error)")
    }
  }
}
