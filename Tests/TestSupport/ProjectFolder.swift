internal import Glibc
public import SystemPackage

/// The folders and programs that tests work with.
public enum ProjectFolder {
  /// The project's top folder.
  public static let top = FilePath(#filePath).removingLastComponent().removingLastComponent().removingLastComponent()
  /// The project's own clips.
  public static let fixtures = top.appending("Fixtures")
  /// Recordings that are kept beside the project where it is developed; a user's machine has none.
  public static let sharedClips = top.appending("..").appending("shared").appending("clips").lexicallyNormalized()

  /// The folder of the programs that were built together with the running tests.
  public static let programs: FilePath = {
    // The tests run from the build folder's test bundle, or from a helper that has it among its arguments.
    let candidates = [executable] + CommandLine.arguments.map { FilePath($0) }
    for candidate in candidates {
      let folder = candidate.removingLastComponent()
      if isThere(folder.appending("clipcanvas")) { return folder }
    }
    return top.appending(".build").appending("debug")
  }()

  /// A program of the package, by its product's name.
  public static func program(_ name: String) -> FilePath { programs.appending(name) }

  /// A clip of the project's own.
  public static func fixture(_ name: String) -> FilePath { fixtures.appending(name) }

  /// Whether anything is at the path.
  public static func isThere(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, F_OK) } == 0
  }

  private static var executable: FilePath {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return FilePath(platformString: path)
  }
}
