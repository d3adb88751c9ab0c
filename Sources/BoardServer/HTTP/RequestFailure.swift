internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import SystemPackage

/// An answer to a request that cannot be fulfilled: a status, and a sentence for people.
struct RequestFailure: Error, HTTPResponseError {
  let status: HTTPResponse.Status
  let json: JSON
  /// Whether the same request may succeed later.
  let isTemporary: Bool

  /// - Parameters:
  ///   - status: The status.
  ///   - message: What is wrong, and what to do about it.
  init(_ status: HTTPResponse.Status, _ message: String) {
    self.status = status
    json = .object(["error": .string(message)])
    isTemporary = status.kind == .serverError
  }

  /// The answer to an event that the board refuses.
  init(_ reason: Reason) {
    status = .conflict
    isTemporary = reason == .locked
    json = .object([
      "outcome": .string("refused"), "reason": .string(reason.rawValue), "message": .string(reason.pageMessage),
    ])
  }

  /// The answer when the board's file cannot be read or changed.
  init(_ error: BoardError, of file: BoardFile) {
    self.init(error == .tooLarge ? .conflict : .serviceUnavailable, error.pageMessage(of: file))
  }

  /// The sentence for people.
  var text: String {
    for name in ["error", "message"] {
      if case .string(let text) = json[name] { return text }
    }
    return status.reasonPhrase
  }

  /// The text with a capital letter at its start and a full stop.
  var sentence: String {
    let start = text.prefix(1).uppercased() + text.dropFirst()
    return start.last.map { ".!?…".contains($0) } == true ? start : start + "."
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    Response(json, status: status)
  }
}

extension BoardFeed {
  /// Changes the board for a request, as ``transact(_:)`` does.
  func change<Value: Sendable>(
    _ body: @escaping @Sendable (inout Board) -> Value
  ) async throws(RequestFailure) -> Value {
    do throws(BoardError) {
      return try await transact(body)
    } catch {
      throw RequestFailure(error, of: file)
    }
  }
}

extension Response {
  /// Creates a response with JSON.
  init(_ json: JSON, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
    self.init(bytes: json.line, type: "application/json", status: status, headers: headers)
  }

  /// Creates a response with bytes of a type.
  init(bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
    var headers = headers
    headers[.contentType] = type
    self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

extension Reason {
  /// A message for users of the page, not of the command line.
  fileprivate var pageMessage: String {
    switch self {
    case .hasClip: "the canvas already has a clip; confirm that it may be replaced"
    case .tooFewSteps, .unknownRevision: "there is nothing to undo or redo"
    case .unknownCanvas: "the canvas was removed"
    case .unknownTake: "the take was removed"
    case .badTrim: "the clip does not have that part"
    case .notPreviewing: "no canvas is ready for a recording; open the camera of one first"
    case .finalizing: "the recording has ended, and its clip is being saved"
    case .locked, .already, .nothing, .stale, .notRecording, .noTake, .notStopped, .wrongTake, .noClip, .canvasExists,
      .takeInUse, .badPosition, .badCanvasID, .ownerAlive, .tooLarge:
      message()
    }
  }
}
