"""Serves a folder on a free port, which it prints; Helm 3 requires the content type of gzip for archives."""

import functools
import http.server
import sys

handler = http.server.SimpleHTTPRequestHandler
handler.extensions_map = {**handler.extensions_map, ".tgz": "application/gzip"}
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()
