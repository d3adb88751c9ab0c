import CShortage
import Dispatch
import Glibc

/// Keeps more work waiting than libdispatch has threads for, while no file can be opened.
///
/// libdispatch then opens the status of each of its threads in /proc, once a second, to decide whether to start another
/// one. The argument is the time until the descriptors are closed again, in milliseconds.
@main
enum CrowdedQueue {
  static func main() {
    cshortage_begin("crowded-queue")
    cshortage_begin_threads()
    let queue = DispatchQueue.global()
    let rest = DispatchGroup()
    for _ in 0..<(2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2) { queue.async(group: rest) { sleep(3) } }
    usleep(400_000)  // libdispatch opens descriptors when it starts.
    let descriptors = takeAllDescriptors()
    usleep(CommandLine.arguments.dropFirst().first.flatMap(useconds_t.init).map { $0 * 1000 } ?? 0)
    for descriptor in descriptors { close(descriptor) }
    rest.wait()
  }

  private static func takeAllDescriptors() -> [Int32] {
    var limit = rlimit(rlim_cur: 64, rlim_max: 64)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Array(sequence(first: dup(STDIN_FILENO)) { _ in dup(STDIN_FILENO) }.prefix { $0 >= 0 })
  }
}
