internal import BoardSupport
internal import Covers
internal import Files
internal import Glibc
internal import NIOSSL
internal import SystemPackage

extension ServeArguments.Identity {
  /// Returns the configuration of TLS with the certificate and its key.
  func configuration() throws(CommandError) -> TLSConfiguration {
    for (file, option) in [(certificate, "--certificate"), (key, "--key")]
    where file.withPlatformString({ access($0, R_OK) }) != 0 {
      let error = Errno(rawValue: errno)
      throw CommandError(
        .cannotContinue,
        "cannot read \(file.displayText): \(error.message); name another file with \(option)"
      )
    }
    guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate.string), !chain.isEmpty else {
      throw CommandError(
        .cannotContinue,
        "\(certificate.displayText) contains no readable certificate: --certificate takes a PEM file"
      )
    }
    guard let privateKey = try? NIOSSLPrivateKey(file: key.string, format: .pem) else {
      throw CommandError(
        .cannotContinue,
        "\(key.displayText) contains no readable private key: --key takes a PEM file without a passphrase"
      )
    }
    let configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(privateKey)
    )
    guard (try? NIOSSLContext(configuration: configuration)) != nil else {
      throw CommandError(
        .cannotContinue,
        "\(key.displayText) is not the key of \(certificate.displayText); name its own key with --key"
      )
    }
    return configuration
  }
}
