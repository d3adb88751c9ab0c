internal import SystemPackage

/// The places of covers that are being made, each by one task at a time.
actor PlacesAtWork {
  /// Who waits for a place that is taken.
  private var waiting: [FilePath: [CheckedContinuation<Void, Never>]] = [:]

  /// Takes a place, once nobody has it.
  func take(_ place: FilePath) async {
    guard waiting[place] != nil else {
      waiting[place] = []
      return
    }
    await withCheckedContinuation { waiting[place]?.append($0) }
  }

  /// Gives it back, or on to who has waited longest.
  func leave(_ place: FilePath) {
    if waiting[place]?.isEmpty == false {
      waiting[place]?.removeFirst().resume()
    } else {
      waiting[place] = nil
    }
  }
}
