import Covers
import Testing

@Suite("Dates and locations of recordings")
struct CaptureDateTests {
  @Test(
    "A date is as precise as its text",
    arguments: [
      ("2024-05-01T12:30:45+0200", "2024-05-01T12:30:45+02:00"),
      ("2024-05-01T12:30:45-09:30", "2024-05-01T12:30:45-09:30"),
      ("2024-05-01T12:30:45.000000Z", "2024-05-01T12:30:45Z"), ("2024-05-01T12:30:45.1200Z", "2024-05-01T12:30:45.12Z"),
      ("2024-05-01 12:30:45", "2024-05-01T12:30:45"), ("20240501T123045Z", "2024-05-01T12:30:45Z"),
      ("2024:05:01 12:30:45", "2024-05-01T12:30:45"), ("2024-02-29", "2024-02-29"), ("1980-02-29", "1980-02-29"),
      ("2000-02-29", "2000-02-29"), ("2024/05/01", "2024-05-01"),
      ("2024-05-01T12:30:45+02", "2024-05-01T12:30:45+02:00"), (" 2024-05-01 ", "2024-05-01"),
    ]
  )
  func dates(_ text: String, _ expected: String) throws {
    let date = try #require(CaptureDate(text))
    #expect(date.description == expected)
    #expect(CaptureDate(expected) == date)
    #expect(try CanonicalJSON.decode(CaptureDate.self, from: "\"\(expected)\"".utf8) == date)
  }

  @Test(
    "What is not a date, or stands for an unknown one, is rejected",
    arguments: [
      "", "2024", "2024-05", "Tuesday", "2024-13-01", "2024-00-01", "2024-02-30", "2023-02-29", "2100-02-29",
      "2024-05-01T",
      "2024-05-01T24:00:00",
      "2024-05-01T12:60:00", "2024-05-01T12:30", "2024-05-01T12:30:45+2", "2024-05-01T12:30:45+02:60",
      "2024-05-01X12:30:45",
      "2024-05-01T12:30:45Zulu", "1904-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:01Z", "1601-01-01",
      "0000-00-00",
    ]
  )
  func invalidDates(_ text: String) { #expect(CaptureDate(text) == nil) }

  @Test(
    "A date on the wire is written in one way only",
    arguments: ["2024-05-01 12:30:45", "2024-05-01T12:30:45.10Z", "x"]
  )
  func wire(_ text: String) {
    #expect(throws: DecodingError.self) { try CanonicalJSON.decode(CaptureDate.self, from: "\"\(text)\"".utf8) }
  }

  @Test(
    "Degrees may have minutes and seconds, and the height is optional",
    arguments: [
      ("+48.8577+002.2950+035.000/", 48.8577, 2.295, 35), ("-33.8568+151.2153/", -33.8568, 151.2153, nil),
      ("+4851.462+00217.7/", 48.8577, 2.295, nil), ("+485127.72-0021742/", 48.8577, -2.295, nil),
      ("+90-180-5/Pole", 90, -180, -5), ("+48.8577+002.2950+035.000CRSWGS_84/", 48.8577, 2.295, 35),
      ("+00+000", 0, 0, nil),
    ] as [(String, Double, Double, Double?)]
  )
  func locations(_ text: String, _ latitude: Double, _ longitude: Double, _ altitude: Double?) throws {
    let location = try #require(ClipLocation(text))
    #expect(abs(location.latitude - latitude) < 1e-9 && abs(location.longitude - longitude) < 1e-9)
    #expect(location.altitude == altitude && location.text == text)
  }

  @Test(
    "What is not a location, or is out of range, is rejected",
    arguments: [
      "", "/", "48.8577+002.2950/", "+48.8577/", "+90.1+000/", "+10-180.5/", "+4860+00000/", "+1+1/", "+48,5+002/",
      "+48+002+1+1/",
      "+4.8.5+002/", "+48+002+/", "+48+002+1e9/", "+48+002+999999999/", "+48 +002/",
    ]
  )
  func invalidLocations(_ text: String) { #expect(ClipLocation(text) == nil) }
}
