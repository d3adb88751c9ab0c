internal import SystemPackage

/// Chromium and Selenium, for tests of what a browser shows.
package enum Browser {
  /// Whether the tests in a browser can run.
  package static var isHere: Bool {
    ["/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/lib/python3/dist-packages/selenium"].allSatisfy {
      ProjectFolder.isThere(FilePath($0))
    }
  }

  /// The reason to skip a test without them.
  package static let absence = "Chromium and Selenium are not installed (make setup-browser)"

  /// Runs a script of `Tests/Browser` with the system's Python, which Debian's packages are made for.
  ///
  /// Only one browser runs at a time, because two are too slow beside all other tests.
  package static func run(_ script: String, _ arguments: [String]) async throws -> ProgramResult {
    let path = ProjectFolder.top.appending("Tests/Browser").appending(script)
    let lock = ProjectFolder.top.appending(".build/browser.lock").string
    return try await Program.runTool("flock", [lock, "env", "PATH=/usr/bin:/bin", "python3", path.string] + arguments)
  }
}
