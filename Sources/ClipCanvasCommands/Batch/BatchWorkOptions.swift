internal import ArgumentParser

/// The options that decide which work a batch does.
struct BatchWorkOptions: ParsableArguments {
  @Flag(help: "Make covers even if they are up to date, and replace files that clipcanvas did not make.")
  var force = false

  @Flag(help: "Retry clips that failed before.")
  var retry = false

  @Flag(help: "Exit with status 1 for known failures as well, which are skipped.")
  var strict = false

  @Flag(
    help: ArgumentHelp(
      "Remove covers, contact sheets, animations, storyboards and failure markers made by clipcanvas whose clip is gone.",
      discussion: """
        Pictures are searched for in the named folders, or in those that correspond to them below the folder given with \
        -o; only those of clips that were in a named folder are removed. If a named folder has no clips at all, its \
        pictures are kept, since its disk may not be mounted; --force removes them.
        """
    )
  )
  var prune = false

  @Flag(
    help: ArgumentHelp(
      "Keep running, and make covers of clips that are added to the folders or change there, until interrupted.",
      discussion: """
        A clip is processed when it has been closed or moved into a folder, or has not changed for two seconds. The page \
        given with --gallery is rewritten after each change; with --prune, pictures of removed clips are removed. A clip \
        whose cover cannot be written is tried again later, for instance when the disk has room.
        """
    )
  )
  var watch = false

  @Flag(
    name: [.customShort("n"), .long],
    help: "Only print what would be made, removed or refused; nothing is written."
  )
  var dryRun = false
}
