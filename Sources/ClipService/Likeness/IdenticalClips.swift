package import Covers
internal import Files
internal import SystemPackage

/// The search for clips with the same content.
package enum IdenticalClips {
  /// The result of the search.
  package struct Result: Sendable {
    /// The groups of clips with the same content, as indexes in rising order; each has at least two.
    package var groups: [[Int]] = []
    /// The clips that could not be read, or have changed since they were examined, with the reason.
    package var failures: [(clip: Int, failure: CoverFailure)] = []
  }

  /// The number of bytes at either end of a clip that are compared first.
  private static let sampleBytes = 1 << 16

  /// Returns the groups of clips with the same content.
  ///
  /// Only files with the same size are read, and those with the same beginning and end as a whole.
  ///
  /// If the task is cancelled, the search ends early with some of the groups.
  ///
  /// - Parameter clips: The clips.
  package static func find(in clips: [ComparedClip]) async -> Result {
    let stopped = StopFlag()
    let disk = QueueConfined(label: "clipcanvas.digests", ())
    return await withTaskCancellationHandler {
      await disk.use { _ in find(in: clips) { stopped.isSet } }
    } onCancel: {
      stopped.set()
    }
  }

  private static func find(in clips: [ComparedClip], isStopped: () -> Bool) -> Result {
    var result = Result()
    // A file that has several names is not a copy of itself.
    var files: Set<FileIdentity> = []
    for sizes in same(Array(clips.indices), by: { clips[$0].file.bytes }) {
      var digests: [Int: Digests] = [:]
      for clip in sizes where !isStopped() {
        do throws(CoverFailure) {
          let file = try open(clips[clip])
          guard files.insert(file.version.identity).inserted else { continue }
          digests[clip] = Digests(ends: try digest(of: file, onlyEnds: true, isStopped))
        } catch {
          result.failures.append((clip, error))
        }
      }
      for ends in same(sizes, by: { digests[$0]?.ends }) {
        if (clips[ends[0]].file.bytes ?? 0) > 2 * sampleBytes {
          for clip in ends where !isStopped() {
            do throws(CoverFailure) {
              digests[clip]?.whole = try digest(of: open(clips[clip]), onlyEnds: false, isStopped)
            } catch {
              result.failures.append((clip, error))
            }
          }
          result.groups += same(ends) { digests[$0]?.whole }
        } else {
          result.groups.append(ends)
        }
      }
    }
    result.groups.sort { $0[0] < $1[0] }
    return result
  }

  private struct Digests {
    let ends: [UInt8]?
    var whole: [UInt8]?
  }

  /// Returns the groups of at least two clips with the same key.
  private static func same<Key: Hashable>(_ clips: [Int], by key: (Int) -> Key?) -> [[Int]] {
    var groups: [Key: [Int]] = [:]
    for clip in clips { if let key = key(clip) { groups[key, default: []].append(clip) } }
    return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  /// Opens a clip, unless it has changed since it was examined.
  private static func open(_ clip: ComparedClip) throws(CoverFailure) -> OpenClip {
    let file = try OpenClip(opening: clip.path)
    guard file.version.bytes == clip.file.bytes, file.version.mtimeNanoseconds == clip.file.mtimeNanoseconds else {
      throw .changed
    }
    return file
  }

  private static func digest(
    of file: OpenClip,
    onlyEnds: Bool,
    _ isStopped: () -> Bool
  ) throws(CoverFailure) -> [UInt8]? {
    let bytes = file.version.bytes
    let isShort = bytes <= 2 * sampleBytes
    let parts = isShort || !onlyEnds ? [0..<bytes] : [0..<sampleBytes, bytes - sampleBytes..<bytes]
    let digest: [UInt8]?
    do throws(Errno) {
      digest = try file.descriptor.digest(of: parts, isStopped: isStopped)
    } catch {
      throw ClipVersion.failure(for: error)
    }
    if let change = file.change { throw change }
    return digest
  }
}

extension CoverFailure {
  fileprivate static let changed = CoverFailure(
    stage: .input,
    cause: .changed,
    message: "the file has changed since it was examined"
  )
}
