import SystemPackage
import TestSupport
import Testing

@Suite("Gallery of a batch")
struct BatchGalleryTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/d"))
    try scratch.copy(ProjectFolder.fixture("1080p.mp4"), as: "c/a.mp4")
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "c/d/b.mp4")
    try scratch.copy(ProjectFolder.fixture("empty.mp4"), as: "c/e.mp4")
  }

  private func gallery(_ arguments: [String]) async throws -> GalleryOracle {
    let result = try await Program.run(
      "clipcanvas",
      ["batch", "--quiet", "--gallery", "g.html"] + arguments + ["c"],
      in: scratch.path
    )
    #expect(result.exitStatus == 1, "\(result.errorOutput)")
    return try await GalleryOracle(of: scratch("g.html"))
  }

  private func size(_ card: GalleryOracle.Card?) -> [String?] { [card?.picture?["width"], card?.picture?["height"]] }

  @Test(
    "A card has the facts of the clip, not those of the cover, in the run that makes it and in the next",
    .enabled(if: Scope.isFull)
  )
  func facts() async throws {
    for options in [["-j1"], ["-j1"], ["-j2", "--force"]] {
      let cards = try await gallery(options).cards.sorted { $0.path < $1.path }
      #expect(cards.map(\.path) == ["c/a.mp4", "c/d/b.mp4", "c/e.mp4"])
      #expect(
        cards.map { Array($0.facts.prefix(4)) }.prefix(2) == [
          ["0.2 s", "1920×1080", "h264", "25 fps"], ["1.0 s", "160×120", "h264", "25 fps"],
        ]
      )
      #expect(cards.map(\.cause) == [nil, nil, "Empty file"])
    }
  }

  @Test("Covers of a gallery fit into 480 pixels, unless a size is given")
  func size() async throws {
    #expect(size(try await gallery([]).cards.first { $0.path == "c/a.mp4" }) == ["480", "270"])
    #expect(size(try await gallery(["--size", "640"]).cards.first { $0.path == "c/a.mp4" }) == ["640", "360"])
    #expect(size(try await gallery(["--fill", "500"]).cards.first { $0.path == "c/a.mp4" }) == ["500", "500"])
  }

  @Test("Covers that exist keep their size in a gallery, unless another is given", .enabled(if: Scope.isFull))
  func existing() async throws {
    try scratch.copy(ProjectFolder.fixture("1080p.mp4"), as: "c/small.mp4")
    _ = try await BatchRun(["--size", "200", "--exclude", "a.mp4", "c"], in: scratch.path)
    _ = try await BatchRun(["--exclude", "small.mp4", "c"], in: scratch.path)
    let before = try ScratchFolder.read(scratch("c/a.mp4.png"))
    try scratch.copy(ProjectFolder.fixture("1080p.mp4"), as: "c/new.mp4")
    let run = try await BatchRun(["--gallery", "g.html", "c"], in: scratch.path)
    #expect(run.summary?.fresh == 3 && run.summary?.covers == 1, "\(run.result.text)")
    #expect(try ScratchFolder.read(scratch("c/a.mp4.png")) == before)
    let cards = try await GalleryOracle(of: scratch("g.html")).cards
    let sizes = ["a", "small", "new"].map { name in size(cards.first { $0.path == "c/\(name).mp4" }) }
    #expect(sizes == [["1920", "1080"], ["200", "113"], ["480", "270"]])
    // A different frame is another cover, which is made in the gallery's size.
    #expect(size(try await gallery(["--at", "best"]).cards.first { $0.path == "c/a.mp4" }) == ["480", "270"])
    #expect(size(try await gallery(["--size", "1920"]).cards.first { $0.path == "c/new.mp4" }) == ["1920", "1080"])
    #expect(try await BatchRun(["--size", "1920", "c"], in: scratch.path).summary?.fresh == 4)
  }

  @Test(
    "A card names the animation and the storyboard that the run made or found fresh, and no others",
    .enabled(if: Scope.isFull)
  )
  func previews() async throws {
    #expect(try await gallery([]).cards.allSatisfy { $0.data["animation"] == nil && $0.data["storyboard"] == nil })
    for place in ["c", "o/c"] {
      let options = ["--animate", "--storyboard", "--interval", "0.5s"] + (place == "c" ? [] : ["-o", "o"])
      for _ in 1...2 {
        let cards = try await gallery(options).cards.filter { $0.cover != nil }.sorted { $0.path < $1.path }
        #expect(cards.map { $0.data["animation"] } == ["a.mp4", "d/b.mp4"].map { "\(place)/\($0).preview.webp" })
        let grids = ["10 10 1 320 180 0.5", "10 10 2 120 160 0.5"]
        #expect(
          cards.map { $0.data["storyboard"] }
            == zip(["a.mp4", "d/b.mp4"], grids).map { "\(place)/\($0).storyboard/ \($1)" }
        )
        for card in cards {
          let folder = card.data["storyboard"]?.split(separator: " ").first ?? ""
          #expect(ProjectFolder.isThere(scratch("\(folder)0.jpg")))
          #expect(ProjectFolder.isThere(scratch("\(card.data["animation"] ?? "")")))
        }
      }
    }
    #expect(try await gallery(["-o", "o"]).cards.allSatisfy { $0.data["animation"] == nil })
  }

  @Test("A gallery on standard output is the one of the file")
  func standardOutput() async throws {
    _ = try await gallery(["-j1"])
    let result = try await Program.run("clipcanvas", ["batch", "-j1", "--gallery", "-", "c"], in: scratch.path)
    #expect(result.output == (try ScratchFolder.read(scratch("g.html"))))
  }
}
