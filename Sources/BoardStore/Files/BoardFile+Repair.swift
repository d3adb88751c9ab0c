package import CanvasModel
internal import Files
internal import Glibc
package import SystemPackage

/// The result of a repair.
package struct Repair: Sendable {
  /// A description of the problem.
  package let problem: String
  /// The path of the copy of the file as it was.
  package let copy: FilePath
  /// The repaired board.
  package let board: Board
  /// The canvases that were renamed, with their new IDs.
  package let renamed: [CanvasID: CanvasID]
  /// The number of transactions that were removed from the history.
  package let forgotten: Int
}

extension BoardFile {
  /// The maximum size of a file that is repaired.
  static let maximumRepairBytes = 256 << 20

  /// Repairs a file that cannot be read.
  ///
  /// Canvases whose IDs are not valid are renamed, in the history as well.
  /// A damaged board is rebuilt from whatever can be read: readable canvases are kept in order, with their clips and
  /// covers; a canvas without a readable region gets a free place. The session becomes idle, an open take is abandoned,
  /// and the history is cleared. From a board that is too large, only the oldest transactions are removed. A copy of the
  /// file is kept next to it, under an unused name.
  ///
  /// - Returns: `nil` if there is nothing to repair.
  /// - Throws: ``BoardError/unreadable(_:)`` if no canvas can be read, or if the file is missing, empty, written by a
  ///   newer version or too large even without its history; nothing is changed in that case.
  package func repair(lockTimeout: Duration) throws(BoardError) -> Repair? {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    let old: [UInt8]
    do throws(UnreadableBoard) {
      old = try bytes(maximum: Self.maximumRepairBytes)
    } catch {
      throw .unreadable(error)
    }
    guard let (found, problem) = try document(repairing: old) else { return nil }
    var document = found
    let renamed = document.renameCanvases()
    guard let text = document.fittingText(expecting: min(old.count, BoardDocument.maximumBytes)) else {
      throw .unreadable(.corrupt("it is larger than \(BoardDocument.maximumBytes >> 20) MiB even without its history"))
    }
    let copy = try keep(old)
    try write(text.bytes)
    let board = document.board
    let forgotten = max(0, document.transactionsRead - board.history.transactions.count)
    return Repair(problem: problem, copy: copy, board: board, renamed: renamed, forgotten: forgotten)
  }

  /// Returns what can be read of a file, and what is wrong with it; `nil` if nothing is.
  private func document(
    repairing bytes: [UInt8]
  ) throws(BoardError) -> (document: BoardDocument, problem: String)? {
    do throws(UnreadableBoard) {
      let document = try BoardDocument(parsingAnyIDs: bytes)
      guard !document.isNewer else { throw .newer(document.schemaVersion) }
      if bytes.count > BoardDocument.maximumBytes {
        return (document, "it is larger than \(BoardDocument.maximumBytes >> 20) MiB")
      }
      let names = document.board.invalidIDs
      return names.isEmpty ? nil : (document, names.problem)
    } catch .corrupt(let problem) {
      // Another encoding, a byte order mark or zero bytes around the text do not make anything unreadable.
      let text = ForeignText.utf8(bytes)
      if text != bytes, let document = try? BoardDocument(parsingAnyIDs: text) { return (document, problem) }
      do throws(UnreadableBoard) {
        return (try BoardDocument(salvaging: text, problem: problem, newestCover: newestCover), problem)
      } catch {
        throw .unreadable(error)
      }
    } catch {
      throw .unreadable(error)
    }
  }

