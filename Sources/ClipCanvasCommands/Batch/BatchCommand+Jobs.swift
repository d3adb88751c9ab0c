internal import ArgumentParser
internal import ClipService
internal import Files
internal import SystemPackage

extension BatchCommand {
  /// The number of decoders of each task of a job, unless the user gives another.
  static let usualJobs = 4

  /// Checks that all tasks of a job in shards can read the list of clips.
  ///
  /// - Parameter option: The option that prints the job.
  func validateForJob(_ option: String) throws {
    // A pipe can be read only once, and not by another machine.
    if let list = selection.list?.path, (try? FileStatus(of: list))?.kind != .regular {
      throw ValidationError("with '\(option)', '--files-from' must name a file that every task can read")
    }
  }

  /// Prints the script for `--print-slurm`.
  func printSlurmScript(shards: Int) {
    let script = SlurmScript(
      shards: shards,
      jobs: jobs,
      reports: reports,
      program: ProgramLocation.ofProcess ?? "clipcanvas",
      folder: .currentFolder,
      arguments: arguments(without: ["--print-slurm", "--report"])
    )
    Console.print(bytes: script.bytes)
  }

  /// Prints the job for `--print-kubernetes`.
  func printKubernetesJob(shards: Int) throws {
    let inputs = paths.map(\.path).map { Folder.exists(at: $0) ? $0 : $0.removingLastComponent() }
    let list = selection.list?.path.removingLastComponent()
    let job = try KubernetesJob(
      shards: shards,
      jobs: jobs,
      reports: reports,
      folder: .currentFolder,
      folders: inputs + [list, output?.path, reports].compactMap(\.self),
      user: .ofProcess,
      arguments: arguments(without: ["--print-kubernetes", "--report"])
    )
    Console.print(bytes: Array(job.text.utf8))
  }

  /// The folder of the reports of a job.
  private var reports: FilePath { outputOptions.report?.path ?? "reports" }

  /// Returns the arguments of this command, which were parsed successfully, without some options and their values.
  private func arguments(without options: [String]) -> [String] {
    var rest = RawArguments.ofProcess().dropFirst()
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
