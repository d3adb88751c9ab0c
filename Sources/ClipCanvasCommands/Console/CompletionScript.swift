internal import ArgumentParser
internal import Covers

/// The completion script of a shell.
///
/// It is ArgumentParser's, with changes that keep output of the program from reaching the shell as anything but words:
/// - In bash, words are compared with the typed one as they are. ArgumentParser passes them to `compgen -W`, which
///   expands them, so that a word such as `$(command)` would run the command.
/// - The program's messages do not appear in the line that is being typed, and it reads no keys.
struct CompletionScript {
  /// The script.
  let text: String

  /// Creates the script that the arguments of the program request; `nil` if they request none, or that of a shell
  /// without completions, which ArgumentParser reports.
  init?(requestedBy arguments: [String]) {
    let option = "--generate-completion-script"
    let words = arguments.prefix { $0 != "--" }
    guard let index = words.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
    let next = words[index] == option ? words[(index + 1)...].first : String(words[index].dropFirst(option.count + 1))
    guard let shell = next.map({ CompletionShell(rawValue: $0) }) ?? .autodetected() else { return nil }
    self.init(for: shell)
  }

  /// Creates the script of a shell.
  init(for shell: CompletionShell) {
    text = Self.changes(for: shell).reduce(ClipCanvas.completionScript(for: shell)) { script, change in
      let parts = script.split(separator: change.old, omittingEmptySubsequences: false)
      // Package.swift admits only versions of ArgumentParser whose scripts are known.
      precondition(parts.count == 2, "the completion script has no '\(change.old)'")
      return parts.joined(separator: change.new)
    }
  }

  private static let silently = " 2>/dev/null </dev/null"

  /// The texts to replace; each occurs once.
  private static func changes(for shell: CompletionShell) -> [(old: String, new: String)] {
    switch shell {
    case .bash:
      let start = "__clipcanvas_add_completions() {\n"
      let call = #""${COMP_WORDS[0]}" "${@}" "${words[@]}""#
      return [(start, start + offerLines), (call + "\n", call + silently + "\n")]
    case .zsh:
      let call = #""${command_name}" "${@}" "${command_line[@]}""#
      return [(call, call + silently)]
    default:
      let call = "command $tokens[1] $argv $tokens\n"
      return [(call, call.dropLast() + silently + "\n")]
    }
  }

  /// The start of the function of bash that offers words: lines that are passed with `-W`.
  ///
  /// A quotation mark and backslashes of the typed word do not count, as with `compgen`.
  private static let offerLines = #"""
        if [[ "${1}" = -W ]]; then
            local typed="${cur#[\"\']}"
            typed="${typed//\\/}"
            local -a lines
            mapfile -t lines < <(printf '%s\n' "${2}")
            local line
            for line in "${lines[@]}"; do
                if [[ -n "${line}" && "${line}" = "${typed}"* ]]; then
                    COMPREPLY+=("${line}")
                fi
            done
            return
        fi

    """# + "\n"
}
