internal import ArgumentParser
internal import ClipService
internal import SystemPackage

/// The options that select the clips of a batch.
struct SelectionOptions: ParsableArguments {
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
      "Also search the folders of NAS systems and desktops, such as @eaDir, #recycle and $RECYCLE.BIN, and folders that "
        + "contain a file .nomedia."
    )
  )
  var includesDefaultExclusions = false

  @Option(
    help: ArgumentHelp(
      "Process only shard K of N of the clips, for runs on several machines; K may be J+1, if J counts from 0.",
      valueName: "K/N"
    ),
    transform: { try OptionValue.shard($0) }
  )
  var shard: Shard?

  @Option(
    name: .customLong("print-slurm"),
    help: ArgumentHelp(
      "Only print a script that makes the covers in N shards as a Slurm job array; each writes a report into the folder "
        + "given with --report (default: reports), for 'clipcanvas report merge'.",
      valueName: "N"
    ),
    transform: OptionValue.whole("--print-slurm", 1...SlurmScript.maximumShards)
  )
  var slurmShards: Int?

  @Option(
    name: .customLong("print-kubernetes"),
    help: ArgumentHelp(
      "Only print an Indexed Job that makes the covers in N shards on Kubernetes; otherwise like --print-slurm.",
      valueName: "N"
    ),
    transform: OptionValue.whole("--print-kubernetes", 1...SlurmScript.maximumShards)
  )
  var kubernetesShards: Int?

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
      ),
      shard: shard
    )
  }
}
