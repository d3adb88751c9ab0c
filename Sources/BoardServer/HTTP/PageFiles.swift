internal import HTTPTypes
internal import Hummingbird

/// The files of the page, which are part of the program.
enum PageFiles {
  /// The files by their paths.
  private static let all: [String: [UInt8]] = [
    "/": PackageResources.index_html,
    "/board-view.js": PackageResources.board_view_js,
    "/camera.js": PackageResources.camera_js,
    "/canvas-face.js": PackageResources.canvas_face_js,
    "/canvas-view.js": PackageResources.canvas_view_js,
    "/canvas.css": PackageResources.canvas_css,
    "/connection.js": PackageResources.connection_js,
    "/controls.css": PackageResources.controls_css,
    "/controls.js": PackageResources.controls_js,
    "/dialogs.js": PackageResources.dialogs_js,
    "/download.js": PackageResources.download_js,
    "/enter.js": PackageResources.enter_js,
    "/files.js": PackageResources.files_js,
    "/format.js": PackageResources.format_js,
    "/guest.js": PackageResources.guest_js,
    "/hints.js": PackageResources.hints_js,
    "/icon.svg": PackageResources.icon_svg,
    "/join.js": PackageResources.join_js,
    "/keyboard.js": PackageResources.keyboard_js,
    "/layout.js": PackageResources.layout_js,
    "/level.js": PackageResources.level_js,
    "/main.js": PackageResources.main_js,
    "/menu.js": PackageResources.menu_js,
    "/messages.js": PackageResources.messages_js,
    "/part.js": PackageResources.part_js,
    "/pause.js": PackageResources.pause_js,
    "/playback.js": PackageResources.playback_js,
    "/recorder.js": PackageResources.recorder_js,
    "/server.js": PackageResources.server_js,
    "/session.js": PackageResources.session_js,
    "/share.css": PackageResources.share_css,
    "/share.js": PackageResources.share_js,
    "/sources.js": PackageResources.sources_js,
    "/stream-worker.js": PackageResources.stream_worker_js,
    "/stream.js": PackageResources.stream_js,
    "/style.css": PackageResources.style_css,
    "/takes.css": PackageResources.takes_css,
    "/takes.js": PackageResources.takes_js,
    "/trim.js": PackageResources.trim_js,
    "/upload.js": PackageResources.upload_js,
  ]

  /// Adds a route for each file.
  static func add(to router: Router<some RequestContext>) {
    for (path, bytes) in all {
      router.get(RouterPath(path)) { _, _ in Response(bytes: bytes, type: type(of: path)) }
    }
  }

  private static func type(of path: String) -> String {
    switch path.split(separator: ".").last {
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/html; charset=utf-8"
    }
  }
}
