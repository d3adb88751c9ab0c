internal import BoardSupport
internal import CCertificate
internal import Covers
internal import Files
internal import Glibc
internal import NIOSSL
internal import SystemPackage

/// A certificate with its key, for TLS.
struct SharedCertificate: Sendable {
  /// The settings of TLS.
  let configuration: TLSConfiguration
  /// The SHA-256 fingerprint, as browsers show it: `0A:1B:…`.
  let fingerprint: String

  /// - Parameter pem: A text with the certificate and its key.
  private init?(pem: [UInt8], fingerprint: String) {
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem), !chain.isEmpty,
      let key = try? NIOSSLPrivateKey(bytes: pem, format: .pem)
    else { return nil }
    configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(key)
    )
    self.fingerprint = fingerprint
    // Fails if the key is another's.
    guard (try? NIOSSLContext(configuration: configuration)) != nil else { return nil }
  }

  /// Creates the certificate that the user named.
  init(_ identity: ServeArguments.Identity) throws(CommandError) {
    configuration = try identity.configuration()
    guard let bytes = try? PEM(contentsOf: identity.certificate) else {
      throw CommandError(.cannotContinue, "cannot read \(identity.certificate.displayText)")
    }
    fingerprint = bytes.fingerprint
  }

  // MARK: - The certificate of this user

  /// How long a certificate is valid: browsers distrust those for more than 398 days.
  private static let days = 397
  private static let day = 24 * 60 * 60
  private static let maximumBytes = 16 << 10

  /// Returns the certificate in the user's state folder, or makes a new one if that cannot be used.
  ///
  /// - Parameters:
  ///   - names: The host names and IP addresses of the server.
  ///   - place: The place of the file.
  ///   - now: The time, in seconds since 1970.
  static func ofThisUser(
    for names: [String],
    in place: OutputPlace = StateFolder.place("certificate.pem"),
    at now: Int = time(nil)
  ) throws(CommandError) -> SharedCertificate {
    let fault: String
    if let bytes = StateFolder.read(place, maximum: maximumBytes), let pem = PEM(bytes),
      let certificate = SharedCertificate(pem: bytes, fingerprint: pem.fingerprint)
    {
      if now < pem.begin {
        // Devices whose clocks are right accept it, and would not accept a new one.
        StandardError.print(
          "clipcanvas: the clock of this machine is earlier than the start of the certificate "
            + "\(place.path.displayText); set the clock, or remove the file if its time is wrong"
        )
        return certificate
      }
      let missing = names.first { !pem.covers($0) }
      guard now > pem.end - day || missing != nil else { return certificate }
      fault = missing.map { "does not name \($0), an address of this machine" } ?? "has expired"
    } else if case .nothing = place.occupant() {
      StandardError.print("clipcanvas: made a certificate for shared boards: \(place.path.displayText)")
      return try make(for: names, from: now, at: place)
    } else {
      fault = "is damaged, or others could have read it"
    }
    StandardError.print(
      "clipcanvas: \(place.path.displayText) \(fault), so a new certificate was made; browsers that accepted the old "
        + "one warn again: compare the new fingerprint"
    )
    return try make(for: names, from: now, at: place)
  }

  private static func make(
    for names: [String],
    from now: Int,
    at place: OutputPlace
  ) throws(CommandError) -> SharedCertificate {
    let subject = "ClipCanvas on \(NetworkAddresses.hostNames.first ?? "this machine")"
    let list = names.map { (NetworkAddresses.isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
    var error = ccertificate_error()
    // A day back, for phones whose clocks are slow.
    let begin = Int64(now - day)
    // X.509 limits a common name to 64 characters.
    let end = begin + Int64(days * day)
    guard let text = ccertificate_make(String(subject.prefix(64)), list, begin, end, &error) else {
      let reason = withUnsafeBytes(of: &error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw CommandError(.cannotContinue, "cannot make a certificate: \(reason)")
    }
    defer { ccertificate_free(text) }
    let string = String(cString: text)
    do throws(FileReplacementError) {
      try StateFolder.write(string, to: place)
    } catch {
      throw StateFolder.unusable(error)
    }
    let bytes = Array(string.utf8)
    guard let pem = PEM(bytes), let certificate = SharedCertificate(pem: bytes, fingerprint: pem.fingerprint) else {
      throw CommandError(.cannotContinue, "the new certificate cannot be used")
    }
    return certificate
  }
}

/// The first certificate in a PEM text.
private struct PEM: ~Copyable {
  private let certificate: OpaquePointer
  /// The time when it becomes valid, in seconds since 1970.
  let begin: Int
  /// The time when it expires, in seconds since 1970.
  let end: Int
  /// Its SHA-256 digest in hexadecimal digits.
  let fingerprint: String

  init?(_ bytes: [UInt8]) {
    guard let certificate = ccertificate_open(bytes, bytes.count) else { return nil }
    self.certificate = certificate
    let facts = ccertificate_read(certificate)
    (begin, end) = (Int(facts.begin), Int(facts.end))
    fingerprint = withUnsafeBytes(of: facts.digest) { digest in
      digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
  }

  init?(contentsOf path: FilePath) throws {
    let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    defer { try? file.close() }
    self.init(
      try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    )
  }

  deinit { ccertificate_close(certificate) }

  /// Whether it is valid for a host name or an address.
  func covers(_ name: String) -> Bool { ccertificate_covers(certificate, name) }
}
