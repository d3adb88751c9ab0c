package import SystemPackage

/// A watch on a folder that may be missing, be removed, and be created again.
package struct RenewedWatch: ~Copyable {
  private let folder: FilePath
  private var watch: FolderWatch?

  /// The polling interval while the folder is missing, because nothing reports its creation.
  package static let pollingInterval = Duration.milliseconds(200)

  /// Creates a watch that has not started.
  package init(_ folder: FilePath) { self.folder = folder }

  /// Starts the watch, unless it is running; no later change is missed.
  ///
  /// - Returns: The descriptor that becomes readable when something in the folder has changed; `nil` if the folder is
  ///   missing.
  /// - Throws: The error of a failed system call.
  package mutating func start() throws(Errno) -> FileDescriptor? {
    do throws(Errno) {
      if watch == nil { watch = try FolderWatch(folder) }
      return watch?.descriptor
    } catch {
      guard error == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// Consumes the reported changes; a folder that has been removed is watched again when it exists.
  ///
  /// - Throws: The error of a failed system call.
  package mutating func takeChanges() throws(Errno) {
    if case .folderIsGone? = try watch?.wait(.zero) { watch = nil }
  }
}
