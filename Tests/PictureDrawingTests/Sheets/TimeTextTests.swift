import Testing

@testable import PictureDrawing

@Suite("The times on a contact sheet")
struct TimeTextTests {
  @Test(
    "All times have the same form, with as many decimal places as they need to differ",
    arguments: [
      ([0, 2.9, 5.6], ["0:00", "0:02", "0:05"]),
      ([0, 0.5, 1.04], ["0:00.0", "0:00.5", "0:01.0"]),
      ([0, 0.04, 0.08], ["0:00.00", "0:00.04", "0:00.08"]),
      ([0.28, 0.29, 0.57], ["0:00.28", "0:00.29", "0:00.57"]),
      ([0, 0.001, 0.002], ["0:00.00", "0:00.00", "0:00.00"]),
      ([59.999, 61], ["0:59", "1:01"]),
      ([1, 3599.9], ["0:01", "59:59"]),
      ([1, 3600], ["0:00:01", "1:00:00"]),
      ([36_000, 36_000.5], ["10:00:00.0", "10:00:00.5"]),
      ([7], ["0:07"]),
      ([-0.02, 1], ["0:00", "0:01"]),
    ] as [([Double], [String])]
  )
  func texts(_ times: [Double], _ texts: [String]) {
    let form = TimeText(of: times.map(Optional.some) + [nil])
    #expect(times.map(form.of) == texts)
  }

  @Test("Infinite and undefined times do no harm")
  func nonsense() {
    #expect(TimeText(of: [nil]).of(.infinity) == "0:00")
    #expect(TimeText(of: [1e300, .nan]).of(1e300).hasPrefix("0:00:00"))
  }
}
