internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import SystemPackage

/// The uploads of a board, in a hidden folder beside it.
final class UploadFolder: Sendable {
  private let path: FilePath
  private let times: ServerTimes
  private let uploads = Mutex<[String: Upload]>([:])
  /// Held while the folder is created with a file, and while it is removed.
  private let folder = Mutex(())

  /// - Parameters:
  ///   - board: The path of the board; for `board.json`, the folder is `.board.json.uploads`, so that boards whose
  ///     names differ only in their extensions have separate folders.
  init(ofBoard board: FilePath, times: ServerTimes) {
    self.times = times
    let name = FilePath(board.lastComponent?.string ?? "board")
    path = board.removingLastComponent().pushing(name.derivingName(prefix: ".", suffix: ".uploads"))
  }

  // MARK: - Uploads

  /// Returns an upload.
  func upload(_ id: String) throws(RequestFailure) -> Upload {
    guard let upload = uploads.withLock({ $0[id] }) else {
      throw RequestFailure(.notFound, "the upload does not exist, or ended long ago")
    }
    return upload
  }

  /// The segments of a take that are not empty, in recording order.
  func segments(of take: TakeID) -> [Upload] {
    all.compactMap { upload -> (number: Int, upload: Upload)? in
      guard case .segment(take, let number) = upload.purpose, upload.offset > 0 else { return nil }
      return (number, upload)
    }.sorted { $0.number < $1.number }.map(\.upload)
  }

  /// The upload that receives a take; `nil` if the server does not record it.
  func current(of take: TakeID) -> Upload? {
    all.filter { $0.purpose.take == take && !$0.isOver }.max { Self.number(of: $0) < Self.number(of: $1) }
  }

  /// The guest that recorded the last segment of a take; `nil` for the owner of the board, or without segments.
  func guest(of take: TakeID) -> Guest? {
    all.filter { $0.purpose.take == take }.max { Self.number(of: $0) < Self.number(of: $1) }?.guest
  }

  /// All uploads.
  var all: [Upload] { Array(uploads.withLock(\.values)) }

  /// Whether the server received something of a take.
  func hasUploads(of take: TakeID) -> Bool { all.contains { $0.purpose.take == take } }

  /// Returns an ID like the given one, without uploads in this folder, so that old ones do not become part of the take.
  ///
  /// A board that replaces another gives the same IDs again.
  func unused(_ take: TakeID) -> TakeID {
    let names = (try? OutputPlace(path, derivedComponents: 1).folderNames()) ?? []
    var (unused, number) = (take, 2)
    while names.contains(where: { $0.hasPrefix(Self.stem(of: unused) + "-") }), let next = TakeID("\(take)_\(number)") {
      (unused, number) = (next, number + 1)
    }
    return unused
  }

  /// Starts a segment of a take.
  ///
  /// - Parameter guest: The guest that records it; `nil` for the owner of the board.
  func addSegment(of take: TakeID, by guest: Guest? = nil) throws(RequestFailure) -> Upload {
    let last = all.filter { $0.purpose.take == take }.map(Self.number).max() ?? 0
    let id = "\(Self.stem(of: take))-\(last + 1)"
    return try add(id, for: .segment(take, number: last + 1), length: nil, by: guest)
  }

  /// Ends all segments of a take: nothing is added to them any more.
  func end(_ take: TakeID) {
    for upload in all where upload.purpose.take == take { upload.end() }
  }

  /// Removes the segments of a take.
  ///
  /// - Parameter answer: The answer for a browser that missed it and asks again.
  func remove(_ take: TakeID, answering answer: JSON? = nil) {
    for upload in all where upload.purpose.take == take { remove(upload, answering: answer) }
  }

  /// Starts a clip for a canvas.
  func addClip(for canvas: CanvasID, replaces: Bool, name: String, length: Int) throws(RequestFailure) -> Upload {
    guard length <= UploadLimits.fileBytes else {
      throw RequestFailure(.contentTooLarge, "a clip can have at most \(UploadLimits.fileBytes >> 30) GiB")
    }
    guard length <= room else {
      throw RequestFailure(
        RequestFailure.insufficientStorage,
        "the disk has no room for this clip; free some space and try again"
      )
    }
    removeAbandonedClips()
    guard clips.count < UploadLimits.uploads else {
      throw RequestFailure(.tooManyRequests, "\(UploadLimits.uploads) files are being sent; wait until one has arrived")
    }
    let id = "clip-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    return try add(id, for: .clip(canvas, replaces: replaces, name: name), length: length)
  }

