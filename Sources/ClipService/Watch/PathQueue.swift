internal import SystemPackage

/// A queue of different paths: a path that is added again while it waits keeps its place.
struct PathQueue {
  private var paths: [FilePath?] = []
  private var start = 0
  private var places: [FilePath: Int] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// Adds a path at the end, unless it is waiting already.
  mutating func add(_ path: FilePath) {
    guard places[path] == nil else { return }
    places[path] = paths.count
    paths.append(path)
  }

  /// Removes a path if it is waiting.
  mutating func remove(_ path: FilePath) {
    guard let place = places.removeValue(forKey: path) else { return }
    paths[place] = nil
    while start < paths.count, paths[start] == nil { start += 1 }
    guard start == paths.count || start > Self.slack && start > paths.count / 2 else { return }
    paths.removeSubrange(..<start)
    start = 0
    for (index, path) in paths.enumerated() {
      if let path { places[path] = index }
    }
  }

  /// The number of removed paths whose memory is not freed at once.
  private static let slack = 1000

  /// Takes the first path that is not among the given ones.
  mutating func takeFirst(notIn others: Set<FilePath>) -> FilePath? {
    guard let path = paths[start...].lazy.compactMap(\.self).first(where: { !others.contains($0) }) else { return nil }
    remove(path)
    return path
  }
}
