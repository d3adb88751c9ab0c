internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

extension ProgramLocation {
  /// Finds the program and replaces this process with it, keeping the process ID, descriptors and terminal.
  ///
  /// - Parameter arguments: The program's arguments.
  /// - Throws: `ServiceError` if the program cannot be found, or `CommandError` if it cannot be run.
  func replaceProcess(passing arguments: some PassedArguments) throws -> Never {
    let program = try find()
    let words = [program.withPlatformString { strdup($0) }, strdup(try arguments.argument), nil]
    // This thread may have blocked signals, which the program would inherit.
    var mask = sigset_t()
    sigemptyset(&mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    _ = program.withPlatformString { execv($0, words) }
    let error = Errno(rawValue: errno)
    throw CommandError(.cannotContinue, "cannot run \(program.displayText): \(error.message)")
  }
}
