internal import Covers
internal import Files
internal import SystemPackage

extension Batch {
  /// A digest of the clips, the requests and the places of the covers, which is the same for all shards of a batch.
  ///
  /// It does not depend on the shard, nor on anything that a second attempt may change, such as the number of jobs or
  /// whether failed clips are retried. Paths count as they were given, because machines may mount folders differently.
  package func digest() throws(ServiceError) -> String {
    var parts = [Array(try request.text().utf8), [makesCovers ? 1 : 0]]
    for request in [storyboard?.picture, sheet?.request, animation] {
      parts.append(Array(try request?.text().utf8 ?? "-".utf8))
    }
    parts.append(Array((storyboard?.layout.rawValue ?? "-").utf8))
    parts.append(placement.digestBytes)
    parts.append(Array(thumbnailSizes.map(\.rawValue).joined(separator: ",").utf8))
    parts.append(Array(name.description.utf8))
    let walk = clips.walk
    parts.append(
      [clips.listIsSeparatedByZeros, walk.takesAllFiles, walk.followsLinks, walk.appliesDefaultExclusions].map {
        $0 ? 1 : 0
      }
    )
    parts.append(clips.list?.bytes ?? [])
    parts.append(Array("\(walk.exclusions.count)".utf8))
    parts += walk.exclusions.map(\.bytes)
    parts += clips.paths.map(\.bytes)
    // No part contains a zero byte except for the flags, whose number is fixed.
    return DerivedName.digest(of: Array(parts.joined(separator: [0])))
  }
}

extension CoverPlacement {
  fileprivate var digestBytes: [UInt8] {
    switch self {
    case .besideClips: []
    case .below(let folder): folder.bytes
    case .thumbnails(_, let size): Array("thumbnails \(size)".utf8)
    }
  }
}
