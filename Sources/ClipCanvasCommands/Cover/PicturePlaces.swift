internal import ArgumentParser
internal import ClipService
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// A file format that a file extension can stand for.
protocol PictureFormat: CaseIterable, Equatable {
  /// The format of a picture if nothing else is requested.
  static var usual: Self { get }
  /// The name, as given with `--format`.
  var rawValue: String { get }
  /// The usual file extension, without the dot.
  var fileExtension: String { get }
  /// Creates the format of a file extension, ignoring case.
  init?(fileExtension: String)
}

extension CoverFormat: PictureFormat {
  static var usual: CoverFormat { .png }
}

extension AnimationFormat: PictureFormat {
  static var usual: AnimationFormat { .webp }
}

/// The place and format of the pictures of clips.
struct PicturePlaces<Format: PictureFormat> {
  /// The file or folder named with `-o`, or `-`; `nil` for a file beside each clip.
  private let output: PathArgument?
  /// The number of pictures.
  private let count: Int
  /// The requested format, or the format implied by the file name given with `-o`.
  let format: Format
  /// The extension of the file named with `-o`.
  private let fileExtension: String?

  init(output: PathArgument?, count: Int, format: Format?) {
    (self.output, self.count) = (output, count)
    let isFile = output.map { !Self.isFolder($0, count: count) } ?? false
    fileExtension = isFile ? output?.path.extension : nil
    self.format = format ?? fileExtension.flatMap(Format.init(fileExtension:)) ?? .usual
  }

  /// Whether the picture is written to standard output.
  var isStandardOutput: Bool { output?.path == "-" }

  /// Whether each picture gets a name derived from that of its clip.
  var isInFolder: Bool { output.map { Self.isFolder($0, count: count) } ?? true }

  private static func isFolder(_ output: PathArgument, count: Int) -> Bool {
    output.path != "-" && (count > 1 || output.namesFolder || Folder.exists(at: output.path))
  }

  /// Checks that the clips can be read, and that their pictures can go there.
  ///
  /// - Parameters:
  ///   - clips: The clips.
  ///   - noun: The word for one picture.
  ///   - pictures: The number of pictures made of each clip.
  ///   - printsJSON: Whether JSON objects are written to standard output.
  func validate(_ clips: [PathArgument], noun: String, pictures: Int = 1, printsJSON: Bool) throws {
    try validate(noun: noun, printsJSON: printsJSON)
    try StandardInputClip.validate(clips, noun: noun, pictures: pictures, isInFolder: isInFolder)
  }

  private func validate(noun: String, printsJSON: Bool) throws {
    try checkExtension(noun: noun)
    if count > 1, let output, !isStandardOutput, !output.namesFolder, !Folder.exists(at: output.path),
      output.path.extension.flatMap(Format.init(fileExtension:)) != nil
    {
      let path = output.path.displayText
      throw ValidationError("'-o \(path)' is one file for \(count) \(noun)s; write \(path)/ if it is a folder")
    }
    guard isStandardOutput else { return }
    guard count == 1 else { throw ValidationError("'-o -' takes one \(noun); use a folder for several") }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw ValidationError("'-o -' would write a picture to the terminal; redirect it to a file or a program")
    }
    guard !printsJSON else {
      throw ValidationError("'--json' and '-o -' both write to standard output; use one of them")
    }
  }

  /// Checks that the file named with `-o` is not named like a clip or a picture of another format.
  private func checkExtension(noun: String) throws {
    guard let output, let fileExtension else { return }
    guard let named = Format(fileExtension: fileExtension) else {
      return try output.checkExtension(noun: noun, Format.allCases.map(\.fileExtension))
    }
    guard named == format else {
      let path = output.path.displayText
      throw ValidationError("'-o \(path)' and '--format \(format.rawValue)' name two formats; use one of them")
    }
  }

  /// Returns the orders for one picture of each clip; creates the folder named with `-o` if it does not exist.
  ///
  /// - Parameters:
  ///   - request: The request, which decides the name of a picture that `-o` does not name.
  ///   - clips: The clips, or only that on standard input.
  ///   - isForced: Whether a picture that is fresh, or a file that is not a picture of ours, is replaced.
  ///   - asJSON: Whether outcomes are printed as JSON.
  func orders(
    _ request: CoverRequest,
    of clips: [PathArgument],
    isForced: Bool,
    asJSON: Bool
  ) throws -> [CoverOrder] {
    let isInput = StandardInputClip.isNamed(in: clips)
    return try clips.map { clip in
      let destination = try destination(for: clip.path) { CoverOrder.defaultPath(for: $0, request: request) }
      return isInput
        ? try StandardInputClip.order(to: destination, request: request, isForced: isForced, asJSON: asJSON)
        : CoverOrder(clip: clip.path, destination: destination, request: request, isForced: isForced)
    }
  }

  /// Returns the destination of a picture; creates the folder named with `-o` if it does not exist.
  ///
  /// - Parameters:
  ///   - clip: The path of the clip.
  ///   - derivePath: Returns the path of the picture beside a clip at the given path.
  func destination(
    for clip: FilePath,
    _ derivePath: (FilePath) -> FilePath
  ) throws -> CoverOrder.Destination {
    guard let output else { return .file(OutputPlace(derivePath(clip), derivedComponents: 1)) }
    guard !isStandardOutput else { return .standardOutput }
    guard Self.isFolder(output, count: count) else { return .file(OutputPlace(named: output.path)) }
    try Folder.makeForCovers(at: output.path)
    let name = clip.lastComponent.map { FilePath(root: nil, [$0]) } ?? clip
    return .file(OutputPlace(output.path.pushing(derivePath(name)), derivedComponents: 1))
  }
}

extension PathArgument {
  /// Checks that a file to write is not named like a clip or a picture in another format.
  ///
  /// - Parameters:
  ///   - noun: The word for what is written.
  ///   - fileExtensions: The extensions of the formats that it can be written in.
  func checkExtension(noun: String, _ fileExtensions: [String]) throws {
    guard let fileExtension = path.extension?.lowercased(), !fileExtensions.contains(fileExtension),
      CoverFormat(fileExtension: fileExtension) != nil || CoverName.isOfOtherFile(fileExtension)
    else { return }
    let article = noun.hasPrefix("a") ? "an" : "a"
    let names = fileExtensions.map { ".\($0)" }
    let choice = [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
    throw ValidationError(
      "'-o \(path.displayText)' is not the name of \(article) \(noun): use \(choice.joined(separator: " or "))"
    )
  }
}