  /// The clips that are being uploaded.
  private var clips: [Upload] { all.filter { $0.purpose.take == nil && !$0.isOver } }

  /// Removes clips whose browsers have been silent for long, or are gone.
  func removeAbandonedClips(after patience: Duration? = nil) {
    for upload in clips where upload.silence >= patience ?? times.clipPatience { remove(upload) }
  }

  private func add(
    _ id: String,
    for purpose: Upload.Purpose,
    length: Int?,
    by guest: Guest? = nil
  ) throws(RequestFailure) -> Upload {
    try checkRoom(for: 1)
    do throws(FileReplacementError) {
      let upload = try folder.withLock { _ throws(FileReplacementError) in
        try Upload(id, for: purpose, at: place(id), length: length, lease: times.lease, guest: guest)
      }
      uploads.withLock { $0[id] = upload }
      return upload
    } catch {
      throw RequestFailure(writing: error.errno)
    }
  }

  /// Checks that the disk has room for a part, and for the board after that.
  func checkRoom(for bytes: Int) throws(RequestFailure) {
    guard bytes <= room else {
      throw RequestFailure(RequestFailure.insufficientStorage, "the disk is nearly full; free some space and try again")
    }
  }

  /// Forgets an upload and removes its file.
  ///
  /// - Parameter answer: The answer for a browser that missed it and asks again.
  func remove(_ upload: Upload, answering answer: JSON? = nil) {
    upload.remove(answering: answer)
    // The name stays known for a while, so that its browser learns that it is over.
    uploads.withLock { uploads in
      let over = uploads.values.filter(\.isOver)
      if over.count > UploadLimits.uploads { for upload in over { uploads[upload.id] = nil } }
    }
    folder.withLock { _ in Folder.removeIfEmpty(OutputPlace(path, derivedComponents: 1)) }
  }

  /// The bytes that may still be written to the disk.
  private var room: Int {
    var status = statvfs()
    let folder = Folder.exists(at: path) ? path : path.removingLastComponent()
    let result = (folder.isEmpty ? "." : folder).withPlatformString { statvfs($0, &status) }
    // If the file system does not report its free space, the write itself fails when it is full.
    guard result == 0 else { return .max }
    let (bytes, overflows) = Int(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: status.f_frsize)
    )
    return overflows ? .max : bytes - UploadLimits.roomLeft
  }

  // MARK: - Names

  private func place(_ id: String) -> OutputPlace {
    OutputPlace(path.appending(id + Self.suffix), derivedComponents: 2)
  }

  /// Returns the place of a segment that is encoded again.
  func encodedPlace(of segment: FilePath) -> OutputPlace {
    OutputPlace(path.appending((segment.stem ?? "segment") + Self.encodedSuffix), derivedComponents: 2)
  }

  private static let suffix = ".part"
  private static let encodedSuffix = ".mp4"

  private static func stem(of take: TakeID) -> String { "take-" + BoardPath.namePart(of: take) }

  private static func number(of upload: Upload) -> Int {
    if case .segment(_, let number) = upload.purpose { number } else { 0 }
  }

  // MARK: - After a restart

  /// Finds the segments of the open take that an earlier run of the server received.
  ///
  /// Incomplete clips and segments that were encoded again are removed; segments of other takes stay where they are.
  ///
  /// - Returns: The number of files that belong to no open take.
  func restore(for take: TakeID?) -> Int {
    let names = (try? OutputPlace(path, derivedComponents: 1).folderNames()) ?? []
    var left = 0
    for name in names where name.hasSuffix(Self.encodedSuffix) {
      OutputPlace(path.appending(name), derivedComponents: 2).remove { _ in true }
    }
    for name in names where name.hasSuffix(Self.suffix) {
      let id = String(name.dropLast(Self.suffix.count))
      if id.hasPrefix("clip-") {
        _ = path.appending(name).withPlatformString { unlink($0) }
      } else if let take, let number = Self.number(of: id, of: take) {
        let purpose = Upload.Purpose.segment(take, number: number)
        let upload = try? Upload(continuing: id, for: purpose, at: place(id), lease: times.lease)
        if let upload { uploads.withLock { $0[id] = upload } }
      } else {
        left += 1
      }
    }
    return left
  }

  private static func number(of id: String, of take: TakeID) -> Int? {
    let start = stem(of: take) + "-"
    guard id.hasPrefix(start), let number = Int(id.dropFirst(start.count)), id == start + "\(number)" else {
      return nil
    }
    return number
  }

  /// The folder's path, for messages.
  var displayText: String { path.displayText }
}
