internal import CSandbox
package import Covers
internal import Glibc
package import SystemPackage

/// The kind of sandbox that a program requires.
package enum SandboxProfile: Sendable {
  /// One thread, which writes pictures.
  case decoder
  /// Several threads, which write videos.
  case composer

  var program: csandbox_program { self == .decoder ? CSANDBOX_DECODER : CSANDBOX_COMPOSER }
}

/// The sandbox of this process; `CSandbox` contains the mechanism.
package enum ProcessSandbox {
  /// Applies parts of the sandbox to this process permanently, and returns the resulting state.
  ///
  /// - Parameters:
  ///   - parts: The names of the parts.
  ///   - profile: The kind of sandbox.
  ///   - addressSpace: The limit on the address space in MiB (default: the usual one of the program).
  ///   - endsWithParent: Whether the standard output is a lifeline: a socket that the parent closes when it ends,
  ///     whereupon the kernel kills this process.
  package static func apply(
    _ parts: Set<String>,
    for profile: SandboxProfile,
    addressSpace: Int? = nil,
    endsWithParent: Bool
  ) -> SandboxState {
    var state = csandbox_state()
    let lifeline = endsWithParent ? CSANDBOX_LIFELINE : -1
    csandbox_apply(profile.program, bits(of: parts), UInt64(addressSpace ?? 0) << 20, lifeline, &state)
    return SandboxState(
      holds: all.filter { csandbox_missing(&state, $0) == nil }.map(name),
      landlock: state.landlock_abi > 0 ? Int(state.landlock_abi) : nil,
      missing: all.compactMap { part in
        csandbox_missing(&state, part).map { .init(part: name(of: part), reason: String(cString: $0)) }
      }
    )
  }

  /// Lowers limits of this process, which it cannot raise again.
  ///
  /// - Parameters:
  ///   - fileBytes: The maximum size of a file that it writes.
  ///   - tasks: The number of threads that all processes of its user may have when it starts one; `nil` for no limit.
  ///     Processes of root are exempt.
  package static func lowerLimits(fileBytes: Int, tasks: Int?) throws(Errno) {
    let tasks = tasks.map(UInt64.init) ?? .max
    guard csandbox_lower_limits(UInt64(fileBytes), tasks) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Configures the heap so that allocated memory is filled with zeros.
  ///
  /// Call it before a clip is decoded. Some of FFmpeg's decoders expose memory that they did not write and that may
  /// contain data of another clip.
  package static func setUpHeap() { csandbox_set_up_heap() }

  /// Gives free memory that the heap keeps back to the system.
  package static func giveBackMemory() { csandbox_give_back_memory() }

  /// Keeps this process from getting huge pages, which x264 asks for and hardly uses.
  ///
  /// Call it before the sandbox is entered.
  package static func avoidHugePages() { csandbox_avoid_huge_pages() }

  /// The names of the parts that a mode applies.
  package static func parts(of mode: SandboxMode) -> Set<String> {
    mode == .off ? [] : Set(all.map(name))
  }

  /// Returns parts as a bit set.
  static func bits(of parts: Set<String>) -> UInt32 {
    all.filter { parts.contains(name(of: $0)) }.reduce(0) { $0 | 1 << $1.rawValue }
  }

  private static let all = (0..<UInt32(CSANDBOX_PARTS)).map { csandbox_part(rawValue: $0) }

  private static func name(of part: csandbox_part) -> String {
    String(cString: csandbox_part_name(part))
  }
}
