/// Two options of a batch that cannot be combined.
struct OptionConflict: Sendable {
  /// An option that conflicts with others, by its name or with the value that conflicts.
  enum Option: String, CaseIterable, Sendable {
    case animate = "--animate"
    case at = "--at"
    case dryRun = "--dry-run"
    case filesFrom = "--files-from"
    case fill = "--fill"
    case follow = "--follow"
    case force = "--force"
    case freedesktop = "--freedesktop"
    case gallery = "--gallery"
    case galleryOnOutput = "--gallery -"
    case json = "--json"
    case name = "--name"
    case noCover = "--no-cover"
    case output = "-o"
    case printKubernetes = "--print-kubernetes"
    case printSlurm = "--print-slurm"
    case prune = "--prune"
    case quiet = "--quiet"
    /// With the name of a file.
    case report = "--report"
    case reportOnOutput = "--report -"
    case retry = "--retry"
    case shard = "--shard"
    case sheet = "--sheet"
    case size = "--size"
    case storyboard = "--storyboard"
    case watch = "--watch"
  }

  let option: Option
  let other: Option
  let message: String
  /// An option that allows both; `nil` for most pairs.
  var exception: Option?

  /// All pairs of options that a batch refuses, in the order of the checks.
  static let all: [OptionConflict] = lists.flatMap { $0 }

  /// The same, by the first option.
  ///
  /// The compiler takes seconds to type a sum of lists.
  private static let lists: [[OptionConflict]] = [
    of(.json, [.quiet]) { "'\($0)' and '\($1)' cannot be combined" },
    of(.printSlurm, [.printKubernetes]) { "'\($0)' and '\($1)' cannot be combined" },
    of(.noCover, [.name], unless: .prune) { "'\($1)' is for covers: leave out '\($0)'" },
    of(.freedesktop, [.name]),
    of(.noCover, [.size, .fill, .at]) { "'\($1)' is for covers: leave out '\($0)'" },
    of(.noCover, [.gallery]) { "'\($1)' shows covers: leave out '\($0)'" },
    of(.prune, [.freedesktop, .filesFrom, .shard, .printSlurm, .printKubernetes]) {
      "\(refusal($0, $1)); use it in a separate run over the folders"
    },
    of(
      .watch,
      [
        .dryRun, .force, .retry, .follow, .filesFrom, .shard, .printSlurm, .printKubernetes, .galleryOnOutput,
      ]
    ),
    of(.dryRun, [.report, .gallery, .printSlurm, .printKubernetes]) { "'\($0)' writes no files: leave out '\($1)'" },
    of(.freedesktop, [.output, .storyboard, .sheet, .animate, .fill]),
    ofJob(.printSlurm),
    ofJob(.printKubernetes),
  ]

  /// Returns the conflicts of an option that prints a job.
  private static func ofJob(_ job: Option) -> [OptionConflict] {
    let lists: [[OptionConflict]] = [
      of(job, [.shard]) { "\(refusal($0, $1)): each task of the job has its own shard" },
      of(job, [.gallery]) { "\(refusal($0, $1)): the page would show one shard only" },
      of(job, [.json]) { "\(refusal($0, $1)): each task writes a report" },
      of(job, [.reportOnOutput]) { "\(refusal($0, $1)): '--report' names the folder of the reports here" },
    ]
    return lists.flatMap { $0 }
  }

  private static func of(
    _ option: Option,
    _ others: [Option],
    unless exception: Option? = nil,
    message: (String, String) -> String = refusal
  ) -> [OptionConflict] {
    others.map { other in
      OptionConflict(
        option: option,
        other: other,
        message: message(option.rawValue, other.rawValue),
        exception: exception
      )
    }
  }

  private static func refusal(_ option: String, _ other: String) -> String {
    "'\(option)' cannot be combined with '\(other)'"
  }
}
