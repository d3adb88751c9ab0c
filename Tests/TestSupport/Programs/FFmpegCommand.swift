internal import Glibc
internal import SystemPackage

/// A command line of ffmpeg or ffprobe, taken apart into the files that it reads and writes.
///
/// It does not exist for a command line whose result depends on anything but its words and these files, such as a list
/// of other files, or whose options are not understood. Such a command is run each time.
struct FFmpegCommand {
  /// A word of the command line.
  enum Word {
    /// A word that means the same in every folder.
    case plain(String)
    /// A file that is read.
    case input(FilePath)
    /// A file that is written.
    case output(FilePath)
  }

  let words: [Word]

  /// The names of the files as the command line has them.
  let names: [String]

  var outputs: [FilePath] {
    words.compactMap { if case .output(let path) = $0 { path } else { nil } }
  }

  /// Options without a value.
  private static let flags: Set<String> = [
    "accurate_seek", "an", "autorotate", "autoscale", "bitexact", "copyinkf", "copyts", "copy_unknown", "count_frames",
    "count_packets", "dn", "fix_sub_duration", "hide_banner", "ignore_unknown", "n", "noaccurate_seek", "noautorotate",
    "noautoscale", "nostats", "nostdin", "pretty", "seek_timestamp", "shortest", "show_chapters", "show_data",
    "show_error", "show_format", "show_frames", "show_packets", "show_programs", "show_streams", "sn", "start_at_zero",
    "stats", "unit", "vn", "xerror", "y",
  ]

  /// Options that read or write further files, and formats whose files name further ones.
  private static let obstacles: Set<String> = [
    "concat", "dash", "dump_attachment", "hls", "image2", "pass", "passlogfile", "progress", "report", "sdp", "segment",
    "ssegment", "stream_segment", "tee", "vstats", "vstats_file",
  ]

  /// - Parameters:
  ///   - name: `ffmpeg` or `ffprobe`.
  ///   - arguments: Its arguments.
  ///   - folder: The working folder.
  init?(_ name: String, _ arguments: [String], in folder: FilePath?) {
    var (words, names): ([Word], [String]) = ([], [])
    var rest = arguments[...]
    var format: String?
    // Without a file, the last option had no value, and the name of the file was read as its value.
    var hasFile = false
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        // ffprobe may have its input without -i.
        guard let file = Self.file(word, in: folder) else { return nil }
        words.append(
          name == "ffprobe" ? file.map { .input($0) } ?? .plain(word) : file.map { .output($0) } ?? .plain(word)
        )
        if file != nil { names.append(word) }
        (format, hasFile) = (nil, true)
        continue
      }
      words.append(.plain(word))
      let option = String(word.dropFirst())
      if Self.flags.contains(option) { continue }
      guard !Self.obstacles.contains(option), let value = rest.popFirst() else { return nil }
      switch option {
      case "f":
        guard !Self.obstacles.contains(value) else { return nil }
        format = value
        words.append(.plain(value))
      case "i" where format == "lavfi":
        guard Self.isSelfContained(value) else { return nil }
        words.append(.plain(value))
        format = nil
      case "i", "attach":
        guard let file = Self.file(value, in: folder), let file else { return nil }
        words.append(.input(file))
        names.append(value)
        // The clip stores the name of an attachment.
        if option == "attach" { words.append(.plain(file.lastComponent?.string ?? "")) } else { format = nil }
      default:
        guard Self.isValue(value) else { return nil }
        words.append(.plain(value))
      }
    }
    guard hasFile else { return nil }
    (self.words, self.names) = (words, names)
  }

  /// Whether a word can be the value of an option, and names no file.
  ///
  /// Otherwise the option may have no value. Numbers may be negative.
  private static func isValue(_ word: String) -> Bool {
    if word.hasPrefix("-") { return Double(word) != nil }
    let isName = !word.contains("=") && FilePath(word).extension?.first?.isLetter == true
    return !isName && isSelfContained(word)
  }

  /// Whether a value, such as a graph of filters, names no files.
  private static func isSelfContained(_ value: String) -> Bool {
    let names = ["movie=", "textfile=", "subtitles=", "filename=", "://", ScratchFolder.prefix]
    return !names.contains { value.contains($0) } && (!value.contains("file=") || value.contains("file=-"))
  }

  /// Returns the file that a word names: an inner `nil` for a pipe, an outer one for a name that may stand for several.
  private static func file(_ word: String, in folder: FilePath?) -> FilePath?? {
    if word == "-" || word == "pipe:1" || word == "/dev/null" { return .some(nil) }
    let name = word.hasPrefix("file:") ? String(word.dropFirst(5)) : word
    let isOdd = name.contains("%") || name.contains("://") || name.hasSuffix(".m3u8") || name.hasSuffix(".mpd")
    // A protocol, such as concat: or subfile,, with options after it.
    let hasProtocol = word == name && name.prefix { $0 != "/" && $0 != "." }.contains(":")
    guard !isOdd, !hasProtocol, !name.isEmpty else { return nil }
    return .some(folder.map { $0.pushing(FilePath(name)) } ?? FilePath(name))
  }
}
