internal import Covers
internal import Glibc

/// When a clip was recorded, as a gallery sorts and groups by it.
struct GalleryDate {
  /// The seconds since 1970.
  let seconds: Int
  /// The day, such as `2024-05-01`: that of the camera's clock, or of this machine's time zone if only UTC is known.
  let day: String

  /// Creates the date stated by a clip; a time without an offset from UTC is taken as local.
  init(_ date: CaptureDate) {
    // The year, month and day, and the hour, minute and second if they are known.
    let numbers = date.description.prefix(19).split { !$0.isNumber }.map { CInt($0) ?? 0 } + [0, 0, 0]
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    parts.tm_isdst = -1
    guard let offset = date.offsetSeconds else {
      (seconds, day) = (mktime(&parts), date.day)
      return
    }
    let time = timegm(&parts) - offset
    guard date.isUTC, let local = GalleryDate(modificationTime: time) else {
      (seconds, day) = (time, date.day)
      return
    }
    self = local
  }

  /// Creates the date of a file, from its modification time in seconds since 1970.
  init?(modificationTime seconds: Int) {
    var time = seconds
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return nil }
    func two(_ number: CInt) -> String { (number < 10 ? "0" : "") + "\(number)" }
    day = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    self.seconds = seconds
  }
}
