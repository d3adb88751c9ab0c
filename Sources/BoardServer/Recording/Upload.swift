internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import SystemPackage

/// A file that a browser sends, part by part.
final class Upload: Sendable {
  /// What becomes of the file.
  enum Purpose: Sendable {
    /// A segment of a take.
    case segment(TakeID, number: Int)
    /// A clip for a canvas.
    case clip(CanvasID, replaces: Bool, name: String)

    /// The take, if the file is a segment of one.
    var take: TakeID? {
      if case .segment(let take, _) = self { take } else { nil }
    }
  }

  /// The right to write the next part, until another request gets it.
  struct Turn: Equatable {
    fileprivate let number: Int
  }

  private struct State {
    /// The time that may pass between two signs of the browser.
    let lease: Duration
    /// The file; `nil` once it was removed, so that its room on the disk is free.
    var file: SystemPackage.FileDescriptor?
    var offset: Int
    var length: Int? = nil
    var metadata: String? = nil
    var turn = 0
    var renewed = ContinuousClock.now
    /// The time of the last sign before a gap that was too long, until ``Upload/takeLapse()`` is called.
    var lapsed: ContinuousClock.Instant?
    /// Whether the upload was finished or discarded.
    var isOver = false
    /// The answer to the request that finished the upload.
    var answer: JSON?

    var silence: Duration { ContinuousClock.now - renewed }
    var isRenewed: Bool { silence < lease }

    mutating func renew() {
      if !isRenewed { lapsed = lapsed ?? renewed }
      renewed = .now
    }
  }

  let id: String
  let purpose: Purpose
  let place: OutputPlace
  /// The guest that sends the file; `nil` for the owner of the board.
  let guest: Guest?
  private let maximumBytes: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - id: The name of the upload in its address.
  ///   - purpose: What becomes of the file.
  ///   - place: The place of the file, which does not exist yet; missing folders are created.
  ///   - length: The size of the whole file, if it is known.
  ///   - lease: The time that may pass between two signs of the browser.
  ///   - guest: The guest that sends the file; `nil` for the owner of the board.
  /// - Throws: The system's error; `fileExists` if anything has the name.
  init(
    _ id: String,
    for purpose: Purpose,
    at place: OutputPlace,
    length: Int?,
    lease: Duration,
    guest: Guest? = nil
  ) throws(FileReplacementError) {
    (self.id, self.purpose, self.place, self.guest) = (id, purpose, place, guest)
    maximumBytes = if case .segment = purpose { UploadLimits.takeBytes } else { UploadLimits.fileBytes }
    let file = try place.createNew(creatingFolders: .ownerReadWriteExecute)
    state = Mutex(State(lease: lease, file: file, offset: 0, length: length))
  }

  /// Continues a segment that an earlier run of the server received.
  ///
  /// The last sign of its browser is the last part that arrived.
  init(
    continuing id: String,
    for purpose: Purpose,
    at place: OutputPlace,
    lease: Duration
  ) throws(FileReplacementError) {
    (self.id, self.purpose, self.place, guest) = (id, purpose, place, nil)
    maximumBytes = UploadLimits.takeBytes
    let (file, bytes) = try place.openForUpdating()
    let changed = (try? FileStatus(of: file))?.modificationTime.totalNanoseconds
    let silence = changed.map { max(0, Instant.now.secondsSince1970 - Double($0) / 1e9) } ?? 0
    state = Mutex(State(lease: lease, file: file, offset: bytes, renewed: .now - .seconds(silence)))
  }

  deinit {
    state.withLock { try? $0.file?.close() }
  }

  /// The path of the file.
  var path: FilePath { place.path }

  /// The number of bytes that arrived.
  var offset: Int { state.withLock(\.offset) }

  /// The size of the whole file; `nil` while it is not known.
  var length: Int? { state.withLock(\.length) }

  /// The client's description of the file when it created the upload (`Upload-Metadata`).
  var metadata: String? { state.withLock(\.metadata) }

  /// Stores the client's description of the file.
  func setMetadata(_ metadata: String?) { state.withLock { $0.metadata = metadata } }

  /// Whether the upload was finished or discarded.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Whether a browser gave a sign recently.
  var isRenewed: Bool { state.withLock(\.isRenewed) }

  /// The time since the last sign from the browser.
  var silence: Duration { state.withLock(\.silence) }

  /// The answer to the request that finished the upload; `nil` if it is not finished.
  var answer: JSON? { state.withLock(\.answer) }

  /// Returns the time since the browser stopped giving signs in time; `nil` if it did not stop since the last call.
  ///
  /// A sign that comes too late does not undo the lapse, whichever of the two is noticed first.
  func takeLapse() -> Duration? {
    state.withLock { state in
      defer { state.lapsed = nil }
      if let lapsed = state.lapsed { return ContinuousClock.now - lapsed }
      return state.isRenewed ? nil : state.silence
    }
  }

