"""A small web server that acts as a static host: under a sub-path, compressed, with the book's 404 page."""

from __future__ import annotations

import gzip
import mimetypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMPRESSED = ("text/", "application/json", "application/javascript", "application/xml", "image/svg+xml")


class StaticHost(BaseHTTPRequestHandler):
    """Answers with files of one folder; `folder` and `prefix` are set by `serve`."""

    protocol_version = "HTTP/1.1"
    folder: Path
    prefix: str

    def do_GET(self) -> None:
        """Send the file, or the 404 page."""
        file, status = self.find(), 200
        if file is None:
            file, status = self.folder / "404.html", 404
        body = file.read_bytes() if file.is_file() else b""
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if kind.startswith(COMPRESSED) and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def find(self) -> Path | None:
        """The file that the address names, or None where there is none."""
        path = unquote(urlsplit(self.path).path)
        if not path.startswith(self.prefix):
            return None
        file = (self.folder / path.removeprefix(self.prefix)).resolve()
        if path.endswith("/"):
            file = file / "index.html"
        return file if file.is_file() and file.is_relative_to(self.folder.resolve()) else None

    def log_message(self, *args: object) -> None:
        """Say nothing: the tests record what the browser sees."""


class Server(ThreadingHTTPServer):
    """A thread a request; readers may hang up when they like."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Report all but a reader who hung up, as a browser does when its page is closed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(folder: Path, prefix: str) -> Iterator[str]:
    """Serve a folder on this machine alone while the block runs.

    Args:
        folder: the built site.
        prefix: the path it stands under, with slashes at both ends.

    Returns:
        The site's address, ending in the prefix.
    """
    handler = type("Host", (StaticHost,), {"folder": folder, "prefix": prefix})
    server = Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
