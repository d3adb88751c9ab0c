internal import Files
internal import Glibc
package import SystemPackage

/// The location of a program that `clipcanvas` runs.
package struct ProgramLocation: Sendable {
  /// The location of the decoder.
  package static let decoder = ProgramLocation(
    name: "clipcanvas-decoder",
    noun: "decoder",
    variable: "CLIPCANVAS_DECODER"
  )
  /// The location of the composer.
  package static let composer = ProgramLocation(
    name: "clipcanvas-composer",
    noun: "composer",
    variable: "CLIPCANVAS_COMPOSER"
  )
  /// The location of the program that shows a board.
  package static let view = ProgramLocation(name: "clipcanvas-view", noun: "program", variable: "CLIPCANVAS_VIEW")
  /// The location of the program that shows a board in browsers.
  package static let serve = ProgramLocation(name: "clipcanvas-serve", noun: "program", variable: "CLIPCANVAS_SERVE")

  /// The program's name.
  package let name: String
  /// The noun for the program in messages.
  package let noun: String
  /// The environment variable that overrides the location.
  package let variable: String

  private init(name: String, noun: String, variable: String) {
    (self.name, self.noun, self.variable) = (name, noun, variable)
  }

  /// Finds the program: at the path in the environment variable, beside this program (in a build folder), or in
  /// `../libexec/clipcanvas` (when installed).
  ///
  /// - Throws: ``ServiceError`` that names the paths searched.
  package func find() throws(ServiceError) -> FilePath {
    if let named = getenv(variable), named.pointee != 0 {
      let place = FilePath(platformString: named)
      guard Self.isProgram(place) else {
        throw ServiceError(
          "\(variable) names \(place.displayText), which is missing or cannot be run; correct or unset it"
        )
      }
      return place
    }
    let folder = try ownFolder()
    let places = [
      folder.appending(name),
      folder.removingLastComponent().appending("libexec").appending("clipcanvas").appending(name),
    ]
    for place in places where Self.isProgram(place) {
      return place
    }
    throw ServiceError(
      "cannot find \(name): looked for \(places.map(\.displayText).joined(separator: " and ")); "
        + "install it beside clipcanvas or specify it with \(variable)"
    )
  }

  private static func isProgram(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0
  }

  private func ownFolder() throws(ServiceError) -> FilePath {
    guard let path = Self.ofProcess else {
      throw ServiceError(
        "cannot find the path of this program (/proc/self/exe); mount /proc, or specify the \(noun) with \(variable)"
      )
    }
    return path.removingLastComponent()
  }

  /// The path of this program; `nil` without `/proc`.
  package static var ofProcess: FilePath? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return FilePath(platformString: path)
  }
}
