internal import ArgumentParser
internal import ClipService
internal import Covers

/// The option for the names of covers.
struct NameOption: ParsableArguments {
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(
      "The pattern of the covers' names: {name} is the file name of the clip, {stem} the same without the extension, and "
        + "{ext} the extension of the cover (default: {name}.{ext}).",
      valueName: "pattern"
    ),
    completion: .list(["{name}.{ext}", "{stem}-thumb.{ext}", "{stem}.{ext}"]),
    transform: { try OptionValue.coverName($0) }
  )
  private var name: CoverName?

  /// Whether the user named a pattern.
  var isGiven: Bool { name != nil }

  /// The pattern.
  var pattern: CoverName { name ?? .usual }

  /// Returns the format of the covers.
  ///
  /// - Parameter requested: The format that the user named; `nil` for that of the pattern's file extension.
  /// - Throws: A validation error if the two differ.
  func format(_ requested: CoverFormat?) throws -> CoverFormat? {
    guard let named = pattern.format, let requested else { return requested ?? pattern.format }
    guard requested == named else {
      throw ValidationError(
        "'--name \(pattern)' and '--format \(requested.rawValue)' name two formats; end the pattern with .{ext}"
      )
    }
    return named
  }
}
