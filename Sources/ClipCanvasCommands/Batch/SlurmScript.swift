internal import Covers
internal import Files
internal import SystemPackage

/// A Slurm job array script that runs a batch in shards.
struct SlurmScript {
  /// The number of shards.
  let shards: Int
  /// The number of decoders of each task, given by the user.
  let jobs: Int?
  /// The folder for the reports.
  let reports: FilePath
  /// The program to run.
  let program: FilePath
  /// The folder that relative paths start in.
  let folder: FilePath
  /// The user's arguments for `clipcanvas batch`, as ``RawArguments`` encodes them.
  let arguments: [String]

  static let maximumShards = 100_000

  /// The script.
  ///
  /// sbatch reads its options up to the first command, which precedes everything that the user named.
  var bytes: [UInt8] {
    var script = Array(head.utf8)
    script += Array("reports=".utf8) + Self.quoted(reports.bytes) + Array("\n\n".utf8)
    script += Array("# Relative paths start here.\ncd -- ".utf8) + Self.quoted(folder.bytes)
    script += Array("\nmkdir -p -- \"$reports\"\n\nexec ".utf8) + Self.quoted(program.bytes)
    script += Array(
      """
       batch --quiet \\
        --shard="$shard/\(shards)" \\
        --report="$reports/shard-$shard-of-\(shards).ndjson"
      """.utf8
    )
    if jobs == nil { script += Array(" \\\n  --jobs=\"${SLURM_CPUS_PER_TASK:-\(BatchCommand.usualJobs)}\"".utf8) }
    for argument in arguments {
      script += Array(" \\\n  ".utf8) + Self.quoted(RawArguments.bytes(of: argument))
    }
    return script + [UInt8(ascii: "\n")]
  }

  private var head: String {
    """
    #!/bin/sh
    #SBATCH --job-name=clipcanvas
    #SBATCH --array=1-\(shards)
    #SBATCH --cpus-per-task=\(jobs ?? BatchCommand.usualJobs)
    #SBATCH --requeue
    #SBATCH --open-mode=append
    #SBATCH --signal=B:TERM@60
    ##SBATCH --time=01:00:00

    # Printed by clipcanvas \(ClipCanvasVersion.current); edit it as you like, and submit it with sbatch.
    #
    # Each task makes the covers of one of \(shards) shards. A task takes about a second to start, and lists all
    # folders, so a shard should be at least a minute of work. The number of tasks of an array is limited by the
    # cluster's MaxArraySize.
    #
    # --cpus-per-task  the decoders of a task, which run in parallel.
    # --requeue        A task whose node fails is started again, and continues: covers that are up to date are kept.
    # --signal         A task that is not done a minute before its time limit stops cleanly and can be submitted again.
    #
    # When all tasks have ended, merge the reports with 'clipcanvas report merge'. It names the shards to submit again,
    # if there are any, in the form of --array.

    set -eu
    shard=${SLURM_ARRAY_TASK_ID:?submit this script with sbatch}

    # The folder of the reports. The report of a shard appears when the shard is complete.

    """
  }

  /// Returns bytes as a word of the shell, in quotes unless it is plain.
  ///
  /// An empty pair of quotes separates a carriage return from a newline, because sbatch rejects scripts with the line
  /// breaks of DOS.
  static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.isEmpty || !bytes.allSatisfy(isPlain) else { return bytes }
    let quote = UInt8(ascii: "'")
    let word: [UInt8] = bytes.flatMap { byte in
      switch byte {
      case quote: Array(#"'\''"#.utf8)
      case UInt8(ascii: "\r"): [byte, quote, quote]
      default: [byte]
      }
    }
    return [quote] + word + [quote]
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./,:%+@".utf8.contains(byte)
    }
  }
}
