internal import ArgumentParser
internal import ClipService
internal import SystemPackage

/// The options that select the clips of a batch.
struct SelectionOptions: ParsableArguments {
  @OptionGroup
  private var search: SearchOptions

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

  /// The list of clips, if there is one.
  var list: PathArgument? { search.list }

  /// Whether links are followed.
  var follow: Bool { search.follow }

  func selection(paths: [FilePath]) -> ClipSelection {
    var selection = search.selection(paths: paths)
    selection.shard = shard
    return selection
  }
}
