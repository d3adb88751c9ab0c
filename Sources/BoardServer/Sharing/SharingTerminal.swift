internal import BoardSupport
internal import Covers
internal import Dispatch
internal import Files
internal import Glibc
internal import SystemPackage

/// Invitations in the terminal.
enum SharingTerminal {
  /// Returns the text with an invitation.
  static func text(of invitation: Invitation) -> String {
    let minutes = Int((invitation.validity / .seconds(60)).rounded(.up))
    let time = minutes == 1 ? "a minute" : "\(minutes) minutes"
    var lines = ["", "To let a phone on this network record, open this on it within \(time); it works once:", ""]
    if let columns, columns >= invitation.code.terminalWidth { lines += invitation.code.terminalLines + [""] }
    lines += [
      "  " + invitation.address, "",
      "The phone's browser warns of the certificate, which this machine made. Before you continue there, compare its",
      "SHA-256 fingerprint, which is among the details of the certificate (the sign beside the address):",
      "", "  " + invitation.fingerprint, "",
    ]
    if isInteractive { lines.append("Press Enter to invite another phone, Ctrl-C to end.") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Prints a further invitation each time the user presses Enter.
  static func invite(on sharing: Sharing) {
    guard isInteractive else { return }
    // In the background, reading then fails instead of stopping the server.
    signal(SIGTTIN, SIG_IGN)
    DispatchQueue(label: "clipcanvas.terminal").async {
      while waitForEnter() {
        do throws(RequestFailure) {
          let text = text(of: try sharing.invite())
          _ = try? FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch {
          StandardError.print("clipcanvas: \(error.text)")
        }
      }
    }
  }

  /// Waits for the end of a line; returns false at the end of the input.
  private static func waitForEnter() -> Bool {
    var byte: UInt8 = 0
    while true {
      switch read(STDIN_FILENO, &byte, 1) {
      case 1 where byte == UInt8(ascii: "\n"): return true
      case 1: continue
      case 0: return false
      default:
        guard errno == EIO || errno == EINTR else { return false }
        // In the background; the user may bring the server back.
        sleep(1)
      }
    }
  }

  private static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal; `nil` if the output goes elsewhere.
  private static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    // A terminal that does not know its width has the usual one.
    return size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
