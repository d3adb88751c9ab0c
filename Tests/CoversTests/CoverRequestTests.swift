import Covers
import Testing

@Suite("Cover requests")
struct CoverRequestTests {
  @Test(
    "Each request has exactly one JSON text",
    arguments: [
      ("32767", "first", #"{"at":"first","size":"32767x32767"}"#),
      ("320x240", "2.50", #"{"at":"2.5","size":"320x240"}"#),
      ("320", "1:02:03", #"{"at":"3723.0","size":"320x320"}"#),
      ("1x2", "50%", #"{"at":"50.0%","size":"1x2"}"#),
      ("1x2", "0.00001", #"{"at":"0.00001","size":"1x2"}"#),
      ("320", "key:1m30s", #"{"at":"key:90.0","size":"320x320"}"#),
      ("320", "key:90%", #"{"at":"key:90.0%","size":"320x320"}"#),
    ]
  )
  func json(size: String, time: String, line: String) throws {
    let request = CoverRequest(size: try #require(SizeLimit(size)), time: try #require(RequestedTime(time)))
    #expect(String(decoding: try CanonicalJSON.line(request), as: UTF8.self) == line)
    #expect(try CanonicalJSON.decode(CoverRequest.self, from: line.utf8) == request)
  }

  private static func request(_ change: (inout CoverRequest) -> Void) -> CoverRequest {
    var request = CoverRequest()
    change(&request)
    return request
  }

  @Test(
    "The JSON text omits default values",
    arguments: [
      (CoverRequest(), #"{"at":"first","size":"32767x32767"}"#),
      (request { $0.deinterlaces = false }, #"{"at":"first","deinterlace":false,"size":"32767x32767"}"#),
      (request { $0.format = .jpeg }, #"{"at":"first","format":"jpeg","size":"32767x32767"}"#),
      (request { $0.quality = 7 }, #"{"at":"first","quality":7,"size":"32767x32767"}"#),
      (request { $0.fill = SizeLimit("64x36") }, #"{"at":"first","fill":"64x36","size":"32767x32767"}"#),
      (request { $0.stream = 2 }, #"{"at":"first","size":"32767x32767","stream":2}"#),
      (request { $0.artwork = .prefer }, #"{"at":"first","embedded":"prefer","size":"32767x32767"}"#),
      (request { $0.keepsStorageShape = true }, #"{"at":"first","size":"32767x32767","storageSize":true}"#),
      (request { $0.background = Colour("white") }, ##"{"at":"first","background":"#ffffff","size":"32767x32767"}"##),
      (request { $0.bitDepth = 16 }, #"{"at":"first","bitDepth":16,"size":"32767x32767"}"#),
      (request { $0.time = .best }, #"{"at":"best","size":"32767x32767"}"#),
    ]
  )
  func unusual(request: CoverRequest, line: String) throws {
    #expect(String(decoding: try CanonicalJSON.line(request), as: UTF8.self) == line)
    #expect(try CanonicalJSON.decode(CoverRequest.self, from: line.utf8) == request)
  }

  @Test("The default request is the first frame at full size")
  func simplest() {
    #expect(CoverRequest() == CoverRequest(size: .none, time: .first))
  }

  @Test(
    "A cover may have any size from 1×1 to the limit",
    arguments: [
      (1, 1, true), (64, 48, true), (64, 1, true), (1, 48, true), (65, 48, false), (64, 49, false), (0, 48, false),
      (64, 0, false), (-1, 48, false), (64, -1, false),
    ]
  )
  func allowedSizes(width: Int, height: Int, isAllowed: Bool) throws {
    let request = CoverRequest(size: try #require(SizeLimit("64x48")))
    #expect(request.allows(PixelSize(width: width, height: height)) == isAllowed)
  }

  @Test(
    "JSON that is not a request is rejected",
    arguments: [
      "", "null", "[]", "{}", #"{"at":"first"}"#, #"{"size":"320x240"}"#, #"{"at":"","size":"320x240"}"#,
      #"{"at":"first","size":""}"#, #"{"at":"last","size":"320x240"}"#, #"{"at":"first","size":"0x240"}"#,
      #"{"at":"1e-05","size":"320x240"}"#, #"{"at":1,"size":"320x240"}"#, #"{"at":"first","size":320}"#,
      #"{"at":"first","size":"320x240","deinterlace":"no"}"#, #"{"at":"first","size":"320x240","format":"gif"}"#,
      #"{"at":"first","size":"320x240","quality":"90"}"#, #"{"at":"first","fill":"0x9","size":"320x240"}"#,
      #"{"at":null,"size":"320x240"}"#, #"{"at":"first","size":"320x240""#, #"{"at":"first","size":"320x240"}}"#,
    ]
  )
  func nonsense(json: String) {
    #expect(throws: DecodingError.self) {
      try CanonicalJSON.decode(CoverRequest.self, from: json.utf8)
    }
  }
}
