/// Arguments of commands that a person can paste into a shell.
package enum ShellText {
  /// Returns an argument as a shell accepts it, in quotes where it needs them, and with control characters escaped for
  /// display.
  package static func quoted(_ argument: String) -> String {
    let text = DisplayName.of(argument)
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_./,:+@%=".unicodeScalars.contains(scalar)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
