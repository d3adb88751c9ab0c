package import Subprocess
package import SystemPackage

/// The result of a program.
package struct ProgramResult: Sendable {
  /// How the program ended.
  package let status: TerminationStatus
  /// The standard output.
  package let output: [UInt8]
  /// The standard error, as text.
  package let errorOutput: String

  /// Creates a result.
  package init(status: TerminationStatus, output: [UInt8], errorOutput: String) {
    (self.status, self.output, self.errorOutput) = (status, output, errorOutput)
  }

  /// The standard output, as text.
  package var text: String { String(decoding: output, as: UTF8.self) }

  /// The exit status, or 128 + n after signal n, as in a shell.
  package var exitStatus: Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }
}

/// Runs real programs.
///
/// The JSON that `clipcanvas` prints or writes is validated; see ``OutputCheck``.
package enum Program {
  private static let maximumOutput = 256 << 20

  /// Runs one of the package's programs.
  package static func run(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    let result = try await execute(
      .path(ProjectFolder.program(name)),
      Arguments(arguments),
      in: folder,
      environment: inherited(with: environment)
    )
    return try await result.checked(name, arguments, in: folder, environment: environment)
  }

  /// Runs one of the package's programs with the given standard input.
  package static func run(
    _ name: String,
    _ arguments: [String],
    input: String,
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    let executable = Executable.path(ProjectFolder.program(name))
    let result = try await RunTimes.measure(of: executable) {
      try await Subprocess.run(
        executable,
        arguments: Arguments(arguments),
        environment: inherited(with: environment),
        workingDirectory: folder,
        input: .string(input),
        output: .bytes(limit: maximumOutput),
        error: .string(limit: 1 << 20)
      )
    }
    return try await ProgramResult(
      status: result.terminationStatus,
      output: result.standardOutput,
      errorOutput: result.standardError
    ).checked(name, arguments, in: folder, environment: environment)
  }

  /// The error thrown if a program is not in `PATH`.
  package struct Missing: Error, CustomStringConvertible {
    /// The program, and how to install it.
    package let description: String

    init(_ name: String) {
      let package = ["ffmpeg", "ffprobe"].contains(name) ? "the package ffmpeg" : "what the tests need"
      description = "\(name) is not installed; 'make setup' installs \(package)"
    }
  }

  /// The system's Python, which its packages are made for, whichever Python comes first in `PATH`.
  package static let python = FilePath("/usr/bin/python3")

  /// Runs a program found in `PATH`, or for `python3` the system's.
  ///
  /// What ffmpeg and ffprobe made of the same words and files before comes from the ``ClipCache``.
  package static func runTool(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath? = nil
  ) async throws -> ProgramResult {
    switch name {
    case "ffmpeg", "ffprobe": try await ClipCache.shared.result(of: name, arguments, in: folder)
    default: try await runDirectly(name, arguments, in: folder)
    }
  }

  /// Runs a program as ``runTool(_:_:in:)`` does, even if its result is known.
  @Sendable
  package static func runDirectly(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath?
  ) async throws -> ProgramResult {
    do {
      let loaded = ["ffmpeg", "ffprobe"].contains(name) ? await LoadedPrograms.shared.client(of: name) : nil
      let path = name == "python3" ? python : loaded?.path
      let result = try await execute(
        path.map { .path($0) } ?? .name(name),
        Arguments(arguments),
        in: folder,
        environment: inherited(with: loaded?.environment ?? [:])
      )
      return try await result.checked(name, arguments, in: folder)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      throw Missing(name)
    }
  }

  /// Runs any program with any arguments, including arguments that are not UTF-8, or a script of a shell.
  ///
  /// - Parameter printsOtherJSON: Whether the output may be JSON that is not of `clipcanvas`, such as that of jq.
  package static func run(
    _ executable: Executable,
    _ arguments: Arguments,
    in folder: FilePath? = nil,
    environment: Environment = .inherit,
    printsOtherJSON: Bool = false
  ) async throws -> ProgramResult {
    let result = try await execute(executable, arguments, in: folder, environment: environment)
    if !printsOtherJSON { try await OutputCheck.check(result) }
    return result
  }

  /// Returns the environment of the tests with further variables.
  package static func inherited(with variables: [String: String]) -> Environment {
    .inherit.updating(Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) }))
  }

  private static func execute(
    _ executable: Executable,
    _ arguments: Arguments,
    in folder: FilePath?,
    environment: Environment
  ) async throws -> ProgramResult {
    ExitTestMonitor.lowerPriority()
    let result = try await RunTimes.measure(of: executable) {
      try await Subprocess.run(
        executable,
        arguments: arguments,
        environment: environment,
        workingDirectory: folder,
        input: .none,
        output: .bytes(limit: maximumOutput),
        error: .string(limit: 1 << 20)
      )
    }
    return ProgramResult(
      status: result.terminationStatus,
      output: result.standardOutput,
      errorOutput: result.standardError
    )
  }
}

extension ProgramResult {
  /// Returns the result after validating the JSON of `clipcanvas`, which another program, such as strace or a shell, may
  /// have run.
  func checked(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath?,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    let path = ProjectFolder.program("clipcanvas").string
    if ["clipcanvas", "hurried-watch", path].contains(name) {
      try await OutputCheck.check(self, of: arguments, in: folder, environment: environment)
    } else if arguments.contains(path) {
      try await OutputCheck.check(self)
    }
    return self
  }
}
