internal import ArgumentParser

/// The options for making the cover of a clip added to a board.
struct CoverOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Make the clip's cover immediately; otherwise 'clipcanvas board cover' makes it later (default: --cover)."
  )
  var cover = true

  @OptionGroup(title: "Decoder options") var decoder: DecoderOptions
}
