internal import Glibc
package import SystemPackage

/// The folders and programs that tests use.
package enum ProjectFolder {
  /// The project's top folder.
  package static let top = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
  /// The folder of the fixtures.
  package static let fixtures = top.appending("Fixtures")
  /// The folder of real recordings next to the project, which exists only on development machines.
  package static let sharedClips = top.appending("..").appending("shared").appending("clips").lexicallyNormalized()

  /// The folder of the programs that were built with the running tests.
  package static let programs: FilePath = {
    // The tests run from the test bundle in the build folder, or from a helper that has it among its arguments.
    let candidates = [executable] + CommandLine.arguments.map { FilePath($0) }
    for candidate in candidates {
      let folder = candidate.removingLastComponent()
      if isThere(folder.appending("clipcanvas")) { return folder }
    }
    return top.appending(".build").appending("debug")
  }()

  /// Returns the path of one of the package's programs.
  package static func program(_ name: String) -> FilePath { programs.appending(name) }

  /// Returns the path of a fixture.
  package static func fixture(_ name: String) -> FilePath { fixtures.appending(name) }

  /// Whether a file of any kind exists at the path.
  package static func isThere(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  private static var executable: FilePath {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return FilePath(platformString: path)
  }
}
