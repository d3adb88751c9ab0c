import ClipCovers
import Glibc
import Synchronization

/// Asks for many images at once while decoders are killed, and prints what became of the requests and of the process.
///
/// Arguments: the decoder, the number of requests, the number of tasks, the average number of requests from one kill to
/// the next (0 for none), and clips. The last line has, separated by spaces: images, errors, other outcomes, descriptors
/// before and after, remaining children, and the peak memory in KiB after a tenth of the requests and after all.
///
/// With the arguments `shortage`, the decoder and a clip, it runs out of descriptors instead; see ``DescriptorShortage``.
@main
enum CoverStorm {
  static func main() async throws {
    let words = CommandLine.arguments
    if words.count == 4, words[1] == "shortage" {
      return await DescriptorShortage(decoder: words[2], clip: .file(words[3])).run()
    }
    guard words.count > 5, let requests = Int(words[2]), let tasks = Int(words[3]), let period = Int(words[4]) else {
      print("usage: cover-storm DECODER REQUESTS TASKS REQUESTS-PER-KILL CLIP…")
      exit(64)
    }
    let clips = words[5...].map { ClipSource.file($0) }
    // What the first request opens for good, such as the descriptors of the dispatch library, is not a leak.
    let pool = DecoderPool(decoder: words[1])
    let generator = CoverGenerator(maximumSize: PictureSize(width: 64, height: 64), pool: pool)
    _ = try? await generator.image(of: clips[0])
    await pool.endIdleDecoders()
    let before = openDescriptors()

    await withTaskGroup { group in
      for _ in 0..<tasks {
        group.addTask {
          while true {
            let number = counts.withLock { counts in
              defer { counts.begun += 1 }
              return counts.begun
            }
            guard number < requests else { return }
            if number == requests / 10 { counts.withLock { $0.earlyMemory = peakMemory() } }
            if period > 0, Int.random(in: 0..<period) == 0, let child = children().randomElement() {
              kill(child, SIGKILL)
            }
            do {
              let image = try await generator.image(of: clips[number % clips.count])
              counts.withLock { if image.data.count > 60 { $0.images += 1 } else { $0.others += 1 } }
            } catch is ClipError {
              counts.withLock { $0.errors += 1 }
            } catch {
              counts.withLock { $0.others += 1 }
            }
          }
        }
      }
    }
    await pool.endIdleDecoders()
    let all = counts.withLock(\.self)
    let numbers = [all.images, all.errors, all.others, before, openDescriptors(), children().count]
    print((numbers + [all.earlyMemory, peakMemory()]).map { "\($0)" }.joined(separator: " "))
  }

  private static let counts = Mutex(Counts())

  private struct Counts {
    var (begun, images, errors, others) = (0, 0, 0, 0)
    var earlyMemory = 0
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  static func openDescriptors() -> Int { names(in: "/proc/self/fd").count { Int($0) != nil } }

  /// The children of this process.
  ///
  /// The kernel's own list has only those of one thread.
  private static func children() -> [pid_t] {
    names(in: "/proc").compactMap { pid_t($0) }.filter { parent(of: $0) == getpid() }
  }

  private static func parent(of process: pid_t) -> pid_t? {
    guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard fgets(&line, CInt(line.count), file) != nil else { return nil }
    let words =
      String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: ")").last?.split(separator: " ") ?? []
    return words.count > 1 ? pid_t(words[1]) : nil
  }

  private static func peakMemory() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss)
  }
}
