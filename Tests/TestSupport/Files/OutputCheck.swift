internal import Glibc
package import SystemPackage

/// Validates the JSON that a run of `clipcanvas` printed and wrote, against the published schemas.
///
/// Every run of the program by a test ends here; see ``Program`` and ``RunningProgram``.
package enum OutputCheck {
  /// Validates the output of a run.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - arguments: The arguments of `clipcanvas`.
  ///   - folder: The working folder.
  ///   - environment: Variables added to the environment.
  /// - Throws: ``SchemaValidator/InvalidJSON`` if a line or a file is not valid.
  package static func check(
    _ result: ProgramResult,
    of arguments: [String],
    in folder: FilePath?,
    environment: [String: String] = [:]
  ) async throws {
    guard SchemaValidator.isHere else { return try reportAbsence() }
    let command = Command(arguments)
    try await check(lines(of: result.output), schema: command.schema, "'clipcanvas \(command.words)' printed")
    for report in command.reports {
      guard let bytes = regularFile(report.inFolder(folder)) else { continue }
      try await check(lines(of: bytes), schema: "batch", "'clipcanvas \(command.words)' wrote in \(report)")
    }
    if result.exitStatus == 0, let board = command.board(environment: environment)?.inFolder(folder),
      let bytes = regularFile(board),
      // A board that a later version wrote is only read.
      ["1", "2"].contains(where: { String(decoding: bytes, as: UTF8.self).contains("\"schemaVersion\": \($0),") })
    {
      try await check([String(decoding: bytes, as: UTF8.self)], schema: "board", "'clipcanvas \(command.words)' wrote")
    }
    for marker in command.placesOfMarkers.flatMap({ markers(below: $0.inFolder(folder), levels: 3) }) {
      // A test may have left another file in its place, or a marker that is too long, which clipcanvas keeps.
      let text = regularFile(marker).map { String(decoding: $0, as: UTF8.self) }
      guard let text, text.hasPrefix("{"), text.hasSuffix("}\n"), text.utf8.count < maximumMarkerBytes else { continue }
      try await check([text], schema: "failure-marker", "a failure marker")
    }
  }

  /// Validates the output of a script: each line that is a JSON object must be a valid line of `clipcanvas`.
  static func check(_ result: ProgramResult) async throws {
    guard SchemaValidator.isHere else { return try reportAbsence() }
    try await check(lines(of: result.output), schema: "any", "a program printed")
  }

  /// Validates texts.
  ///
  /// - Parameters:
  ///   - texts: JSON, one value in each.
  ///   - schema: The name of the schema; `nil` if no JSON was expected.
  ///   - origin: Where the texts come from, for messages.
  package static func check(_ texts: [String], schema: String?, _ origin: String) async throws {
    guard !texts.isEmpty else { return }
    guard let schema else {
      throw SchemaValidator.InvalidJSON(description: "\(origin) JSON that no schema describes:\n\(texts[0])")
    }
    let problems = try await SchemaValidator.shared.problems(of: texts, schema: schema)
    guard problems.isEmpty else {
      let shown = problems.prefix(3).joined(separator: "\n")
      throw SchemaValidator.InvalidJSON(description: "\(origin) JSON that is not a valid '\(schema)':\n\(shown)")
    }
  }

  /// A length that no failure marker reaches.
  private static let maximumMarkerBytes = 2000

  /// The maximum number of lines of a run to validate; of more, those that are validated are spread evenly.
  private static let maximumLines = 5000

  /// Returns the complete lines that are JSON objects: a run that was killed may have printed a part of a line.
  private static func lines(of output: [UInt8]) -> [String] {
    let end = output.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
    let lines = output[..<end].split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: Array("{\"".utf8)) }
    let step = lines.count / maximumLines + 1
    return stride(from: 0, to: lines.count, by: step).map { String(decoding: lines[$0], as: UTF8.self) }
  }

  private static func markers(below folder: FilePath, levels: Int) -> [FilePath] {
    guard levels > 0, let entries = try? ScratchFolder.entries(of: folder), entries.count < 1000 else { return [] }
    return entries.flatMap { name in
      name.string.hasSuffix(".failed.json")
        ? [folder.pushing(name)] : markers(below: folder.pushing(name), levels: levels - 1)
    }
  }

  /// Returns the content of a regular file; `nil` for anything else, such as a pipe, where reading would block.
  private static func regularFile(_ path: FilePath) -> [UInt8]? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try? ScratchFolder.read(path)
  }

  private static func reportAbsence() throws {
    guard !SchemaValidator.isRequired else { throw SchemaValidator.InvalidJSON(description: SchemaValidator.absence) }
    _ = announcement
  }

  private static let announcement: Void = {
    _ = try? FileDescriptor.standardError.writeAll(Array("note: \(SchemaValidator.absence)\n".utf8))
  }()
}

extension OutputCheck {
  /// A command line of `clipcanvas`.
  struct Command {
    private let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The arguments for messages.
    var words: String { arguments.joined(separator: " ") }

    private var name: String { arguments.first ?? "" }

    /// The name of the schema of the lines that the command prints; `nil` if it prints no JSON.
    var schema: String? {
      switch name {
      case "cover", "sheet", "storyboard", "remux", "probe", "similar", "batch": name
      case "animate": "animation"
      case "board": boardSchema
      case "report": arguments.contains("--json") ? "summary" : "batch"
      default: nil
      }
    }

    private var boardSchema: String {
      switch arguments.dropFirst().first {
      case "show": "board-state"
      case "watch": "board-change"
      case "log": "board-transaction"
      case "next": "board-next"
      case "render": "board-picture"
      case "export": "board-video"
      case "check": "board-check"
      case "takes": "board-take"
      case "clean": "removed"
      case "serve": "board-server"
      case "wait": "board-wait"
      case "table": "board-row"
      case "repair": "board-repair"
      case "new": "board-new"
      default: "board-answer"
      }
    }

    /// The files that the command writes the lines of a batch to.
    var reports: [FilePath] {
      switch name {
      case "batch": values(of: "--report")
      case "report": values(of: "-o")
      default: []
      }
    }

    /// The board that the command may have written.
    func board(environment: [String: String]) -> FilePath? {
      guard name == "board" else { return nil }
      let named = environment["CLIPCANVAS_BOARD"].flatMap { $0.isEmpty ? nil : FilePath($0) }
      return values(of: "--board").first ?? named ?? "board.json"
    }

    /// The folders where the command may leave failure markers.
    var placesOfMarkers: [FilePath] {
      name == "batch" ? ["."] + values(of: "-o") + arguments.dropFirst().map { FilePath($0) } : []
    }

    private func values(of option: String) -> [FilePath] {
      zip(arguments, arguments.dropFirst()).filter { $0.0 == option && $0.1 != "-" }.map { FilePath($0.1) }
    }
  }
}

extension FilePath {
  /// Returns the path as a program sees it whose working folder is the given one.
  fileprivate func inFolder(_ folder: FilePath?) -> FilePath { folder.map { $0.pushing(self) } ?? self }
}
