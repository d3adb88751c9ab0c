import SystemPackage
import TestSupport
import Testing

/// Clips in a scratch folder that refer to another file (the canary) or to a local port.
struct AttackFiles {
  /// One attack.
  struct Attack: CustomTestStringConvertible, Sendable {
    /// How the attack reaches FFmpeg.
    enum Way: Sendable {
      /// As the content of a file that has been opened for FFmpeg.
      case clip
      /// As a name that FFmpeg is to open.
      case name
    }

    let name: String
    let way: Way
    /// Whether the attack connects to the port; otherwise it reads the canary.
    let usesNetwork: Bool

    var testDescription: String { name }
  }

  static let attacks = [
    Attack(name: "hls-file.mp4", way: .clip, usesNetwork: false),
    Attack(name: "hls-http.mp4", way: .clip, usesNetwork: true),
    Attack(name: "hls-key.mp4", way: .clip, usesNetwork: false),
    Attack(name: "hls-key-http.mp4", way: .clip, usesNetwork: true),
    Attack(name: "ffconcat.mp4", way: .clip, usesNetwork: false),
    Attack(name: "ffconcat-http.mp4", way: .clip, usesNetwork: true),
    Attack(name: "dash.mp4", way: .clip, usesNetwork: false),
    Attack(name: "dref.mov", way: .clip, usesNetwork: false),
    Attack(name: "file:CANARY", way: .name, usesNetwork: false),
    Attack(name: "concat:CANARY|b.mp4", way: .name, usesNetwork: false),
    Attack(name: "subfile,,start,0,end,64,,:CANARY", way: .name, usesNetwork: false),
    Attack(name: "async:CANARY", way: .name, usesNetwork: false),
    Attack(name: "http://127.0.0.1:PORT/a.mp4", way: .name, usesNetwork: true),
    Attack(name: "tcp://127.0.0.1:PORT", way: .name, usesNetwork: true),
  ]

  let folder: ScratchFolder
  /// The file that must not be opened: a valid clip whose bytes also serve as a key.
  let canary: FilePath
  private let port: UInt16

  init(port: UInt16) throws {
    self.port = port
    folder = try ScratchFolder()
    canary = try folder.copy(ProjectFolder.fixture("h264.ts"), as: "canary.ts")
  }

  /// Creates the attack's files and returns the name to pass to FFmpeg.
  func make(_ attack: Attack) throws -> String {
    guard attack.way == .clip else {
      return attack.name.replacing("CANARY", with: canary.string).replacing("PORT", with: "\(port)")
    }
    let segment = try folder.copy(ProjectFolder.fixture("h264.ts"), as: "segment.ts").string
    let url = "http://127.0.0.1:\(port)/segment.ts"
    let bytes =
      switch attack.name {
      case "hls-file.mp4": Self.playlist(canary.string)
      case "hls-http.mp4": Self.playlist(url)
      case "hls-key.mp4": Self.playlist(segment, key: canary.string)
      case "hls-key-http.mp4": Self.playlist(segment, key: url)
      case "ffconcat.mp4": Array("ffconcat version 1.0\nfile '\(canary.string)'\n".utf8)
      case "ffconcat-http.mp4": Array("ffconcat version 1.0\nfile '\(url)'\n".utf8)
      case "dash.mp4": Self.manifest(canary.string)
      default: try Self.referenceMovie(to: canary)
      }
    return try folder.write(bytes, as: attack.name).string
  }

  private static func playlist(_ segment: String, key: String? = nil) -> [UInt8] {
    let key = key.map { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0)\",IV=0x00000000000000000000000000000001\n" } ?? ""
    return Array(
      """
      #EXTM3U
      #EXT-X-VERSION:3
      #EXT-X-TARGETDURATION:1
      #EXT-X-MEDIA-SEQUENCE:0
      \(key)#EXTINF:1.0,
      \(segment)
      #EXT-X-ENDLIST

      """.utf8
    )
  }

  private static func manifest(_ path: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" \
      profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
      <Period><AdaptationSet mimeType="video/mp4"><Representation id="0" bandwidth="100000" codecs="avc1.640014" \
      width="160" height="120">
      <BaseURL>\(path)</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>

      """.utf8
    )
  }

  /// Returns a QuickTime movie whose frames are stored in another file, named by its absolute path.
  ///
  /// It is `external-samples.mov` with a different alias record in its `dref`.
  private static func referenceMovie(to target: FilePath) throws -> [UInt8] {
    var movie = try ScratchFolder.read(ProjectFolder.fixture("external-samples.mov"))
    let path = Array(target.string.utf8)
    // A Mac OS alias record: 150 bytes of fixed fields, all zero here so that only the path counts, an item of type 2
    // with the path, and the item that ends the list.
    let record =
      Array(repeating: UInt8(0), count: 150) + [0, 2, 0, UInt8(path.count)] + path
      + (path.count % 2 == 0 ? [] : [0]) + [0xFF, 0xFF, 0, 0]
    // An entry starts with its size, "alis", version and flags; the `dref` with its size, name, version and flags, and
    // the number of entries.
    let entry = bigEndian(12 + record.count) + Array("alis".utf8) + [0, 0, 0, 0] + record
    let reference = bigEndian(16 + entry.count) + Array("dref".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + entry
    var boxes: [Range<Int>] = []
    var inside = movie.indices
    for name in ["moov", "trak", "mdia", "minf", "dinf", "dref"] {
      guard let box = find(name, in: movie, inside) else { throw Errno.noData }
      boxes.append(box)
      inside = box.dropFirst(8)
    }
    let old = boxes.removeLast()
    movie.replaceSubrange(old, with: reference)
    for box in boxes {
      movie.replaceSubrange(box.prefix(4), with: bigEndian(box.count + reference.count - old.count))
    }
    return movie
  }

  private static func find(_ name: String, in movie: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      let size = movie[start..<start + 4].bigEndian
      guard size >= 8, start + size <= range.upperBound else { return nil }
      if movie[start + 4..<start + 8].elementsEqual(name.utf8) { return start..<start + size }
      start += size
    }
    return nil
  }
}
