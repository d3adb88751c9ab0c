import BoardServer
import BoardSupport
import CShortage
import Glibc

/// `clipcanvas-serve` with short intervals, so that tests need not wait for long ones; for `CLIPCANVAS_SERVE`.
///
/// `CLIPCANVAS_TEST_LEASE` is the lease of a recording, in milliseconds.
@main
enum HurriedServer {
  @MainActor static func main() async {
    cshortage_begin("clipcanvas")
    cshortage_begin_threads()
    cshortage_use_one_arena()
    var times = ServerTimes()
    if let lease = getenv("CLIPCANVAS_TEST_LEASE").flatMap({ Int(String(cString: $0)) }) {
      times.lease = .milliseconds(lease)
    }
    times.leaseCheck = .milliseconds(20)
    times.standstill = .milliseconds(200)
    times.firstPause = .milliseconds(50)
    times.readableCheck = .milliseconds(50)
    times.refusedBody = .milliseconds(500)
    do throws(CommandError) {
      try await ServerProgram.run(try ServeArguments.ofProcess(), times: times)
    } catch {
      error.end()
    }
  }
}
