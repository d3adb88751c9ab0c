import BoardSupport
import Testing

@Suite("Sizes and frame rates of videos as text")
struct VideoFormTests {
  @Test(
    "Frame rates are exact, and those of NTSC are recognised with two or three decimals",
    arguments: [
      ("30", "30"), ("25.0", "25"), ("29.97", "30000/1001"), ("23.976", "24000/1001"), ("23.98", "24000/1001"),
      ("59.94", "60000/1001"), ("30000/1001", "30000/1001"), ("50/2", "25"), ("12.5", "25/2"), ("1", "1"),
      ("120", "120"),
    ]
  )
  func rates(text: String, exact: String) {
    #expect(FrameRate(text)?.description == exact)
  }

  @Test(
    "Other texts are not frame rates",
    arguments: [
      "", "0", "0.5", "121", "-30", "30/0", "1/0/1", "/1", "30/", "nan", "inf", "1e1", "30 ", "999999999999", "٣٠",
    ]
  )
  func notRates(text: String) {
    #expect(FrameRate(text) == nil)
  }

  @Test(
    "Sides of a video are even and within the limits",
    arguments: [
      ("1080x1920", true), ("16x4096", true), ("1081x1920", false), ("14x16", false), ("16x4098", false), ("16", false),
    ]
  )
  func sizes(text: String, isValid: Bool) {
    #expect(VideoSize(text)?.description == (isValid ? text : nil))
  }
}
