"""The modules to mutate and the tests to run for each."""

import functools
import re
import sys
from pathlib import Path

from c_places import c_places
from swift_places import swift_places

PROJECT = Path(__file__).resolve().parents[2]
BOARD = (r"BoardStoreTests|BoardSupportTests|LiveBoardTests|PictureDrawingTests"
         r"|ClipCanvasTests\.(Board|Watch|ShowAndWait)\w*")
DECODING = (r"ClipServiceTests|ClipCanvasTests\.(Animate|ContactSheet|CoverCommand|CoverPixels|DisplayRectangle|EarlyEnd"
            r"|EmbeddedVideo|EnhancedFLV|Exact|Format|HiddenAlpha|Interlaced|LastFrameDuration|LateVideo|PictureOptions"
            r"|PrecededStream|ProbeCommand|Programme|RawFormat|References|SpatialLayer|Storyboard|Times|ToneMapping"
            r"|UntimedClip)Tests")
# Without the slowest suites, which look for other faults: kills, damaged clips, large folders, pixels.
COVERS = (r"ClipServiceTests"
          r"|ClipCanvasTests\.(Animate|Batch(ContactSheet|Freshness|Gallery|Identity|Marker|Meeting|OddFiles|Output|Reporting"
          r"|Selection|Storyboard|Tidying|Watch)|BrokenDecoder|ContactSheet|Cover(Command|Errors)|FaultInjection|Format|LockedDecoder"
          r"|OutputFileSystem|PictureOptions|ProbeCommand|SandboxMode|ShardAttempt|StandardInput|Storyboard|Thumbnailer)Tests"
          r"|BoardVideoTests\.Export(Change|Errors|Sound)Tests")

# For each module its own tests, and a pattern for the suites of the code that uses it.
TESTS = {
    "CanvasModel": ("CanvasModelTests", BOARD),
    "Files": ("FilesTests", f"{COVERS}|{BOARD}"),
    "BoardStore": ("BoardStoreTests", BOARD),
    "BoardSupport": ("BoardSupportTests", BOARD),
    "LiveBoard": ("LiveBoardTests", BOARD),
    "KeyValueObserving": ("KeyValueObservingTests", "LiveBoardTests"),
    "Covers": ("CoversTests", COVERS),
    "ClipService": ("ClipServiceTests", COVERS),
    "DecoderWire": ("DecoderWireTests", COVERS),
    "CoverDecoding": ("CoverDecodingTests", DECODING),
    "CCover": ("CoverDecodingTests", DECODING),
}


@functools.cache
def source(file):
    """The text of a file when it was first read: offsets stay valid if the file is edited during a run."""
    return (PROJECT / file).read_text(encoding="utf-8")


def places_of(module):
    """All places in the sources of a module."""
    places = []
    if not (PROJECT / "Sources" / module).is_dir():
        sys.exit(f"Sources/{module} does not exist; correct Tests/Mutants/modules.py")
    for path in sorted((PROJECT / "Sources" / module).rglob("*")):
        find = {".swift": swift_places, ".c": c_places}.get(path.suffix)
        if find:
            file = str(path.relative_to(PROJECT))
            places += find(module, file, source(file))
    return places


def suites_for(module, names):
    """The suites of a module's own tests, and those of the code that uses it."""
    target, users = TESTS[module]
    own = [name for name in names if name.split(".")[0] == target]
    return own, [name for name in names if re.fullmatch(rf"({users})(\.\w+)?", name) and name not in own]
