internal import ArgumentParser
internal import Covers
internal import Files
internal import SystemPackage

/// The options for the output of a batch.
struct BatchOutputOptions: ParsableArguments {
  @Flag(help: "Print a JSON object for each clip, and one with the summary.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write the same objects to a file; - is standard output. With --shard, the file appears only when it is complete, "
        + "and its folder is created.",
      valueName: "file"
    )
  )
  var report: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Write an HTML page that shows all clips and needs no network; - is standard output. Without --size and --fill, "
        + "new covers then fit into 480 pixels, and existing ones keep their size. With --animate or --storyboard, the page "
        + "previews clips under the pointer.",
      valueName: "file.html"
    ),
    completion: .file(extensions: ["html"])
  )
  var gallery: PathArgument?

  @Flag(name: .shortAndLong, help: "Print problems only.")
  var quiet = false

  private static let galleryExtensions = ["html", "htm"]

  /// The size of covers for a gallery, unless the user names one: as large as its tiles usually are, so that the page
  /// of a large folder does not load pictures of the size of the clips.
  static let gallerySize = SizeLimit(width: 480, height: 480) ?? .none

  /// Whether the objects go to standard output.
  var printsJSON: Bool { json || report?.path == "-" }

  /// Whether the facts of fresh covers are reported.
  var needsFacts: Bool { json || report != nil || gallery != nil }

  /// Whether JSON or the gallery is written to standard output, so that no other text may be written there.
  var usesStandardOutput: Bool { printsJSON || gallery?.path == "-" }

  /// The file that the JSON objects are written to.
  var reportFile: FilePath? { report?.path == "-" ? nil : report?.path }

  /// The files that are written beside the pictures.
  var files: [FilePath] { [reportFile, gallery?.path].compactMap(\.self) }

  func validate() throws {
    let writers = [
      json ? "--json" : nil, report?.path == "-" ? "--report -" : nil, gallery?.path == "-" ? "--gallery -" : nil,
    ]
    .compactMap(\.self)
    guard writers.count < 2 else {
      throw ValidationError("'\(writers[0])' and '\(writers[1])' both write to standard output; use one of them")
    }
    if let gallery, let ending = gallery.path.extension?.lowercased(), !Self.galleryExtensions.contains(ending) {
      throw ValidationError(
        "'--gallery \(gallery.path.displayText)': a gallery is an HTML page; use a name that ends in .html"
      )
    }
    if let gallery, gallery.path != "-", gallery.path == report?.path {
      throw ValidationError("'--gallery' and '--report' name the same file")
    }
  }
}
