internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel

/// `clipcanvas record`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record on the canvas in preview.",
    discussion: """
      While a recording is open the board is locked: taps do nothing, until the take is finished or discarded. The board \
      does not record by itself; a recorder tells it by these commands.
      """,
    subcommands: [
      StartCommand.self, PauseCommand.self, ResumeCommand.self, StopCommand.self, FinishCommand.self, FailCommand.self,
      DiscardCommand.self, RecoverCommand.self,
    ]
  )

  /// `clipcanvas record start`.
  struct StartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start",
      abstract: "Open a take.",
      usage: "clipcanvas record start [<options>]"
    )

    @Flag(help: "Record over the clip of the canvas.") var replace = false
    @Option(help: ArgumentHelp("Name of the take; made up, unless told.", valueName: "name")) var take: TakeArgument?
    @Option(
      help: ArgumentHelp("The process that records; 'record recover' looks whether it still runs.", valueName: "pid")
    )
    var owner: Int?
    @OptionGroup var options: ChangeOptions

    func run() throws {
      let owner = try owner.map { number in
        guard Take.Owner.canBeIdentified else {
          Console.complain("clipcanvas: cannot identify process \(number) without /proc; mount it or leave out --owner")
          throw ExitStatus.couldNotGoOn
        }
        guard let owner = Take.Owner(processID: number) else {
          throw ValidationError("there is no process \(number) that could record.")
        }
        return owner
      }
      try options.send { board in
        .recordStart(take: take?.id ?? board.nextTake, replace: replace, owner: owner)
      }
    }
  }

  /// `clipcanvas record pause`.
  struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause",
      abstract: "End a segment; more may follow.",
      usage: "clipcanvas record pause [<options>]"
    )
    @OptionGroup var options: ChangeOptions
    func run() throws { try options.send(.recordPause) }
  }

  /// `clipcanvas record resume`.
  struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume",
      abstract: "Begin the next segment.",
      usage: "clipcanvas record resume [<options>]"
    )
    @OptionGroup var options: ChangeOptions
    func run() throws { try options.send(.recordResume) }
  }

  /// `clipcanvas record stop`.
  struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop",
      abstract: "End the recording; with --clip, its clip is there at once.",
      usage: "clipcanvas record stop [<options>]"
    )
    @Option(help: ArgumentHelp("The file of the clip.", valueName: "file")) var clip: PathArgument?
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func run() async throws {
      guard let clip else { return try options.send(.recordStop) }
      try await BoardClip(clip.path, options: options, cover: cover).finishTake(stopping: true)
    }
  }

  /// `clipcanvas record finish`.
  struct FinishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "finish",
      abstract: "Bring the clip of the recording that has ended.",
      usage: "clipcanvas record finish [<options>] --clip <file>"
    )
    @Option(help: ArgumentHelp("The file of the clip.", valueName: "file")) var clip: PathArgument
    @Option(help: ArgumentHelp("Name of the take; the open one, unless told.", valueName: "name"))
    var take: TakeArgument?
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func run() async throws {
      try await BoardClip(clip.path, options: options, cover: cover).finishTake(take?.id, stopping: false)
    }
  }

  /// `clipcanvas record fail`.
  struct FailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fail",
      abstract: "Tell that the recorder failed; the take is paused, and can be resumed, stopped or discarded.",
      usage: "clipcanvas record fail [<options>]"
    )
    @Option(help: ArgumentHelp("Why, in words.", valueName: "words")) var reason = "the recorder failed"
    @Option(help: ArgumentHelp("Name of the take; the open one, unless told.", valueName: "name"))
    var take: TakeArgument?
    @OptionGroup var options: ChangeOptions

    func run() throws {
      try options.send { board in .takeFailed(take?.id ?? board.openTake, reason: reason) }
    }
  }

  /// `clipcanvas record discard`.
  struct DiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard",
      abstract: "Give the recording up; an older clip of the canvas stays.",
      usage: "clipcanvas record discard [<options>]"
    )
    @OptionGroup var options: ChangeOptions
    func run() throws { try options.send(.recordDiscard) }
  }

  /// `clipcanvas record recover`.
  struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recover",
      abstract: "Lead out of a recording whose recorder has died: the take is paused with all its segments.",
      usage: "clipcanvas record recover [<options>]",
      discussion: "Refused while the process that owns the take still runs."
    )
    @OptionGroup var options: ChangeOptions

    func run() throws {
      let now = Instant.now
      let outcome: Outcome? = try options.transact { board in
        guard let take = board.session.take else { return .refused(.noTake) }
        if take.owner?.isAlive == true { return nil }
        return board.apply(.takeFailed(take.id, reason: take.lossWords), at: now)
      }
      guard let outcome else {
        if options.json {
          Console.print(verbatim: #"{"outcome":"refused","reason":"ownerAlive"}"#)
        } else {
          Console.complain("refused: ownerAlive (the process that records still runs; end it, or stop the recording)")
        }
        throw ExitStatus.refused
      }
      try OutcomeReport.print(outcome, asJSON: options.json)
    }
  }
}

/// A take ID as a command-line argument.
struct TakeArgument: ExpressibleByArgument {
  let id: TakeID

  init?(argument: String) {
    guard let id = TakeID(argument) else { return nil }
    self.id = id
  }
}

extension Take {
  fileprivate var lossWords: String {
    owner.map { "the recorder, process \($0.processID), has died" } ?? "nobody is known to record it"
  }
}
