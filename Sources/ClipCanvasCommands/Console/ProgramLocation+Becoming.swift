internal import ArgumentParser
internal import CoverService
internal import Files
internal import Glibc
internal import SystemPackage

extension ProgramLocation {
  /// Finds the program and runs it in place of this one, with this one's number, files and terminal.
  ///
  /// - Parameters:
  ///   - options: The first arguments.
  ///   - files: What follows: options that take a file.
  /// - Throws: Where it cannot be found or run, which is told already in the latter case.
  func become(_ options: [String], files: [(option: String, path: FilePath)]) throws -> Never {
    let program = try find()
    var words = [program.withPlatformString { strdup($0) }] + options.map { strdup($0) }
    for (option, path) in files { words += [strdup(option), path.withPlatformString { strdup($0) }] }
    words.append(nil)
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
