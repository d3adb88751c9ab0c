internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers

/// `clipcanvas board record`.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Report the steps of a recording on the canvas in preview.",
    discussion: """
      These commands are for a camera app or a script, which records and reports each step. Browsers record with \
      'clipcanvas board serve'. During a recording the board is locked: taps do nothing until the take is finished or discarded.
      """,
    subcommands: [
      StartCommand.self, PauseCommand.self, ResumeCommand.self, StopCommand.self, FinishCommand.self, FailCommand.self,
      DiscardCommand.self, RecoverCommand.self,
    ]
  )

  /// `clipcanvas board record start`.
  struct StartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "start",
      abstract: "Start a take.",
      usage: "clipcanvas board record start [<options>]"
    )

    @Flag(help: "Replace the canvas's clip.") var replace = false
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The name of the take (default: a new one).", valueName: "name")
    )
    var take: TakeArgument?
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var options: ChangeOptions

    func run() throws {
      let owner = try owner.process
      try options.send { board in
        .recordStart(take: take?.id ?? board.nextTake, replace: replace, owner: owner)
      }
    }
  }

  /// `clipcanvas board record pause`.
  struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause",
      abstract: "End the current segment.",
      usage: "clipcanvas board record pause [<options>]"
    )
    @OptionGroup var options: ChangeOptions
    func run() throws { try options.send(.recordPause) }
  }

  /// `clipcanvas board record resume`.
  struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resume",
      abstract: "Start the next segment.",
      usage: "clipcanvas board record resume [<options>]"
    )
    @OptionGroup var owner: OwnerOptions
    @OptionGroup var options: ChangeOptions

    func run() throws { try options.send(.recordResume(owner: owner.process)) }
  }

  /// `clipcanvas board record stop`.
  struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop",
      abstract: "End the recording; with --clip, also finish the take.",
      usage: "clipcanvas board record stop [<options>]",
      discussion: "A file that is not a video is refused, as in a browser."
    )
    @Option(parsing: .unconditional, help: ArgumentHelp("The clip's file.", valueName: "file"))
    var clip: PathArgument?
    @OptionGroup var check: CheckOptions
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func validate() throws { try PathArgument.rejectURLs([clip].compactMap(\.self)) }

    func run() async throws {
      guard let clip else { return try options.send(.recordStop) }
      let checked = try await BoardClip.at(clip.path, check, options: options, cover: cover)
      try await checked.finishTake(stopping: true)
    }
  }

  /// `clipcanvas board record finish`.
  struct FinishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "finish",
      abstract: "Finish the stopped take with its clip.",
      usage: """
        clipcanvas board record finish [<options>] --clip <file>
        clipcanvas board record finish [<options>] --segments <file> ...
        """,
      discussion: """
        With --segments, the files that a recorder wrote are joined without encoding, and the take gets the joined clip. \
        It is a new file named after the take, beside the first segment, unless --clip names another; the segments stay. \
        Without them, a clip that is not a video is refused, as in a browser.
        """
    )
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The clip's file, or the file to join the segments into.", valueName: "file")
    )
    var clip: PathArgument?
    @Option(
      parsing: .upToNextOption,
      help: ArgumentHelp("The segments of the take, in the order in which they were recorded.", valueName: "file")
    )
    var segments: [PathArgument] = []
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The name of the take (default: the open one).", valueName: "name")
    )
    var take: TakeArgument?
    @OptionGroup var check: CheckOptions
    @OptionGroup var cover: CoverOptions
    @OptionGroup var options: ChangeOptions

    func validate() throws {
      guard clip != nil || !segments.isEmpty else {
        throw ValidationError("specify the clip with --clip, or the files it consists of with --segments")
      }
      try PathArgument.rejectURLs([clip].compactMap(\.self) + segments)
    }

    func run() async throws {
      let segments = TakeSegments(segments.map(\.path), options: options, cover: cover)
      let file = try await segments.joined(as: clip?.path, take: take?.id)
      guard let file else { return }
      do {
        // Joined segments are a video.
        let clip =
          if self.segments.isEmpty {
            try await BoardClip.at(file, check, options: options, cover: cover)
          } else {
            try BoardClip(file, options: options, cover: cover)
          }
        try await clip.finishTake(take?.id, stopping: false)
      } catch {
        segments.removeUnlessTaken(file)
        throw error
      }
    }
  }

  /// `clipcanvas board record fail`.
  struct FailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fail",
      abstract: "Report that the recorder failed. The take is paused; it can be resumed, stopped or discarded.",
      usage: "clipcanvas board record fail [<options>]"
    )
    @Option(parsing: .unconditional, help: ArgumentHelp("The reason.", valueName: "words"))
    var reason = "the recorder failed"
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The name of the take (default: the open one).", valueName: "name")
    )
    var take: TakeArgument?
    @OptionGroup var options: ChangeOptions

    func run() throws {
      try options.send { board in .takeFailed(take?.id ?? board.openTake, reason: reason) }
    }
  }

  /// `clipcanvas board record discard`.
  struct DiscardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard",
      abstract: "Discard the take; the canvas keeps its older clip.",
      usage: "clipcanvas board record discard [<options>]"
    )
    @OptionGroup var options: ChangeOptions
    func run() throws { try options.send(.recordDiscard) }
  }

  /// `clipcanvas board record recover`.
  struct RecoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recover",
      abstract: "Recover a take whose recorder died: the take is paused with all its segments.",
      usage: "clipcanvas board record recover [<options>]",
      discussion: "This is refused while the process that owns the take is running."
    )
    @OptionGroup var options: ChangeOptions

    func run() throws {
      let now = Instant.now
      let outcome = try options.transact { board in board.recoverTake(at: now) }
      try OutcomeReport.print(outcome, of: .takeFailed, with: options)
    }
  }
}

/// The option that names the process that records.
struct OwnerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The process that records; 'record recover' checks whether it is still running.",
      valueName: "pid"
    )
  )
  var owner: Int?

  /// The process, if one is named.
  ///
  /// - Throws: An exit status if it does not exist or cannot be identified.
  var process: Take.Owner? {
    get throws {
      guard let owner else { return nil }
      guard Take.Owner.canBeIdentified else {
        throw CommandError(
          .cannotContinue,
          "cannot identify process \(owner) without /proc; mount it or leave out --owner"
        )
      }
      guard let process = Take.Owner(processID: owner) else { throw ValidationError("there is no process \(owner)") }
      return process
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

extension Board {
  /// Pauses the open take with all its segments, unless its owner is running.
  mutating func recoverTake(at now: Instant) -> Outcome {
    guard let take = session.take else { return .refused(.noTake) }
    if take.owner?.isAlive == true { return .refused(.ownerAlive) }
    return apply(.takeFailed(take.id, reason: take.lossWords), at: now)
  }
}

extension Take {
  fileprivate var lossWords: String {
    owner.map { "the recorder (process \($0.processID)) died" } ?? "the recorder is not known"
  }
}
