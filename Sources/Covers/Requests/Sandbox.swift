/// How strictly a decoder is sandboxed before it reads a clip.
package enum SandboxMode: String, CaseIterable, Codable, Hashable, Sendable {
  /// Use everything the kernel offers; fail if neither Landlock nor seccomp is available.
  case auto
  /// Use everything; fail if any part is missing.
  case require
  /// Do not use a sandbox; for debugging.
  case off
}

/// Which parts of a decoder's sandbox are in effect.
package struct SandboxState: Codable, Hashable, Sendable {
  /// A part that is not in effect.
  package struct Missing: Codable, Hashable, Sendable {
    /// The name of the part, such as `landlock`; ARCHITECTURE.md lists the names.
    package var part: String
    /// The reason for people.
    package var reason: String

    /// Creates a description of a missing part.
    package init(part: String, reason: String) {
      self.part = part
      self.reason = reason
    }
  }

  /// The names of the parts in effect.
  package var holds: [String]
  /// The version (ABI) of the kernel's Landlock, if that part is in effect.
  package var landlock: Int?
  /// The parts that are not in effect.
  package var missing: [Missing]

  /// Creates a sandbox state.
  package init(holds: [String], landlock: Int?, missing: [Missing]) {
    self.holds = holds
    self.landlock = landlock
    self.missing = missing
  }

  /// Whether every part is in effect.
  package var isComplete: Bool { missing.isEmpty }

  /// Whether at least one of the parts that prevent opening files is in effect.
  package var keepsFilesClosed: Bool {
    !Set(["landlock", "seccomp"]).isSubset(of: missing.map(\.part))
  }

  /// A warning for people that the sandbox is incomplete.
  package var warning: String {
    "the decoder's sandbox is incomplete: missing \(missingText); --sandbox require would stop here"
  }

  /// The missing parts with their reasons, for people; empty if the sandbox is complete.
  package var missingText: String {
    missing.map { "\($0.part) (\($0.reason))" }.joined(separator: ", ")
  }
}
