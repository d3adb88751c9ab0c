import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import BoardServer

@Suite("The certificate of a shared board")
struct CertificateTests {
  private static let names = ["192.0.2.7", "studio", "studio.local", "fd00::7", "localhost"]
  private let scratch: ScratchFolder
  private var place: OutputPlace { OutputPlace(scratch("state/certificate.pem"), derivedComponents: 1) }

  init() throws { scratch = try ScratchFolder() }

  private func openssl(_ arguments: String...) async throws -> String {
    let result = try await Program.runTool("openssl", arguments)
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    return result.text
  }

  /// Returns a time as OpenSSL's program prints it.
  private static func date(_ seconds: Int) async throws -> String {
    let result = try await Program.runTool("date", ["-u", "-d", "@\(seconds)", "+%F %TZ"])
    return result.text.filter { $0 != "\n" }
  }

  @Test("OpenSSL's program finds the names, the time, the use and the fingerprint, and accepts the signature")
  func content() async throws {
    let now = Int(time(nil))
    let certificate = try SharedCertificate.ofThisUser(for: Self.names, in: place, at: now)
    let file = place.path.string
    #expect(try await openssl("verify", "-x509_strict", "-CAfile", file, file).hasSuffix(": OK\n"))
    let fingerprint = try await openssl("x509", "-in", file, "-noout", "-fingerprint", "-sha256")
    #expect(fingerprint == "sha256 Fingerprint=\(certificate.fingerprint)\n")
    let text = try await openssl("x509", "-in", file, "-noout", "-text")
    for words in [
      "Version: 3 (0x2)", "CA:FALSE", "TLS Web Server Authentication", "ASN1 OID: prime256v1", "Digital Signature",
      "IP Address:192.0.2.7, DNS:studio, DNS:studio.local, IP Address:FD00:0:0:0:0:0:0:7, DNS:localhost",
    ] { #expect(text.contains(words), "\(words) is not in \(text)") }
    let dates = try await openssl("x509", "-in", file, "-noout", "-dates", "-dateopt", "iso_8601")
    let (begin, end) = (try await Self.date(now - 86_400), try await Self.date(now + 396 * 86_400))
    #expect(dates == "notBefore=\(begin)\nnotAfter=\(end)\n")
    #expect(try await openssl("pkey", "-in", file, "-noout", "-text").contains("Private-Key: (256 bit)"))
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
  }

  @Test("It stays the same, and each has its own serial number and key")
  func kept() async throws {
    let first = try SharedCertificate.ofThisUser(for: Self.names, in: place)
    let fewer = Array(Self.names.prefix(2))
    #expect(try SharedCertificate.ofThisUser(for: fewer, in: place).fingerprint == first.fingerprint)
    let serial = try await openssl("x509", "-in", place.path.string, "-noout", "-serial", "-pubkey")
    #expect(unlink(place.path.string) == 0)
    #expect(try SharedCertificate.ofThisUser(for: Self.names, in: place).fingerprint != first.fingerprint)
    #expect(try await openssl("x509", "-in", place.path.string, "-noout", "-serial", "-pubkey") != serial)
  }

  @Test(
    "One that has expired, is damaged, readable by others or made for other addresses is replaced",
    arguments: ["expired", "expires tomorrow", "cut", "key", "mode", "name"]
  )
  func replaced(_ fault: String) async throws {
    let (now, day) = (Int(time(nil)), 86_400)
    let begin = ["expired": now - 400 * day, "expires tomorrow": now - 396 * day][fault] ?? now
    let old = try SharedCertificate.ofThisUser(for: Self.names, in: place, at: begin)
    let text = String(decoding: try ScratchFolder.read(place.path), as: UTF8.self)
    switch fault {
    case "cut": try ScratchFolder.write(text.utf8.dropLast(100), to: place.path)
    case "key":
      let other = OutputPlace(scratch("state/other.pem"), derivedComponents: 1)
      _ = try SharedCertificate.ofThisUser(for: Self.names, in: other)
      let foreign = String(decoding: try ScratchFolder.read(other.path), as: UTF8.self)
      let (mine, key) = (text.firstRange(of: "-----BEGIN PRIVATE"), foreign.firstRange(of: "-----BEGIN PRIVATE"))
      let mixed = text[..<(try #require(mine).lowerBound)] + foreign[(try #require(key).lowerBound)...]
      try ScratchFolder.write(mixed.utf8, to: place.path)
      #expect(chmod(place.path.string, 0o600) == 0)
    case "mode": #expect(chmod(place.path.string, 0o644) == 0)
    default: break
    }
    let names = fault == "name" ? Self.names + ["198.51.100.1"] : Self.names
    let new = try SharedCertificate.ofThisUser(for: names, in: place, at: now)
    #expect(new.fingerprint != old.fingerprint)
    #expect(try SharedCertificate.ofThisUser(for: names, in: place, at: now).fingerprint == new.fingerprint)
    var status = stat()
    #expect(lstat(place.path.string, &status) == 0 && status.st_mode & 0o7777 == 0o600)
  }

  @Test("If the clock of the machine is in the past, an existing certificate is kept")
  func pastClock() throws {
    let certificate = try SharedCertificate.ofThisUser(for: Self.names, in: place)
    #expect(try SharedCertificate.ofThisUser(for: Self.names, in: place, at: 0).fingerprint == certificate.fingerprint)
  }

  @Test("Without a place for it, the error names the folder and the way out")
  func nowhere() throws {
    let place = OutputPlace("/proc/nowhere/certificate.pem", derivedComponents: 1)
    let error = #expect(throws: (any Error).self) { try SharedCertificate.ofThisUser(for: Self.names, in: place) }
    let text = "\(try #require(error))"
    #expect(text.contains("/proc/nowhere") && text.contains("set XDG_STATE_HOME"), "\(text)")
  }
}
