#!/usr/bin/env python3
"""A backend for a list of chores. It needs Python 3.6 or newer and nothing else, and knows nothing of Trendy.

    python3 chores.py --port 8090 --data chores.sqlite

Paths, names and envelopes are its own:

    GET    /ping                          {"alive": true}
    POST   /v2/people    {"login": {...}}  {"session": {...}}          sign-up
    POST   /v2/sessions  {"login": {...}}  {"session": {...}}          sign-in
    GET    /v2/chores?size=N&page=TOKEN   {"items": [...], "next": TOKEN or null}
    POST   /v2/chores    {"data": {...}}   {"data": {...}}
    GET, PATCH, DELETE /v2/chores/ID      {"data": {...}}; a PATCH changes the members that it has, null clears
    GET    /v2/journal?after=N&max=N      {"items": [{"seq", "what", "key", "chore"}], "next": N, "more": bool}
    GET    /v2/journal/end                {"data": {"seq": N}}

Whoever is signed in says so in the header X-Session. A refusal is {"problem": {"text": ...}}. Idempotency keys are
not known here: a chore whose id is there already is refused with 409.
"""

import argparse
import hashlib
import json
import secrets
import signal
import sqlite3
import sys
import threading
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

TABLES = """
    CREATE TABLE IF NOT EXISTS person (id TEXT PRIMARY KEY, name TEXT UNIQUE, salt BLOB, hash BLOB);
    CREATE TABLE IF NOT EXISTS session (token TEXT PRIMARY KEY, person TEXT);
    CREATE TABLE IF NOT EXISTS chore (id TEXT PRIMARY KEY, person TEXT, body TEXT);
    CREATE TABLE IF NOT EXISTS journal (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, person TEXT, what TEXT, key TEXT, chore TEXT);
    CREATE INDEX IF NOT EXISTS journal_of_person ON journal (person, seq);
"""


