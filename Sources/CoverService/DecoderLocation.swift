internal import Glibc
public import SystemPackage

/// Where the decoder program is.
public enum DecoderLocation {
  /// The environment variable that names another decoder.
  public static let variable = "CLIPCANVAS_DECODER"
  private static let name = "clipcanvas-decoder"

  /// Finds the decoder: named by the environment, beside this program (a build folder), or in `../libexec/clipcanvas`
  /// (installed).
  ///
  /// - Throws: ``ServiceError`` that names the places looked at.
  public static func find() throws(ServiceError) -> FilePath {
    if let named = getenv(variable), named.pointee != 0 {
      let place = FilePath(platformString: named)
      guard isProgram(place) else {
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
    for place in places where isProgram(place) {
      return place
    }
    throw ServiceError(
      "cannot find \(name), looked for \(places.map(\.displayText).joined(separator: " and ")); "
        + "install it beside clipcanvas or name it in \(variable)"
    )
  }

  private static func isProgram(_ path: FilePath) -> Bool {
    path.withPlatformString { access($0, X_OK) } == 0
  }

  private static func ownFolder() throws(ServiceError) -> FilePath {
    guard let path = realpath("/proc/self/exe", nil) else {
      throw ServiceError("cannot find this program's own place (/proc/self/exe); name the decoder in \(variable)")
    }
    defer { free(path) }
    return FilePath(platformString: path).removingLastComponent()
  }
}
