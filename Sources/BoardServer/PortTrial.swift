internal import BoardSupport
internal import Glibc
internal import SystemPackage

/// Finds out whether the server can listen on an address, for a better message than the server's own.
enum PortTrial {
  /// What prevents listening.
  enum Problem: Equatable {
    case unknownHost
    case system(Errno)
  }

  /// Returns what prevents listening; `nil` if nothing does.
  static func problem(with address: ListenAddress) -> Problem? {
    var hints = addrinfo()
    (hints.ai_socktype, hints.ai_flags) = (Int32(SOCK_STREAM.rawValue), AI_PASSIVE)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, "\(address.port)", &hints, &found) == 0, let info = found?.pointee else {
      return .unknownHost
    }
    defer { freeaddrinfo(found) }
    let trial = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
    guard trial >= 0 else { return .system(Errno(rawValue: errno)) }
    defer { close(trial) }
    var yes: Int32 = 1
    setsockopt(trial, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard bind(trial, info.ai_addr, info.ai_addrlen) != 0 else { return nil }
    return .system(Errno(rawValue: errno))
  }
}
