package import ClipService
package import Covers
internal import Files

extension CoverService {
  /// Returns a service that uses the installed decoder.
  ///
  /// - Parameters:
  ///   - timeout: The time limit for the work on one clip, in seconds.
  ///   - sandbox: How the decoder is sandboxed.
  ///   - warns: Whether to print a warning if a part of the sandbox is missing.
  package static func installed(
    timeout: Int,
    sandbox: SandboxMode,
    warns: Bool = true
  ) throws(ServiceError) -> CoverService {
    CoverService(decoder: try ProgramLocation.decoder.find(), timeout: .seconds(timeout), sandbox: sandbox) { state in
      if warns { StandardError.print("clipcanvas: \(state.warning)") }
    }
  }
}

extension VideoService {
  /// Returns a service that uses the installed programs and warns about missing parts of their sandbox.
  ///
  /// - Parameters:
  ///   - timeout: The longest time without progress, in seconds.
  ///   - sandbox: How the programs are sandboxed.
  ///   - covers: The service that checks videos; `nil` for one with the same options.
  package static func installed(
    timeout: Int,
    sandbox: SandboxMode,
    covers: CoverService? = nil
  ) throws(ServiceError) -> VideoService {
    let composer = try ProgramLocation.composer.find()
    let covers =
      if let covers { covers } else {
        try CoverService.installed(timeout: timeout, sandbox: sandbox, warns: false)
      }
    return VideoService(composer: composer, covers: covers, timeout: .seconds(timeout), sandbox: sandbox) { state in
      StandardError.print("clipcanvas: \(state.warning)")
    }
  }
}

extension CommandError {
  /// Creates the error for a program that cannot be started.
  package init(_ error: ServiceError) { self.init(.cannotContinue, error.description) }

  /// Returns the result of work with a service, whose errors end the command.
  package static func orResult<Result>(
    of work: () async throws(ServiceError) -> Result
  ) async throws(CommandError) -> Result {
    do throws(ServiceError) {
      return try await work()
    } catch {
      throw CommandError(error)
    }
  }
}
