internal import Covers
internal import Glibc

/// The address space that a composer may have.
///
/// A decoder keeps the frames that others are predicted from, so the need depends on how many clips play at once and on
/// the size of their frames. The limit is raised for that need and no further, and never above half of the machine's
/// memory.
enum ComposerMemory {
  /// What any composer may have, in MiB, as the sandbox has it.
  private static let usual = 2048
  /// The need of the program and its encoder, in MiB.
  private static let ofProgram = 1024
  /// The need for each pixel of a clip, in bytes: twelve frames in 4:2:0 with 16 bits, or more with 8 bits.
  private static let ofPixel = 36

  /// Returns the limit for a video in MiB; `nil` if the usual one is enough.
  static func addressSpace(for request: VideoRequest, of clips: [ClipMeasure]) -> Int? {
    let wanted = ofProgram + (mostPixels(of: request, clips) * ofPixel) >> 20
    let memory = (sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))) >> 20
    let limit = min(wanted, memory / 2)
    return limit > usual ? limit : nil
  }

  /// The largest number of pixels that the frames of clips which are open at the same time have together.
  private static func mostPixels(of request: VideoRequest, _ measures: [ClipMeasure]) -> Int {
    let clips = request.canvases.compactMap(\.clip)
    // Clips are opened up to a second before they play.
    let lead = Int(request.frameRate.value.rounded(.up))
    let sums = clips.map { clip in
      clips.reduce(0) { sum, other in
        let isOpen = other.start <= clip.start && (other.end == .loop || other.start + other.frames + lead > clip.start)
        return isOpen && measures.indices.contains(other.file) ? sum + measures[other.file].pixels : sum
      }
    }
    return sums.max() ?? 0
  }
}