class Refusal(Exception):
    """What a request is refused with."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status
        self.text = text


class Chores:
    """The people, their chores, and the journal of what happened to these.

    One request at a time, each in one transaction: numbers in the journal ascend as changes become visible.
    """

    def __init__(self, path):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.executescript(TABLES)

    def row(self, sql, *values):
        return self.database.execute(sql, values).fetchone()

    # People

    def sign_up(self, login):
        name, secret = read_login(login)
        salt = secrets.token_bytes(16)
        person = str(uuid.uuid4())
        try:
            self.database.execute(
                "INSERT INTO person VALUES (?, ?, ?, ?)", (person, name, salt, digest(secret, salt)))
        except sqlite3.IntegrityError:
            raise Refusal(409, f"{name} has an account already") from None
        return self.session(person, name)

    def sign_in(self, login):
        name, secret = read_login(login)
        found = self.row("SELECT id, salt, hash FROM person WHERE name = ?", name)
        if found is None or not secrets.compare_digest(found[2], digest(secret, found[1])):
            raise Refusal(401, "no such person, or another secret")
        return self.session(found[0], name)

    def session(self, person, name):
        token = secrets.token_urlsafe(24)
        self.database.execute("INSERT INTO session VALUES (?, ?)", (token, person))
        return {"session": {"key": token, "who": {"id": person, "name": name}}}

    def person(self, token):
        found = self.row("SELECT person FROM session WHERE token = ?", token or "")
        if found is None:
            raise Refusal(401, "sign in first")
        return found[0]

    # Chores

    def list(self, person, page, size):
        rows = self.database.execute(
            "SELECT id, body FROM chore WHERE person = ? AND id > ? ORDER BY id LIMIT ?",
            (person, page, size + 1)).fetchall()
        more = len(rows) > size
        rows = rows[:size]
        return {"items": [json.loads(body) for _, body in rows], "next": rows[-1][0] if more else None}

    def find(self, person, key):
        found = self.row("SELECT body FROM chore WHERE person = ? AND id = ?", person, key)
        if found is None:
            raise Refusal(404, "there is no such chore")
        return json.loads(found[0])

    def add(self, person, data):
        chore = check(dict(data))
        if self.row("SELECT 1 FROM chore WHERE id = ?", chore["id"]):
            raise Refusal(409, "there is a chore of that id already")
        chore.update(owner=person, createdAt=now(), modifiedAt=now())
        self.database.execute(
            "INSERT INTO chore VALUES (?, ?, ?)", (chore["id"], person, json.dumps(chore)))
        self.note(person, "added", chore["id"], chore)
        return chore

    def change(self, person, key, data):
        chore = self.find(person, key)
        chore.update({name: value for name, value in data.items() if name != "id"})
        chore = check(chore)
        chore["modifiedAt"] = now()
        self.database.execute("UPDATE chore SET body = ? WHERE id = ?", (json.dumps(chore), key))
        self.note(person, "changed", key, chore)
        return chore

    def remove(self, person, key):
        self.find(person, key)
        self.database.execute("DELETE FROM chore WHERE id = ?", (key,))
        self.note(person, "removed", key, None)

    # The journal

    def note(self, person, what, key, chore):
        self.database.execute(
            "INSERT INTO journal (person, what, key, chore) VALUES (?, ?, ?, ?)",
            (person, what, key, json.dumps(chore)))

    def journal(self, person, after, size):
        rows = self.database.execute(
            "SELECT seq, what, key, chore FROM journal WHERE person = ? AND seq > ? ORDER BY seq LIMIT ?",
            (person, after, size + 1)).fetchall()
        more = len(rows) > size
        items = [
            {"seq": seq, "what": what, "key": key, "chore": json.loads(chore)}
            for seq, what, key, chore in rows[:size]]
        return {"items": items, "next": items[-1]["seq"] if items else after, "more": more}

    def end(self, person):
        return self.row("SELECT coalesce(max(seq), 0) FROM journal WHERE person = ?", person)[0]


def read_login(login):
    name, secret = login.get("name"), login.get("secret")
    if not (isinstance(name, str) and name.strip() and isinstance(secret, str) and len(secret) >= 8):
        raise Refusal(422, "a login has a name, and a secret of eight characters or more")
    return name, secret


def digest(secret, salt):
    return hashlib.scrypt(secret.encode(), salt=salt, n=2 ** 14, r=8, p=1)


def check(chore):
    summary = chore.get("summary")
    if not isinstance(summary, str) or not summary.strip():
        raise Refusal(422, "a chore has a summary")
    if not isinstance(chore.get("id"), str) or not chore["id"]:
        raise Refusal(422, "a chore has an id")
    if not isinstance(chore.get("isDone", False), bool):
        raise Refusal(422, "isDone is true or false")
    return chore


def now():
    return datetime.now(timezone.utc).isoformat(timespec="microseconds")


class Handler(BaseHTTPRequestHandler):
    """Reads a request, asks the chores, and writes the answer."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # Head and body in one piece.
    chores = None
    loses = []

    def do_GET(self):
        self.answer()

    do_POST = do_PATCH = do_DELETE = do_GET

    def answer(self):
        try:
            body = self.body()
            with self.chores.lock, self.chores.database:
                status, answer = self.route(body)
        except Refusal as refusal:
            status, answer = refusal.status, {"problem": {"text": refusal.text}}
        lost = [request for request in self.loses if f"{self.command} {self.path}".startswith(request)]
        if lost:
            # What was asked for is done, and nobody hears of it.
            self.loses.remove(lost[0])
            self.close_connection = True
            return
        data = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        if answer is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length == 0:
            return {}
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            raise Refusal(400, "the body is no JSON") from None
        if not isinstance(body, dict) or not all(isinstance(part, dict) for part in body.values()):
            raise Refusal(400, "the body is no envelope")
        return body

    def route(self, body):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        request = f"{self.command} {url.path}"
        if request == "GET /ping":
            return 200, {"alive": True}
        if request == "POST /v2/people":
            return 201, self.chores.sign_up(body.get("login", {}))
        if request == "POST /v2/sessions":
            return 200, self.chores.sign_in(body.get("login", {}))
        person = self.chores.person(self.headers.get("X-Session"))
        if request == "GET /v2/chores":
            return 200, self.chores.list(person, query.get("page", ""), number(query, "size", 50))
        if request == "POST /v2/chores":
            return 201, {"data": self.chores.add(person, body.get("data", {}))}
        if request == "GET /v2/journal":
            return 200, self.chores.journal(person, number(query, "after", 0), number(query, "max", 100))
        if request == "GET /v2/journal/end":
            return 200, {"data": {"seq": self.chores.end(person)}}
        place, _, key = url.path.rpartition("/")
        if place == "/v2/chores":
            return self.one(person, unquote(key), body.get("data", {}))
        raise Refusal(404, "there is nothing at that path")

    def one(self, person, key, data):
        """A request that concerns one chore."""
        if self.command == "PATCH":
            return 200, {"data": self.chores.change(person, key, data)}
        if self.command == "DELETE":
            self.chores.remove(person, key)
            return 204, None
        if self.command == "GET":
            return 200, {"data": self.chores.find(person, key)}
        raise Refusal(405, f"a chore takes no {self.command}")

    def log_message(self, format, *values):
        sys.stderr.write("%s\n" % (format % values))


def number(query, name, standard):
    text = query.get(name, str(standard))
    if not text.isdecimal():
        raise Refusal(400, f"{name} is a whole number")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description="Keep lists of chores.")
    parser.add_argument("--port", type=int, default=8090, help="0 for a free one")
    parser.add_argument("--data", default=":memory:", help="the file of the data; without it, all ends with the server")
    parser.add_argument(
        "--lose", action="append", default=[], metavar="REQUEST",
        help="for tests of clients: do the first request that begins so ('POST /v2/chores'), and hang up unanswered")
    options = parser.parse_args()
    Handler.loses = options.lose
    Handler.chores = Chores(options.data)
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
