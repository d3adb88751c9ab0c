package import SystemPackage

/// The arguments of `clipcanvas-serve`.
package struct ServeArguments: PassedArguments, Hashable {
  /// A certificate and its private key, in PEM files.
  package struct Identity: Codable, Hashable, Sendable {
    /// The certificate, and those that lead from it to a known one.
    @ExactPath package var certificate: FilePath
    /// The private key.
    @ExactPath package var key: FilePath

    /// Creates the paths of a certificate and its key.
    package init(certificate: FilePath, key: FilePath) {
      (_certificate, _key) = (ExactPath(wrappedValue: certificate), ExactPath(wrappedValue: key))
    }
  }

  /// The board's file.
  @ExactPath package var board: FilePath
  /// The address to listen on, and the port; 0 for any free port.
  package var address: ListenAddress
  /// Whether another free port may be used if the port is taken, because the user did not ask for it.
  package var mayChangePort: Bool
  /// The names under which browsers may reach the server, besides its address.
  package var hosts: [String]
  /// The certificate for TLS; `nil` for plain HTTP.
  package var identity: Identity?
  /// For how many seconds the invitations of a shared board are valid; `nil` if it is not shared.
  package var invitationSeconds: Double?
  /// Whether to open the page in the user's browser.
  package var opensBrowser: Bool
  /// Whether the address is printed as JSON.
  package var printsJSON: Bool

  /// The commands that run the program.
  package static let commands = "'clipcanvas board serve'"

  /// Creates the arguments.
  package init(
    board: FilePath,
    address: ListenAddress,
    mayChangePort: Bool,
    hosts: [String],
    identity: Identity?,
    invitationSeconds: Double? = nil,
    opensBrowser: Bool,
    printsJSON: Bool
  ) {
    (_board, self.address, self.mayChangePort) = (ExactPath(wrappedValue: board), address, mayChangePort)
    (self.hosts, self.identity, self.invitationSeconds) = (hosts, identity, invitationSeconds)
    (self.opensBrowser, self.printsJSON) = (opensBrowser, printsJSON)
  }
}
