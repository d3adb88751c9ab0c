internal import ArgumentParser
internal import BoardText
internal import CoverService
internal import Files
internal import Glibc
internal import SystemPackage

extension ProgramLocation {
  /// Finds the program and runs it in place of this one, with this one's number, files and terminal.
  ///
  /// - Parameter arguments: What the program is to do.
  /// - Throws: Where it cannot be found or run, which is told already in the latter case.
  func become(passing arguments: some ProgramArguments) throws -> Never {
    let program = try find()
    let words = [program.withPlatformString { strdup($0) }, strdup(try arguments.argument), nil]
    // This may run on a thread that has signals blocked, and the program would have them blocked for good.
    var mask = sigset_t()
    sigemptyset(&mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    _ = program.withPlatformString { execv($0, words) }
    let error = Errno(rawValue: errno)
    Console.complain("clipcanvas: cannot run \(program.displayText): \(error.words)")
    throw ExitStatus.couldNotGoOn
  }
}
