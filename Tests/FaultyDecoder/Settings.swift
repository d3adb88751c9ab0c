import Glibc

/// The behaviour of the decoder, from a file beside it with one `KEY=VALUE` per line.
///
/// A decoder is started without an environment. The program is therefore a link with a unique name, and the settings
/// are stored beside that link as `NAME.settings`.
struct Settings {
  private var values: [String: String] = [:]

  /// Reads the settings of this process.
  init() {
    guard let program = CommandLine.arguments.first, let file = fopen(program + ".settings", "r") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let parts = text.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
  }

  subscript(key: String) -> String? { values[key] }
}
