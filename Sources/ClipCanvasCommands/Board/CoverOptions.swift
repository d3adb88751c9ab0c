internal import ArgumentParser

/// The options for making the cover of a clip added to a board.
struct CoverOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Make its cover at once; else 'clipcanvas cover pending' does later.")
  var cover = true

  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
}
