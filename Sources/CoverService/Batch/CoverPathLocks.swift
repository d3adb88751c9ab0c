internal import SystemPackage

/// The cover paths in use, each by one task at a time.
actor CoverPathLocks {
  /// The tasks waiting for each path in use.
  private var waiting: [FilePath: [CheckedContinuation<Void, Never>]] = [:]

  /// Acquires a path, waiting until it is free.
  func take(_ place: FilePath) async {
    guard waiting[place] != nil else {
      waiting[place] = []
      return
    }
    await withCheckedContinuation { waiting[place]?.append($0) }
  }

  /// Releases a path, or hands it over to the task that has waited longest.
  func leave(_ place: FilePath) {
    if waiting[place]?.isEmpty == false {
      waiting[place]?.removeFirst().resume()
    } else {
      waiting[place] = nil
    }
  }
}
