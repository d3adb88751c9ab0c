internal import ArgumentParser
internal import ClipService
internal import Files
internal import SystemPackage

extension BatchCommand {
  /// Checks the options that a job array cannot have.
  func validateForSlurm() throws {
    let given = [
      ("--shard", selection.shard != nil, "each task of the array has its own shard"),
      ("--gallery", outputOptions.gallery != nil, "the page would show one shard only"),
      ("--json", outputOptions.json, "each task writes a report"),
      ("--report -", outputOptions.report?.path == "-", "'--report' names the folder of the reports here"),
    ]
    for (option, isGiven, reason) in given where isGiven {
      throw ValidationError("'--print-slurm' cannot be combined with '\(option)': \(reason)")
    }
    // A pipe can be read only once, and not by another machine.
    if let list = selection.list?.path, (try? FileStatus(of: list))?.kind != .regular {
      throw ValidationError("with '--print-slurm', '--files-from' must name a file that every task can read")
    }
  }

  /// Prints the script for `--print-slurm`.
  func printSlurmScript(shards: Int) {
    let script = SlurmScript(
      shards: shards,
      jobs: jobs,
      reports: outputOptions.report?.path ?? "reports",
      program: ProgramLocation.ofProcess ?? "clipcanvas",
      folder: .currentFolder,
      arguments: Self.arguments(RawArguments.ofProcess().dropFirst(), without: ["--print-slurm", "--report"])
    )
    Console.print(bytes: script.bytes)
  }

  /// Returns arguments that were parsed successfully without some options and their values.
  private static func arguments(_ arguments: ArraySlice<String>, without options: [String]) -> [String] {
    var rest = arguments
    var result: [String] = []
    while let argument = rest.popFirst() {
      guard argument != "--" else { return result + [argument] + rest }
      if options.contains(argument) {
        rest = rest.dropFirst()
      } else if !options.contains(where: { argument.hasPrefix($0 + "=") }) {
        result.append(argument)
      }
    }
    return result
  }
}
