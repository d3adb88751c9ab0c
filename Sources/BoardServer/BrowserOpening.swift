internal import Files
internal import Subprocess
internal import SystemPackage

/// Opens the page in the user's browser.
///
/// The browser opens a file that only this user can read: command lines are visible to all users.
struct BrowserOpening {
  private let place: OutputPlace

  /// - Parameter board: The board's absolute path without links.
  init(ofBoard board: FilePath) {
    place = StateFolder.place(ofBoard: board, prefix: "open-", suffix: ".html")
  }

  /// Opens an address.
  func open(_ address: String) {
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <title>ClipCanvas</title>
      <meta http-equiv="refresh" content="0; url=\(address)">
      <p><a href="\(address)">Open the board</a></p>
      """
    do {
      place.remove { _ in true }
      let file = try ReplacementFile(for: place, permissions: .ownerReadWrite)
      _ = try file.descriptor.writeAll(page.utf8)
      try file.commit()
    } catch {
      return Self.report()
    }
    let path = place.path
    // xdg-open may run until the browser is closed.
    Task.detached { await Self.start("xdg-open", path) }
  }

  /// Removes the file.
  func remove() { place.remove { _ in true } }

  /// Runs a program that has nothing of this one: neither its sockets nor its terminal's signals.
  private static func start(_ program: String, _ file: FilePath) async {
    var options = PlatformOptions()
    options.createSession = true
    let result = try? await Subprocess.run(
      .name(program),
      arguments: [file.string],
      platformOptions: options,
      output: .discarded,
      error: .discarded
    )
    if result?.terminationStatus.isSuccess != true { report() }
  }

  private static func report() {
    StandardError.print("clipcanvas: cannot open a browser; open the address yourself")
  }
}
