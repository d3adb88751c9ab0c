/// How a decoder is locked in before it sees a clip.
public enum SandboxMode: String, CaseIterable, Codable, Hashable, Sendable {
  /// By all that the kernel offers; without both Landlock and seccomp no work is done.
  case auto
  /// By all there is, or no work is done.
  case require
  /// Not at all; for debugging.
  case off
}

/// What of a decoder's lock-in holds.
public struct SandboxState: Codable, Hashable, Sendable {
  /// A part that does not hold.
  public struct Missing: Codable, Hashable, Sendable {
    /// Its name, such as `landlock`; ARCHITECTURE.md lists them.
    public var part: String
    /// Why, for a person.
    public var reason: String

    /// Makes one of its parts.
    public init(part: String, reason: String) {
      self.part = part
      self.reason = reason
    }
  }

  /// The names of the parts that hold.
  public var holds: [String]
  /// The version (ABI) of the kernel's Landlock, where that part holds.
  public var landlock: Int?
  /// The parts that do not hold.
  public var missing: [Missing]

  /// Makes one of its parts.
  public init(holds: [String], landlock: Int?, missing: [Missing]) {
    self.holds = holds
    self.landlock = landlock
    self.missing = missing
  }

  /// Whether every part holds.
  public var isComplete: Bool { missing.isEmpty }

  /// Whether at least one of the parts holds that keep files closed.
  public var keepsFilesClosed: Bool {
    !Set(["landlock", "seccomp"]).isSubset(of: missing.map(\.part))
  }

  /// That work goes on all the same, for a person.
  public var warning: String {
    "the decoder is not fully locked in, it is without \(missingText); --sandbox require would not go on"
  }

  /// The parts that do not hold, each with its reason, for a person; empty when all hold.
  public var missingText: String {
    missing.map { "\($0.part) (\($0.reason))" }.joined(separator: ", ")
  }
}
