import Covers
import TestSupport
import Testing

@Suite("Requested times")
struct RequestedTimeTests {
  @Test("The first frame is requested by name")
  func first() {
    #expect(RequestedTime("first") == .first)
    #expect(RequestedTime.first.description == "first")
  }

  @Test(
    "Seconds and clock times are counted from the start",
    arguments: [
      ("0", 0), ("2.5", 2.5), ("0.000", 0), ("12", 12), ("007", 7), ("1:00", 60), ("1:02:03.5", 3723.5),
      ("90:00", 5400), ("0:59.999", 59.999), ("5s", 5), ("1m30s", 90), ("90s", 90), ("1h2m3.5s", 3723.5), ("2h", 7200),
      ("1h5s", 3605), ("0s", 0), ("0:0:0", 0), ("00:00:01.25", 1.25), ("100:00:00", 360_000), ("0.00001", 0.00001),
      ("3155759999", 3_155_759_999),
    ]
  )
  func seconds(text: String, seconds: Double) {
    #expect(RequestedTime(text) == .seconds(seconds))
  }

  @Test("Only percentages depend on the duration")
  func dependence() {
    #expect(RequestedTime.Position.percent(5).isPercent && !RequestedTime.Position.seconds(5).isPercent)
  }

  @Test(
    "A percentage of the duration is at most 100",
    arguments: [("0%", 0), ("50%", 50), ("12.5%", 12.5), ("100%", 100), ("100.0%", 100)]
  )
  func share(text: String, share: Double) {
    #expect(RequestedTime(text) == .percent(share))
  }

  @Test(
    "A key frame is requested by any time or percentage after `key:`",
    arguments: [
      ("key:0", .seconds(0)), ("key:1m30s", .seconds(90)), ("key:1:02:03.5", .seconds(3723.5)),
      ("key:90%", .percent(90)), ("key:0.00001", .seconds(0.00001)),
    ] as [(String, RequestedTime.Position)]
  )
  func keyFrame(text: String, position: RequestedTime.Position) throws {
    let time = try #require(RequestedTime(text))
    #expect(time == .keyFrame(before: position) && time.position == position && time.isKeyFrame)
    #expect(time.description == "key:\(position)" && RequestedTime(time.description) == time)
    #expect(!RequestedTime.first.isKeyFrame && RequestedTime.frame(at: position).isKeyFrame == false)
  }

  @Test(
    "Any other text is rejected",
    arguments: [
      "key", "key:", "key:first", "key: 5", "Key:5", "KEY:5", "key:-5", "key:101%", "key:key:5", "keyframe:5", "key5",
      "key:3155760000", " key:5", "key:5 ",
      "", " ", "First", "FIRST", "first ", "last", "-1", "+1", "-0", "1e3", "1E3", "0x10", "nan", "inf", "infinity",
      ".5", ".", "1..2", "1.2.3", "1,5", "10:99", "0:60", "1:60:00", "1:00:60", "s", "5x", "5S", "1s1m", "1m1m", "1ms",
      "1m30", "-5s", "1 s", "1:30s",
      "876600h", "1 ", " 1", "1\n", "%", "%50", "50%%", "-5%", "100.1%", "101%", "50 %",
      ":", "1:", ":1", "1::2", "1:2:3:4", "1:-2", "1:2%", "1:02:", "٣", "１", "½", "²", "3155760000", "876600:00:00",
      String(repeating: "9", count: 400), String(repeating: "9", count: 400) + "%",
    ]
  )
  func nonsense(text: String) {
    #expect(RequestedTime(text) == nil)
  }

  @Test(
    "Parsing the description returns the same time",
    arguments: [
      .first, .seconds(0), .seconds(2.5), .seconds(0.1), .seconds(1.0 / 3), .seconds(3_155_759_999.5), .percent(0),
      .percent(100), .percent(100.0 / 3), .seconds(0.00001), .seconds(1e-9), .seconds(.leastNonzeroMagnitude),
      .percent(0.00001), .percent(1e-300), .seconds(0.0001),
    ] as [RequestedTime]
  )
  func roundTrip(time: RequestedTime) {
    #expect(RequestedTime(time.description) == time)
  }

  @Test(
    "Equal times have the same description, however they were typed",
    arguments: [
      ("2.50", "2.5"), ("1:02:03.5", "3723.5"), ("5", "5.0"), ("50%", "50.0%"), ("0.00001", "0.00001"),
      ("0.000010", "0.00001"), ("0.000012%", "0.000012%"), ("3155759999", "3155759999.0"),
    ]
  )
  func text(typed: String, written: String) {
    #expect(RequestedTime(typed)?.description == written)
  }

  @Test("Random seconds and percentages are unchanged after formatting and parsing")
  func anyTime() {
    var numbers = SeededNumbers(seed: 2)
    let times = (0..<5_000).flatMap { _ -> [RequestedTime] in
      let number = Double.random(in: 0..<1, using: &numbers)
      let scale = Double(numbers.number(upTo: 1 << 40))
      return [.seconds(number * 3e9), .seconds(number / scale), .percent(number * 100 / scale)]
    }
    #expect(times.filter { RequestedTime($0.description) != $0 } == [])
  }
}
