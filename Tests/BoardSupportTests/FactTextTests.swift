import BoardSupport
import Testing

@Suite("Durations and sizes as text")
struct FactTextTests {
  @Test(
    "A duration has seconds below a minute, and clock time from there on",
    arguments: [
      (0, "0.00 s"), (0.04, "0.04 s"), (0.0999, "0.10 s"), (0.1, "0.1 s"), (2.54, "2.5 s"), (59.94, "59.9 s"),
      (59.95, "1:00"), (60, "1:00"), (61.4, "1:01"), (3599.4, "59:59"), (3599.5, "1:00:00"), (3723, "1:02:03"),
      (360_000, "100:00:00"),
    ]
  )
  func duration(_ seconds: Double, _ text: String) {
    #expect(FactText.duration(seconds) == text)
  }

  @Test(
    "A duration that is negative or not a number has no text",
    arguments: [-0.1, -.infinity, .infinity, .nan, 1e300]
  )
  func invalid(_ seconds: Double) {
    #expect(FactText.duration(seconds) == nil)
  }

  @Test(
    "A size uses the largest decimal unit that gives at least 1",
    arguments: [
      (0, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1051, "1.1 kB"),
      (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_200_000, "1.2 MB"), (2_500_000_000, "2.5 GB"),
      (Int.max, "9.2 EB"),
    ]
  )
  func bytes(_ bytes: Int, _ text: String) {
    #expect(FactText.bytes(bytes) == text)
  }
}
