internal import Covers

extension CoverHead {
  /// The kind of the picture, from the request in it.
  var kind: PictureKind {
    guard format != nil else { return .animation }
    let request = self[.request].flatMap { try? CanonicalJSON.decode(CoverRequest.self, from: Array($0.utf8)) }
    return request?.kind ?? .cover
  }
}
