import TestSupport
import Testing

@testable import ClipCanvasCommands

@Suite("Options of a batch that cannot be combined")
struct OptionConflictTests {
  /// All pairs, with the words after the name of the program.
  private static let messages = [
    "--json --quiet": "'--json' and '--quiet' cannot be combined",
    "--print-slurm --print-kubernetes": "'--print-slurm' and '--print-kubernetes' cannot be combined",
    "--no-cover --name": "'--name' is for covers: leave out '--no-cover'",
    "--freedesktop --name": "'--freedesktop' cannot be combined with '--name'",
    "--no-cover --size": "'--size' is for covers: leave out '--no-cover'",
    "--no-cover --fill": "'--fill' is for covers: leave out '--no-cover'",
    "--no-cover --at": "'--at' is for covers: leave out '--no-cover'",
    "--no-cover --gallery": "'--gallery' shows covers: leave out '--no-cover'",
    "--prune --freedesktop":
      "'--prune' cannot be combined with '--freedesktop'; use it in a separate run over the folders",
    "--prune --files-from":
      "'--prune' cannot be combined with '--files-from'; use it in a separate run over the folders",
    "--prune --shard": "'--prune' cannot be combined with '--shard'; use it in a separate run over the folders",
    "--prune --print-slurm":
      "'--prune' cannot be combined with '--print-slurm'; use it in a separate run over the folders",
    "--prune --print-kubernetes":
      "'--prune' cannot be combined with '--print-kubernetes'; use it in a separate run over the folders",
    "--watch --dry-run": "'--watch' cannot be combined with '--dry-run'",
    "--watch --force": "'--watch' cannot be combined with '--force'",
    "--watch --retry": "'--watch' cannot be combined with '--retry'",
    "--watch --follow": "'--watch' cannot be combined with '--follow'",
    "--watch --files-from": "'--watch' cannot be combined with '--files-from'",
    "--watch --shard": "'--watch' cannot be combined with '--shard'",
    "--watch --print-slurm": "'--watch' cannot be combined with '--print-slurm'",
    "--watch --print-kubernetes": "'--watch' cannot be combined with '--print-kubernetes'",
    "--watch --gallery -": "'--watch' cannot be combined with '--gallery -'",
    "--dry-run --report": "'--dry-run' writes no files: leave out '--report'",
    "--dry-run --gallery": "'--dry-run' writes no files: leave out '--gallery'",
    "--dry-run --print-slurm": "'--dry-run' writes no files: leave out '--print-slurm'",
    "--dry-run --print-kubernetes": "'--dry-run' writes no files: leave out '--print-kubernetes'",
    "--freedesktop -o": "'--freedesktop' cannot be combined with '-o'",
    "--freedesktop --storyboard": "'--freedesktop' cannot be combined with '--storyboard'",
    "--freedesktop --sheet": "'--freedesktop' cannot be combined with '--sheet'",
    "--freedesktop --animate": "'--freedesktop' cannot be combined with '--animate'",
    "--freedesktop --fill": "'--freedesktop' cannot be combined with '--fill'",
    "--print-slurm --shard":
      "'--print-slurm' cannot be combined with '--shard': each task of the job has its own shard",
    "--print-slurm --gallery":
      "'--print-slurm' cannot be combined with '--gallery': the page would show one shard only",
    "--print-slurm --json": "'--print-slurm' cannot be combined with '--json': each task writes a report",
    "--print-slurm --report -":
      "'--print-slurm' cannot be combined with '--report -': '--report' names the folder of the reports here",
    "--print-kubernetes --shard":
      "'--print-kubernetes' cannot be combined with '--shard': each task of the job has its own shard",
    "--print-kubernetes --gallery":
      "'--print-kubernetes' cannot be combined with '--gallery': the page would show one shard only",
    "--print-kubernetes --json": "'--print-kubernetes' cannot be combined with '--json': each task writes a report",
    "--print-kubernetes --report -":
      "'--print-kubernetes' cannot be combined with '--report -': '--report' names the folder of the reports here",
  ]

  /// Values for the options that take one.
  private static let values: [OptionConflict.Option: String] = [
    .at: "50%", .filesFrom: "list", .fill: "300", .gallery: "g.html", .name: "{stem}.{ext}", .output: "out",
    .printKubernetes: "2", .printSlurm: "3", .report: "r.ndjson", .shard: "1/2", .size: "256",
  ]

  /// Runs a batch with options, but without a folder, and returns its message.
  private func message(_ options: OptionConflict.Option...) async throws -> String? {
    var words = options.flatMap { option in
      option.rawValue.split(separator: " ").map(String.init) + (Self.values[option].map { [$0] } ?? [])
    }
    // Without covers, another kind of picture is needed.
    if options.contains(.noCover) { words.append("--sheet") }
    let result = try await Program.run("clipcanvas", ["batch"] + words)
    #expect(result.exitStatus == 64 && result.text.isEmpty)
    return result.errorOutput.split(separator: "\n").first.map { String($0.dropFirst("clipcanvas: ".count)) }
  }

  @Test(
    "Each pair is refused with its own words, in either order",
    .enabled(if: Scope.isFull),
    arguments: OptionConflict.all
  )
  func pair(_ conflict: OptionConflict) async throws {
    let (option, other) = (conflict.option, conflict.other)
    let expected = try #require(Self.messages["\(option.rawValue) \(other.rawValue)"])
    #expect(try await message(option, other) == expected)
    #expect(try await message(other, option) == expected)
    if let exception = conflict.exception { #expect(try await message(option, other, exception) != expected) }
  }

  @Test("The table has the pairs of the list, each once")
  func table() {
    let pairs = OptionConflict.all.map { ("\($0.option.rawValue) \($0.other.rawValue)", $0.message) }
    #expect(pairs.count == Self.messages.count)
    #expect(Dictionary(pairs) { first, _ in first } == Self.messages)
  }

  @Test("Each option of the table is in the help", .enabled(if: Scope.isFull))
  func help() async throws {
    let help = try await Program.run("clipcanvas", ["batch", "--help"], environment: ["COLUMNS": "200"]).text
    let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("-") }
    let names = Set(lines.flatMap { $0.split { " ,".contains($0) } }.filter { $0.hasPrefix("-") })
    for option in OptionConflict.Option.allCases {
      let name = try #require(option.rawValue.split(separator: " ").first)
      #expect(names.contains(name), "\(name)")
    }
  }

  @Test(
    "Each option is accepted alone",
    .enabled(if: Scope.isFull),
    arguments: OptionConflict.Option.allCases.filter { $0 != .filesFrom }
  )
  func alone(_ option: OptionConflict.Option) async throws {
    #expect(try await message(option) == "specify folders or clips, or a list of clips with '--files-from'")
  }
}
