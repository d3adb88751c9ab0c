internal import ArgumentParser
internal import ClipService
internal import SystemPackage

/// The options that select clips in folders and lists.
struct SearchOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: ArgumentHelp("Read the names of clips from a file or standard input (-), one per line.", valueName: "file")
  )
  var list: PathArgument?

  @Flag(name: .customShort("0"), help: "Names in the list end with a NUL byte instead of a newline.")
  var zeros = false

  @Flag(help: "Examine files of every extension; files that are not clips are skipped.")
  var all = false

  @Flag(help: "Follow symbolic links in folders.")
  var follow = false

  @Option(
    name: .customLong("exclude"),
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Skip files and folders that match a pattern, like a line of a .clipcanvasignore file; may be repeated.",
      valueName: "glob"
    )
  )
  var exclusions: [PathArgument] = []

  @Flag(
    name: .customLong("no-default-excludes"),
    help: ArgumentHelp(
      "Also search the folders of NAS systems and desktops, such as @eaDir, $RECYCLE.BIN and .Trash-1000, and folders that "
        + "contain a file .nomedia."
    )
  )
  var includesDefaultExclusions = false

  func validate() throws {
    guard !zeros || list != nil else { throw ValidationError("'-0' requires '--files-from'") }
  }

  func selection(paths: [FilePath]) -> ClipSelection {
    ClipSelection(
      paths: paths,
      list: list?.path,
      listIsSeparatedByZeros: zeros,
      walk: WalkOptions(
        takesAllFiles: all,
        followsLinks: follow,
        exclusions: exclusions.map(\.path),
        appliesDefaultExclusions: !includesDefaultExclusions
      )
    )
  }
}
