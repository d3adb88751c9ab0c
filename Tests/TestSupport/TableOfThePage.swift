/// The transition table written by hand as the specification of the state machine, independently of the code.
///
/// `✓` means changed, with the resulting session; `·` noop and `✗` refused, with the reason; `–` is impossible.
package enum TableOfThePage {
  /// The table in Markdown.
  package static let markdown = """
    | event | idle | selected | previewing | recording | paused | finalizing |
    |---|---|---|---|---|---|---|
    | tap (the focus) | – | ✓ previewing | ✓ idle | · locked | · locked | · locked |
    | tap (another) | ✓ previewing | ✓ previewing | ✓ previewing | · locked | · locked | · locked |
    | tap (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | select (the focus) | – | · already | · already | · locked | · locked | · locked |
    | select (another) | ✓ selected | ✓ selected | ✓ selected | · locked | · locked | · locked |
    | select (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | deselect | · already | ✓ idle | ✓ idle | · locked | · locked | · locked |
    | preview (the focus) | – | ✓ previewing | · already | · locked | · locked | · locked |
    | preview (another) | ✓ previewing | ✓ previewing | ✓ previewing | · locked | · locked | · locked |
    | preview (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | stopPreview | · already | · already | ✓ selected | · locked | · locked | · locked |
    | recordStart (no clip) | ✗ notPreviewing | ✗ notPreviewing | ✓ recording | ✗ locked | ✗ locked | ✗ locked |
    | recordStart (a clip) | ✗ notPreviewing | ✗ notPreviewing | ✗ hasClip | ✗ locked | ✗ locked | ✗ locked |
    | recordStart (a clip, replace) | ✗ notPreviewing | ✗ notPreviewing | ✓ recording | ✗ locked | ✗ locked | ✗ locked |
    | recordPause | ✗ notRecording | ✗ notRecording | ✗ notRecording | ✓ paused | · already | ✗ finalizing |
    | recordResume | ✗ notRecording | ✗ notRecording | ✗ notRecording | · already | ✓ recording | ✗ finalizing |
    | recordStop | ✗ notRecording | ✗ notRecording | ✗ notRecording | ✓ finalizing | ✓ finalizing | · already |
    | recordDiscard | ✗ notRecording | ✗ notRecording | ✗ notRecording | ✓ previewing | ✓ previewing | ✓ previewing |
    | takeFinished (any take) | ✗ noTake | ✗ noTake | ✗ noTake | – | – | – |
    | takeFinished (its take) | – | – | – | ✗ notStopped | ✗ notStopped | ✓ previewing |
    | takeFinished (another take) | – | – | – | ✗ notStopped | ✗ notStopped | ✗ wrongTake |
    | takeFailed (any take) | · stale | · stale | · stale | – | – | – |
    | takeFailed (its take) | – | – | – | ✓ paused | ✓ paused | ✓ paused |
    | takeFailed (another take) | – | – | – | · stale | · stale | · stale |
    | takeFailed (its take, interrupted already) | – | – | – | – | · stale | – |
    | importClip (no clip) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | importClip (a clip) | ✗ hasClip | ✗ hasClip | ✗ hasClip | ✗ locked | ✗ locked | ✗ locked |
    | importClip (a clip, replace) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | importClip (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | removeClip (a clip) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | removeClip (no clip) | · already | · already | · already | ✗ locked | ✗ locked | ✗ locked |
    | removeClip (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | trimClip (a part) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | trimClip (the same part) | · already | · already | · already | ✗ locked | ✗ locked | ✗ locked |
    | trimClip (the whole clip) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | trimClip (beyond the clip) | ✗ badTrim | ✗ badTrim | ✗ badTrim | ✗ locked | ✗ locked | ✗ locked |
    | trimClip (no clip) | ✗ noClip | ✗ noClip | ✗ noClip | ✗ locked | ✗ locked | ✗ locked |
    | trimClip (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | useTake (a take) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | useTake (the clip) | · already | · already | · already | ✗ locked | ✗ locked | ✗ locked |
    | useTake (an unknown take) | ✗ unknownTake | ✗ unknownTake | ✗ unknownTake | ✗ locked | ✗ locked | ✗ locked |
    | useTake (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | removeTake (a take) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | removeTake (the clip) | ✗ takeInUse | ✗ takeInUse | ✗ takeInUse | ✗ locked | ✗ locked | ✗ locked |
    | removeTake (an unknown take) | ✗ unknownTake | ✗ unknownTake | ✗ unknownTake | ✗ locked | ✗ locked | ✗ locked |
    | removeTake (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | coverReady (pending) | ✓ idle | ✓ selected | ✓ previewing | ✓ recording | ✓ paused | ✓ finalizing |
    | coverReady (answered already) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverReady (another generation) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverReady (no clip) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverReady (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | coverFailed (pending) | ✓ idle | ✓ selected | ✓ previewing | ✓ recording | ✓ paused | ✓ finalizing |
    | coverFailed (answered already) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverFailed (another generation) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverFailed (no clip) | · stale | · stale | · stale | · stale | · stale | · stale |
    | coverFailed (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | coverRetry (ready) | ✓ idle | ✓ selected | ✓ previewing | ✓ recording | ✓ paused | ✓ finalizing |
    | coverRetry (failed) | ✓ idle | ✓ selected | ✓ previewing | ✓ recording | ✓ paused | ✓ finalizing |
    | coverRetry (pending) | · already | · already | · already | · already | · already | · already |
    | coverRetry (no clip) | ✗ noClip | ✗ noClip | ✗ noClip | ✗ noClip | ✗ noClip | ✗ noClip |
    | coverRetry (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | addCanvas (a new id) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | addCanvas (an id that exists) | ✗ canvasExists | ✗ canvasExists | ✗ canvasExists | ✗ locked | ✗ locked | ✗ locked |
    | addCanvas (an invalid id) | ✗ badCanvasID | ✗ badCanvasID | ✗ badCanvasID | ✗ locked | ✗ locked | ✗ locked |
    | removeCanvas (the focus) | – | ✓ idle | ✓ idle | ✗ locked | ✗ locked | ✗ locked |
    | removeCanvas (another) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | removeCanvas (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | moveCanvas (to another position) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | moveCanvas (to its own position) | · already | · already | · already | ✗ locked | ✗ locked | ✗ locked |
    | moveCanvas (to an invalid position) | ✗ badPosition | ✗ badPosition | ✗ badPosition | ✗ locked | ✗ locked | ✗ locked |
    | moveCanvas (an unknown canvas) | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas | ✗ unknownCanvas |
    | undo (an import) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | undo (nothing) | · nothing | · nothing | · nothing | ✗ locked | ✗ locked | ✗ locked |
    | redo (an import) | ✓ idle | ✓ selected | ✓ previewing | ✗ locked | ✗ locked | ✗ locked |
    | redo (nothing) | · nothing | · nothing | · nothing | ✗ locked | ✗ locked | ✗ locked |

    """

  /// An event in a session, and the answer.
  package struct Cell: Sendable, CustomStringConvertible {
    /// The event and its variant.
    package let label: String
    /// The session before.
    package let session: String
    /// The answer, with its sign.
    package let answer: String

    /// The cell in one line.
    package var description: String { "\(label) in \(session): \(answer)" }
  }

  /// The cells that are possible.
  package static let cells: [Cell] = {
    let lines = markdown.split(separator: "\n").map { line in
      line.split(separator: "|").map { $0.drop { $0 == " " } }.map { $0.last == " " ? $0.dropLast() : $0 }.map(
        String.init
      )
    }
    return lines.dropFirst(2).flatMap { line in
      zip(lines[0], line).dropFirst().filter { $1 != "–" }
        .map { Cell(label: line[0], session: $0, answer: $1) }
    }
  }()
}
