internal import Glibc
package import SystemPackage

/// Programs of the package that run with functions of a test's own in place of a library's.
package enum PreloadedProgram {
  /// The functions cannot be compiled.
  private struct NotCompiled: Error {
    let errors: String
  }

  /// Makes a program; its environment does not matter.
  ///
  /// - Parameters:
  ///   - name: The program.
  ///   - source: The functions, in C.
  package static func make(_ name: String, with source: String, in scratch: ScratchFolder) async throws -> FilePath {
    let (code, library) = (try scratch.write(source.utf8, as: "\(name).c"), scratch("\(name).so"))
    let result = try await Program.runTool("clang", ["-shared", "-fPIC", "-o", library.string, code.string, "-ldl"])
    guard result.exitStatus == 0 else { throw NotCompiled(errors: result.errorOutput) }
    let script = """
      #!/bin/sh
      LD_PRELOAD='\(library.string)' exec '\(ProjectFolder.program(name).string)' "$@"
      """
    let path = try scratch.write(script.utf8, as: "\(name).sh")
    guard path.withPlatformString({ chmod($0, 0o755) }) == 0 else { throw Errno(rawValue: errno) }
    return path
  }

  /// Makes a program that stops itself, as with SIGSTOP, at its n-th call of a function with two parameters.
  package static func stopping(
    _ name: String,
    atCall number: Int,
    of function: String,
    in scratch: ScratchFolder
  ) async throws -> FilePath {
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <signal.h>
      int \(function)(void *one, void *two) {
          static int count;
          int (*real)(void *, void *) = (int (*)(void *, void *))dlsym(RTLD_NEXT, "\(function)");
          if (++count == \(number)) {
              raise(SIGSTOP);
          }
          return real(one, two);
      }
      """
    return try await make(name, with: source, in: scratch)
  }
}
