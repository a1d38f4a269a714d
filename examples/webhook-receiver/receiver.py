"""Hears what becomes of jobs: checks the signature of each call, forgets what it has heard before, prints the rest.

SECRET is what GET /api/v1/webhook-secret answers, or the secret of a subscription; PORT is where to listen.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
HEARD = set()  # a real receiver keeps these beside what it does about them


def is_good(headers, body):
    event, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) > 300:
        return False  # somebody repeats an old call
    digest = hmac.new(KEY, f"{event}.{at}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        good = is_good(self.headers, body)
        if good and self.headers["webhook-id"] not in HEARD:
            HEARD.add(self.headers["webhook-id"])
            call = json.loads(body)
            print(call["event"], call.get("job_id"), json.dumps(call.get("result")), flush=True)
        self.send_response(204 if good else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
