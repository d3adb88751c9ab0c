internal import Glibc

/// The addresses under which other devices reach this machine.
enum NetworkAddresses {
  /// Returns the addresses of the network interfaces in use: first that of the way to the internet, which is usually
  /// the network of the phones, and IPv4 before IPv6.
  ///
  /// Addresses that only this machine or only one of its links can use are left out.
  ///
  /// - Parameter includesIPv6: Whether to return IPv6 addresses, too.
  static func current(includesIPv6: Bool) -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let entries = sequence(first: list) { $0?.pointee.ifa_next }.compactMap { $0?.pointee }
    let wanted = IFF_UP | IFF_RUNNING
    let found = entries.filter { Int($0.ifa_flags) & (wanted | IFF_LOOPBACK) == wanted }.compactMap { entry in
      entry.ifa_addr.flatMap { text(of: $0) }
    }
    let usable = found.filter { !$0.hasPrefix("fe80:") && (includesIPv6 || !$0.contains(":")) }
    let first = ofDefaultRoute()
    return usable.filter { $0 == first } + usable.filter { $0 != first && !$0.contains(":") }
      + usable.filter { $0.contains(":") }
  }

  /// The name of this machine, and its name in mDNS.
  static var hostNames: [String] {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
    let isHost = name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains($0) }
    guard !name.isEmpty, isHost, name != "localhost" else { return [] }
    return name.contains(".") ? [name] : [name, name + ".local"]
  }

  /// Whether a text is an IP address.
  static func isAddress(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(text.contains(":") ? AF_INET6 : AF_INET, text, &address) == 1
  }

  /// Returns the address that packets to the internet come from; none is sent to find that out.
  private static func ofDefaultRoute() -> String? {
    let trial = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard trial >= 0 else { return nil }
    defer { close(trial) }
    // An address for documentation (RFC 5737).
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), in_port_t(9).bigEndian)
    guard inet_pton(AF_INET, "203.0.113.1", &address.sin_addr) == 1 else { return nil }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard connect(trial, address, length) == 0, getsockname(trial, address, &length) == 0 else { return nil }
        return text(of: address)
      }
    }
  }

  /// Returns an address as text; `nil` for one of another kind.
  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let size: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = MemoryLayout<sockaddr_in>.size
    case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = getnameinfo(address, socklen_t(size), &bytes, socklen_t(bytes.count), nil, 0, NI_NUMERICHOST)
    guard result == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
