internal import BoardSupport
internal import ClipService
internal import Covers
internal import Subprocess
internal import SystemPackage

/// `clipcanvas-view`, which draws and exports boards.
enum ViewProgram {
  /// How the program ended.
  struct End: Sendable {
    let isSuccess: Bool
    /// What it printed.
    var output: [UInt8] = []
    /// Its first message, without its own name; empty if it had none.
    let message: String
  }

  private static let maximumMessages = 64 << 10
  private static let maximumOutput = 256 << 20

  /// Runs the program, and collects its output.
  static func run(_ arguments: ViewArguments) async throws -> End {
    let result = try await Subprocess.run(
      .path(try ProgramLocation.view.find()),
      arguments: [try arguments.argument],
      platformOptions: options,
      output: .bytes(limit: maximumOutput),
      error: .string(limit: maximumMessages)
    )
    return End(
      isSuccess: result.terminationStatus.isSuccess,
      output: result.standardOutput,
      message: message(in: result.standardError)
    )
  }

  /// Runs the program, and passes on each line of its output.
  ///
  /// If the task is cancelled, the program ends.
  static func run(_ arguments: ViewArguments, line: @Sendable (String) -> Void) async throws -> End {
    let result = try await Subprocess.run(
      .path(try ProgramLocation.view.find()),
      arguments: [try arguments.argument],
      platformOptions: options,
      input: .none,
      output: .sequence,
      error: .string(limit: maximumMessages)
    ) { execution in
      for try await text in execution.standardOutput.strings() { line(text) }
    }
    return End(isSuccess: result.terminationStatus.isSuccess, message: message(in: result.standardError))
  }

  private static var options: PlatformOptions {
    // Ctrl-C is sent to the whole foreground process group, but this server ends its programs itself.
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  private static func message(in text: String) -> String {
    let (lines, name) = (text.split(separator: "\n"), "clipcanvas: ")
    let own = lines.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    return (own ?? lines.first).map { DisplayName.of(String($0)) } ?? ""
  }
}
