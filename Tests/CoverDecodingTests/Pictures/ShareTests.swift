import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Percentage of the duration")
struct ShareTests {
  // black-12s.mp4: 13 s, a frame every 0.2 s; 98 % is 12.74 s.
  // audio-first.mkv: 2.4 s of audio, and frames every 0.04 s up to 0.4 s, when the last one ends; 88.5 %
  // of that is 0.354 s.
  @Test(
    "A percentage refers to the container's duration, or to that of a video that ends much earlier",
    arguments: [("black-12s.mp4", 98, 12.6), ("audio-first.mkv", 88.5, 0.32)]
  )
  func hundredths(_ fixture: String, _ share: Double, _ seconds: Double) throws {
    let request = CoverRequest(time: .percent(share))
    let facts = try CoverExtractor.makeCover(of: ProjectFolder.fixture(fixture), request, in: ScratchFolder())
    #expect(facts.actualTime.map { abs($0 - seconds) < 0.001 } == true, "\(String(describing: facts.actualTime))")
  }
}
