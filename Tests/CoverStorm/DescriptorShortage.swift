import ClipCovers
import Glibc

/// Asks for images while few descriptors can be opened, and again when there are enough.
///
/// Prints a line for each number of descriptors that can be opened: the number, the outcome during the shortage and that
/// after it, separated by tabs. A line follows with `-` and the outcome with a limit that is too low for a decoder, which
/// cannot be raised again. An outcome is `image`, or the cause and the description of the error. The last line is the number
/// of descriptors before and after.
struct DescriptorShortage {
  let decoder: String
  let clip: ClipSource

  func run() async {
    // Opens what the process keeps for good, such as the descriptors of the dispatch library.
    _ = await outcome()
    let before = CoverStorm.openDescriptors()
    setLimit(64)
    for free in 0...20 {
      var taken = Array(sequence(first: dup(STDIN_FILENO)) { _ in dup(STDIN_FILENO) }.prefix { $0 >= 0 })
      for descriptor in taken.suffix(free) { close(descriptor) }
      taken.removeLast(free)
      let during = await outcome()
      for descriptor in taken { close(descriptor) }
      print("\(free)\t\(during)\t\(await outcome())")
    }
    setLimit(30)
    print("-\t\(await outcome())")
    print("\(before)\t\(CoverStorm.openDescriptors())")
  }

  /// Asks for an image, with a decoder that is started for it.
  private func outcome() async -> String {
    let pool = DecoderPool(limit: 1, decoder: decoder)
    let result: String
    do {
      _ = try await CoverGenerator(maximumSize: PictureSize(width: 64, height: 64), pool: pool).image(of: clip)
      result = "image"
    } catch {
      result = (error as? ClipError).map { "\($0.cause): \($0)" } ?? "\(error)"
    }
    await pool.endIdleDecoders()
    return result
  }

  private func setLimit(_ number: rlim_t) {
    var limit = rlimit(rlim_cur: number, rlim_max: number)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
