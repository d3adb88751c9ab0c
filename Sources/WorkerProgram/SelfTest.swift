internal import CSandbox
internal import Covers
internal import Glibc
internal import SystemPackage

/// Tries operations that a sandboxed program must not be able to perform, and prints the result of each.
enum SelfTest {
  /// Runs the self-test with the given parts of the sandbox.
  ///
  /// - Returns: The exit status: 0 if every operation was denied.
  static func run(_ parts: Set<String>, for profile: SandboxProfile) -> Int32 {
    var isProven = true
    for number in 0..<csandbox_trial_count() {
      var trial = csandbox_trial()
      guard csandbox_try(number, profile.program, ProcessSandbox.bits(of: parts), &trial) == 0 else {
        say("cannot start a process for a trial: \(Errno(rawValue: errno))")
        return 2
      }
      let name = String(cString: csandbox_trial_name(number))
      let isGranted = profile == .composer && grantedToComposer.contains(name)
      isProven = (trial.verdict == CSANDBOX_DENIED || isGranted) && isProven
      say(line(name, &trial))
    }
    // This comes last, because it sandboxes the current process.
    let state = ProcessSandbox.apply(parts, for: profile, endsWithParent: false)
    let landlock = state.landlock.map { " (Landlock \($0))" } ?? ""
    say("holds: \(state.holds.isEmpty ? "nothing" : state.holds.joined(separator: ", "))\(landlock)")
    if !state.isComplete { say("missing: \(state.missingText)") }
    return isProven ? 0 : 1
  }

  /// The trials that the composer is granted: it has several threads and more memory, and videos are long.
  private static let grantedToComposer: Set = ["start a thread", "map 1 GiB", "write past 1 GiB of a file"]

  private static func line(_ what: String, _ trial: inout csandbox_trial) -> String {
    let how = withUnsafeBytes(of: &trial.how) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return switch trial.verdict {
    case CSANDBOX_DENIED: "denied \(what) (\(how))"
    case CSANDBOX_ALLOWED: "ALLOWED \(what)"
    default: "UNCLEAR \(what) (\(how))"
    }
  }

  private static func say(_ line: String) {
    _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
  }
}
