internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CoverService
internal import Files
internal import Glibc
internal import SystemPackage

/// Looks at a board whenever something may have happened to it, also when its folder goes and comes again.
struct BoardWaiting {
  private let file: BoardFile

  /// While the folder is not there nothing tells that it comes.
  private static let pauseWithoutFolder = Duration.milliseconds(200)

  init(_ file: BoardFile) {
    self.file = file
  }

  /// Waits until something is true.
  ///
  /// - Parameters:
  ///   - deadline: How long at most; `nil` for ever.
  ///   - look: Asked at once, and again after everything that happens in the folder.
  /// - Returns: Whether it is, or the time is over.
  /// - Throws: What `look` throws, or the end of the program when waiting is not possible.
  func untilTrue(by deadline: ContinuousClock.Instant?, _ look: () throws -> Bool) throws -> Bool {
    while true {
      let isOver = deadline.map { ContinuousClock.now >= $0 } ?? false
      // The watch comes before the look, so that nothing happens unseen between the two.
      guard let watch = try watch() else {
        if try look() { return true }
        guard !isOver else { return false }
        pause()
        continue
      }
      while true {
        if try look() { return true }
        switch try wait(watch, until: deadline) {
        case .somethingHappened: continue
        case .timeIsOver: return false
        case .folderIsGone: break
        }
        break
      }
    }
  }

  /// `nil` while the folder is not there.
  private func watch() throws -> FolderWatch? {
    do {
      return try FolderWatch(file.folder)
    } catch  where error == .noSuchFileOrDirectory {
      return nil
    } catch {
      throw cannotWait(error)
    }
  }

  private func wait(
    _ watch: borrowing FolderWatch,
    until deadline: ContinuousClock.Instant?
  ) throws -> FolderWatch.Waking {
    do {
      return try watch.wait(deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) })
    } catch {
      throw cannotWait(error)
    }
  }

  private func pause() {
    let (seconds, attoseconds) = Self.pauseWithoutFolder.components
    usleep(useconds_t(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
  }

  private func cannotWait(_ error: Errno) -> ExitCode {
    Console.complain("clipcanvas: cannot watch the folder \(file.folder.displayText): \(error.words)")
    return ExitStatus.couldNotGoOn
  }
}
