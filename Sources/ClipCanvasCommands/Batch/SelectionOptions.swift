internal import ArgumentParser
internal import CoverService
internal import SystemPackage

/// The options that select the clips of a batch.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .customLong("files-from"),
    help: ArgumentHelp("Read the clips' names from a file, or from standard input (-), one a line.", valueName: "file")
  )
  var list: PathArgument?

  @Flag(name: .customShort("0"), help: "In that list, a zero byte ends a name.")
  var zeros = false

  @Flag(help: "Look into files of every ending; pictures, and what turns out to be no clip, are passed over.")
  var all = false

  @Flag(help: "Follow symbolic links that are found in folders.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "Take the K-th of N shares of the clips, for runs that divide them among themselves.",
      valueName: "K/N"
    ),
    transform: { try OptionValue.shard($0) }
  )
  var shard: Shard?

  func validate() throws {
    guard !zeros || list != nil else { throw ValidationError("'-0' goes with '--files-from'.") }
  }

  func selection(paths: [FilePath]) -> ClipSelection {
    ClipSelection(
      paths: paths,
      list: list?.path,
      listIsSeparatedByZeros: zeros,
      walk: WalkOptions(takesAllFiles: all, followsLinks: follow),
      shard: shard
    )
  }
}