  /// Notes a sign from the browser.
  func renew() { state.withLock { $0.renew() } }

  /// Ends the upload: nothing is written any more.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.turn += 1
    }
  }

  /// Removes the file, and frees its room on the disk.
  ///
  /// - Parameter answer: The answer for a browser that missed it and asks again.
  func remove(answering answer: JSON? = nil) {
    end()
    place.remove { _ in true }
    state.withLock { state in
      try? state.file?.close()
      (state.file, state.answer) = (nil, answer)
    }
  }

  /// Accepts no more bytes than those that arrived.
  func close() { state.withLock { $0.length = $0.offset } }

  /// Syncs the data that has arrived to the disk.
  func sync() throws(RequestFailure) {
    // Uses a duplicate, since this takes a while, and the file may be removed meanwhile.
    guard let file = state.withLock({ try? $0.file?.duplicate() }) else { throw Self.over }
    defer { try? file.close() }
    guard fdatasync(file.rawValue) == 0 else { throw RequestFailure(writing: Errno(rawValue: errno)) }
  }

  /// Gives the right to write at an offset; a request that had it before, and may hang, loses it.
  ///
  /// - Parameters:
  ///   - offset: The place of the part.
  ///   - bytes: The size of the part; `nil` if it is not known yet.
  ///   - length: The size of the whole file, if the client sends it with this part.
  func beginPart(at offset: Int, bytes: Int?, of length: Int? = nil) throws(RequestFailure) -> Turn {
    try state.withLock { state throws(RequestFailure) in
      guard !state.isOver else { throw Self.over }
      guard offset == state.offset else {
        throw RequestFailure(.conflict, "the upload continues at \(state.offset), not at \(offset)")
      }
      if let length { try check(length, in: state) }
      let end = length ?? state.length
      guard bytes ?? 0 <= (end ?? maximumBytes) - state.offset else { throw tooLarge(end) }
      // What is written to a file without a name is lost.
      guard let file = state.file, (try? FileStatus(of: file))?.nameCount ?? 0 > 0 else { throw Self.removed }
      state.length = end
      state.turn += 1
      state.renew()
      return Turn(number: state.turn)
    }
  }

  /// Says how large the whole file is.
  func setLength(_ length: Int) throws(RequestFailure) {
    try state.withLock { state throws(RequestFailure) in
      guard !state.isOver else { throw Self.over }
      try check(length, in: state)
      state.length = length
    }
  }

  private func check(_ length: Int, in state: State) throws(RequestFailure) {
    guard length >= state.offset, state.length ?? length == length else {
      throw RequestFailure(.conflict, "the upload has \(state.length ?? state.offset) bytes, not \(length)")
    }
    guard length <= maximumBytes else { throw tooLarge(nil) }
  }

  /// Appends bytes to the received data.
  ///
  /// What was written before an error stays, and the offset includes it.
  func write(_ bytes: ByteBuffer, in turn: Turn) throws(RequestFailure) {
    try state.withLock { state throws(RequestFailure) in
      guard state.turn == turn.number, let file = state.file else {
        throw state.isOver ? Self.over : RequestFailure(.conflict, "another request continues this upload")
      }
      guard bytes.readableBytes <= (state.length ?? maximumBytes) - state.offset else {
        throw tooLarge(state.length)
      }
      state.renew()
      var rest = bytes
      while rest.readableBytes > 0 {
        do {
          let count = try rest.withUnsafeReadableBytes { try file.write(toAbsoluteOffset: Int64(state.offset), $0) }
          state.offset += count
          rest.moveReaderIndex(forwardBy: count)
        } catch {
          throw RequestFailure(writing: error as? Errno ?? .ioError)
        }
      }
    }
  }

  /// The answer to more bytes than the file may have.
  private func tooLarge(_ length: Int?) -> RequestFailure {
    RequestFailure(
      .contentTooLarge,
      length.map { "the upload has \($0) bytes, but more were sent" }
        ?? "a recording can have at most \(maximumBytes >> 30) GiB; stop it and start another"
    )
  }

  private static let over = RequestFailure(.gone, "this upload was finished or discarded")
  private static let removed = RequestFailure(.gone, "another program removed the data of this upload")
}

extension RequestFailure {
  /// The disk has no room (507, from WebDAV).
  static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")

  /// The answer when what was sent cannot be stored.
  init(writing error: Errno) {
    switch error {
    case .noSpace, .diskQuotaExceeded:
      self.init(Self.insufficientStorage, "the disk is full; what has arrived is kept; free some space and continue")
    default: self.init(.internalServerError, "cannot store the data: \(error.message)")
    }
  }
}
