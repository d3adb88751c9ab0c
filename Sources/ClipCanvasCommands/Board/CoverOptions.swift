internal import ArgumentParser

/// How a clip that comes to a board gets its cover.
struct CoverOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Make its cover at once; else 'clipcanvas cover pending' does later.")
  var cover = true

  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
}
