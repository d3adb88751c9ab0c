public import CanvasModel
internal import Files
internal import Glibc
public import SystemPackage

/// The result of a repair.
public struct Repair: Sendable {
  /// A description of the problem.
  public let problem: String
  /// The path of the copy of the damaged file.
  public let copy: FilePath
  /// The repaired board.
  public let board: Board
}

extension BoardFile {
  /// Repairs a damaged file by rebuilding the board from whatever can be read.
  ///
  /// Readable canvases are kept in order, with their clips and covers. The session becomes idle, an open take is
  /// abandoned, and the history is cleared. A copy of the damaged file is kept next to it, under an unused name.
  ///
  /// - Returns: `nil` if the file is not damaged.
  /// - Throws: ``BoardError/unreadable(_:)`` if no canvas can be read, or if the file is missing, empty or written by a
  ///   newer version; nothing is changed in that case.
  public func repair(lockTimeout: Duration) throws(BoardError) -> Repair? {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    let problem: String
    do throws(BoardError) {
      let document = try read()
      guard document.schemaVersion <= BoardDocument.schemaVersion else {
        throw .unreadable(.newer(document.schemaVersion))
      }
      return nil
    } catch .unreadable(.corrupt(let what)) {
      problem = what
    }
    let damaged: [UInt8]
    do throws(UnreadableBoard) {
      damaged = try bytes()
    } catch {
      throw .unreadable(error)
    }
    guard let document = BoardDocument(salvaging: damaged) else { throw .unreadable(.corrupt(problem)) }
    let copy = try keep(damaged)
    try write(document.bytes)
    return Repair(problem: problem, copy: copy, board: document.board)
  }

  /// Writes a copy next to the board, as `board.json.damaged` or, if that exists, `board.json.damaged-2` and so on.
  private func keep(_ bytes: [UInt8]) throws(BoardError) -> FilePath {
    var number = 1
    while true {
      let copy = path.derivingName(suffix: number == 1 ? ".damaged" : ".damaged-\(number)")
      do {
        let file = try FileDescriptor.open(
          copy,
          .writeOnly,
          options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: .ownerReadWrite
        )
        try file.closeAfter {
          FileAccess(of: path)?.give(to: file)
          _ = try file.writeAll(bytes)
          guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        return copy
      } catch let error as Errno where error == .fileExists {
        number += 1
      } catch {
        throw .failed(operation: "keep a copy in", path: copy, errno: error as? Errno ?? .ioError)
      }
    }
  }
}

extension BoardDocument {
  /// Creates a document from whatever can be read; `nil` if no canvas can be read.
  init?(salvaging bytes: [UInt8]) {
    guard let json = JSON.salvaging(bytes) else { return nil }
    let reader = JSONReader(json)
    var canvases: [Snapshot.Canvas] = []
    for element in (try? reader.optional("canvases")?.elements()) ?? [] {
      guard let canvas = try? element.salvagedCanvas(), !canvases.contains(where: { $0.id == canvas.id }) else {
        continue
      }
      canvases.append(canvas)
    }
    guard !canvases.isEmpty else { return nil }
    // Revision and generation numbers must never be reused.
    let used = canvases.compactMap { $0.clip?.generation } + [(try? reader.optional("revision")?.revision()) ?? 0]
    let snapshot = Snapshot(canvases: canvases, take: nil, session: .idle)
    let revision = min((used.max() ?? 0) + 1, BoardDocument.maximumRevision)
    guard let board = try? Board(snapshot, revision: revision, history: History()) else { return nil }
    self.init(board)
  }
}

extension JSONReader {
  /// Returns a canvas in which everything but the ID may be damaged.
  fileprivate func salvagedCanvas() throws(ShapeError) -> Snapshot.Canvas {
    let clip = (try? optional("clip")?.clip()) ?? nil
    let cover = (try? optional("cover")?.cover()) ?? nil
    return Snapshot.Canvas(
      id: try member("id").canvasID(),
      isSelected: false,
      status: .noPreview,
      clip: clip,
      cover: clip == nil ? .none : cover.flatMap { $0 == .none ? nil : $0 } ?? .pending,
      region: (try? optional("region")?.region()) ?? .whole
    )
  }
}