  /// The highest number in the names of the board's covers, such as `c1-12.png`; 0 without covers.
  private var newestCover: Int {
    let names = (try? OutputPlace(coversFolder, derivedComponents: 1).folderNames()) ?? []
    let numbers = names.compactMap { FilePath($0).stem?.split(separator: "-").last.flatMap { Int($0) } }
    return numbers.filter { $0 < BoardDocument.maximumRevision / 2 }.max() ?? 0
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
          guard FileSync.whole(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
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
  /// Creates a document from whatever can be read.
  ///
  /// - Parameters:
  ///   - bytes: The damaged text.
  ///   - problem: What is wrong with it.
  ///   - newestCover: The highest number in the names of covers.
  /// - Throws: `corrupt` if no canvas can be read, `newer` if a newer version wrote the document.
  fileprivate init(salvaging bytes: [UInt8], problem: String, newestCover: Int) throws(UnreadableBoard) {
    let salvaged = SalvagedCanvases()
    guard let found = JSON.salvaging(bytes, passing: salvaged.streams), !salvaged.canvases.isEmpty else {
      throw .corrupt(problem)
    }
    let reader = JSONReader(found.json)
    if let version = (try? reader.optional("schemaVersion")?.revision()) ?? nil, version > BoardDocument.schemaVersion {
      throw .newer(version)
    }
    let snapshot = Snapshot(
      canvases: salvaged.canvasesWithTakes,
      take: nil,
      session: .idle,
      coverSide: (try? reader.optional("coverSize")?.side()) ?? nil
    )
    let stated = (try? reader.optional("revision")?.revision()) ?? nil
    // Revision and generation numbers must never be reused. What is lost may have had as many as the history holds.
    let generations = salvaged.canvases.compactMap { $0.clip?.generation }
    let used = generations + [salvaged.newestRevision, newestCover, stated ?? 0]
    let lost = found.isWhole && stated != nil ? 0 : History.maximumTransactions
    let revision = min((used.max() ?? 0) + 1 + lost, BoardDocument.maximumRevision)
    guard var board = try? Board(snapshot, revision: revision, history: History()) else { throw .corrupt(problem) }
    board.place(salvaged.withoutRegion)
    self.init(board)
  }
}

/// The canvases that can be read of a damaged document.
private final class SalvagedCanvases {
  private(set) var canvases: [Snapshot.Canvas] = []
  /// The canvases whose region cannot be read.
  private(set) var withoutRegion: Set<CanvasID> = []
  /// The highest revision in what can be read of the history and of the takes; 0 if nothing can.
  private(set) var newestRevision = 0
  private var ids: Set<CanvasID> = []
  private var takes: [CanvasID: [KeptTake]] = [:]

  /// The canvases with their takes.
  var canvasesWithTakes: [Snapshot.Canvas] {
    canvases.map { canvas in
      var (canvas, paths) = (canvas, Set([canvas.clip?.file.path].compactMap(\.self)))
      canvas.takes = (takes[canvas.id] ?? []).filter { $0.cover != .none && paths.insert($0.clip.file.path).inserted }
      return canvas
    }
  }

  /// The parts to collect.
  var streams: JSON.Streams {
    JSON.Streams(names: ["canvases", "history", "takes"]) { [self] element in
      let json = element.json
      if element.array == "takes", let canvas = try? JSONReader(json).member("canvas").canvasID(),
        let take = try? JSONReader(json).keptTake()
      {
        newestRevision = max(newestRevision, take.clip.generation)
        takes[canvas, default: []].append(take)
      }
      if element.array == "history", let revision = (try? JSONReader(json).optional("revision")?.revision()) ?? nil {
        newestRevision = max(newestRevision, revision)
      }
      guard element.array == "canvases", let canvas = try? JSONReader(json).salvagedCanvas(),
        ids.insert(canvas.id).inserted
      else { return }
      canvases.append(canvas)
      if JSONReader(json).salvagedRegion == nil { withoutRegion.insert(canvas.id) }
    }
  }
}

extension JSONReader {
  /// Returns a canvas; everything but its ID may be damaged.
  fileprivate func salvagedCanvas() throws(ShapeError) -> Snapshot.Canvas {
    let clip = (try? optional("clip")?.clip()) ?? nil
    let cover = (try? optional("cover")?.cover()) ?? nil
    return Snapshot.Canvas(
      id: try member("id").canvasID(),
      isSelected: false,
      status: .noPreview,
      clip: clip,
      cover: clip == nil ? .none : cover.flatMap { $0 == .none ? nil : $0 } ?? .pending,
      region: salvagedRegion ?? .whole
    )
  }

  /// The region of a canvas, if it can be read.
  fileprivate var salvagedRegion: Region? { (try? optional("region")?.region()) ?? nil }
}
