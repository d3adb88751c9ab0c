import CanvasModel
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@testable import BoardServer

@Suite("The folder of uploads", .enabled(if: Scope.isFull))
struct UploadFolderTests {
  @Test("Files whose clients have stopped sending are removed after a while, and recordings never")
  func abandoned() throws {
    let scratch = try ScratchFolder()
    let times = ServerTimes()
    let folder = UploadFolder(ofBoard: scratch("board.json"), times: times)
    let canvas = try #require(CanvasID("c1"))
    let clip = try folder.addClip(for: canvas, replaces: false, name: "a.mp4", length: 10)
    let take = try folder.addSegment(of: try #require(TakeID("t1")))
    #expect(clip.silence < times.clipPatience)
    folder.removeAbandonedClips()
    #expect(!clip.isOver && ProjectFolder.isThere(clip.path))
    folder.removeAbandonedClips(after: .zero)
    #expect(clip.isOver && !ProjectFolder.isThere(clip.path))
    #expect(!take.isOver && ProjectFolder.isThere(take.path))
  }

  @Test("A sign that comes after the end of the lease does not undo the interruption")
  func lateSign() async throws {
    let scratch = try ScratchFolder()
    var times = ServerTimes()
    times.lease = .milliseconds(20)
    let take = try UploadFolder(ofBoard: scratch("board.json"), times: times).addSegment(of: try #require(TakeID("t1")))
    try await eventually("the lease is over") { !take.isRenewed }
    take.renew()
    #expect(try #require(take.takeLapse()) >= times.lease)
  }

  @Test("A recording has at most 8 GiB, and a file at most 64 GiB")
  func bounds() throws {
    let scratch = try ScratchFolder()
    let folder = UploadFolder(ofBoard: scratch("board.json"), times: ServerTimes())
    let canvas = try #require(CanvasID("c1"))
    let take = try folder.addSegment(of: try #require(TakeID("t1")))
    _ = try take.beginPart(at: 0, bytes: 8 << 30)
    for (bytes, length) in [((8 << 30) + 1, nil), (1, (8 << 30) + 1)] as [(Int, Int?)] {
      let failure = #expect(throws: RequestFailure.self) { try take.beginPart(at: 0, bytes: bytes, of: length) }
      #expect(failure?.text == "a recording can have at most 8 GiB; stop it and start another", "\(bytes)")
    }
    let failure = #expect(throws: RequestFailure.self) {
      try folder.addClip(for: canvas, replaces: false, name: "a.mp4", length: (64 << 30) + 1)
    }
    #expect(failure?.text == "a clip can have at most 64 GiB")
  }
}
