public import Subprocess
public import SystemPackage

/// The result of a program.
public struct ProgramResult: Sendable {
  /// How the program ended.
  public let status: TerminationStatus
  /// The standard output.
  public let output: [UInt8]
  /// The standard error, as text.
  public let errorOutput: String

  /// The standard output, as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// The exit status, or 128 + n after signal n, as in a shell.
  public var exitStatus: Int {
    switch status {
    case .exited(let code): Int(code)
    case .signaled(let signal): 128 + Int(signal)
    }
  }
}

/// Runs real programs.
public enum Program {
  private static let maximumOutput = 256 << 20

  /// Runs one of the package's programs.
  public static func run(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await run(
      .path(ProjectFolder.program(name)),
      Arguments(arguments),
      in: folder,
      environment: .inherit.updating(
        Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })
      )
    )
  }

  /// Runs one of the package's programs with the given standard input.
  public static func run(
    _ name: String,
    _ arguments: [String],
    input: String,
    in folder: FilePath? = nil,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    let result = try await Subprocess.run(
      .path(ProjectFolder.program(name)),
      arguments: Arguments(arguments),
      environment: .inherit.updating(
        Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0), $1) })
      ),
      workingDirectory: folder,
      input: .string(input),
      output: .bytes(limit: maximumOutput),
      error: .string(limit: 1 << 20)
    )
    return ProgramResult(
      status: result.terminationStatus,
      output: result.standardOutput,
      errorOutput: result.standardError
    )
  }

  /// Runs a program found in `PATH`.
  public static func runTool(
    _ name: String,
    _ arguments: [String],
    in folder: FilePath? = nil
  ) async throws -> ProgramResult {
    try await run(.name(name), Arguments(arguments), in: folder, environment: .inherit)
  }

  /// Runs any program with any arguments, including arguments that are not UTF-8.
  public static func run(
    _ executable: Executable,
    _ arguments: Arguments,
    in folder: FilePath? = nil,
    environment: Environment = .inherit
  ) async throws -> ProgramResult {
    let result = try await Subprocess.run(
      executable,
      arguments: arguments,
      environment: environment,
      workingDirectory: folder,
      input: .none,
      output: .bytes(limit: maximumOutput),
      error: .string(limit: 1 << 20)
    )
    return ProgramResult(
      status: result.terminationStatus,
      output: result.standardOutput,
      errorOutput: result.standardError
    )
  }
}
