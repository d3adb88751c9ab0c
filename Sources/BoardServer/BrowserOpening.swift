internal import Files
internal import Glibc
internal import SystemPackage

/// Opens the page in the user's browser.
enum BrowserOpening {
  /// Opens an address by means of a file that only this user can read: everybody can read command lines.
  static func open(_ address: String) {
    let place = OutputPlace(Secrets.stateFolder.appending("open-\(getpid()).html"), derivedComponents: 1)
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
      try start("xdg-open", place.path)
    } catch {
      StandardError.print("clipcanvas: cannot open a browser: open the address yourself")
    }
  }

  private static func start(_ program: String, _ file: FilePath) throws(Errno) {
    var process: pid_t = 0
    let words = [strdup(program), file.withPlatformString { strdup($0) }, nil]
    defer { for word in words { free(word) } }
    let error = posix_spawnp(&process, program, nil, nil, words, environ)
    guard error == 0 else { throw Errno(rawValue: error) }
  }
}
