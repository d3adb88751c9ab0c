internal import BoardText
internal import CShortage

/// The program `clipcanvas-render`.
public enum RenderProgram {
  /// Makes the picture that the process's arguments ask for.
  ///
  /// It starts on the main thread, so that no other thread exists before a lack of one is reported.
  @MainActor public static func run() async {
    cshortage_begin("clipcanvas")
    cshortage_begin_threads()
    do throws(RenderFailure) {
      try await RenderRun(arguments()).run()
    } catch {
      error.end()
    }
  }

  private static func arguments() throws(RenderFailure) -> RenderArguments {
    do throws(WrongArguments) {
      return try RenderArguments.ofProcess()
    } catch {
      throw .usage(error.description)
    }
  }
}
