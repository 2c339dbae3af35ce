# SPDX-License-Identifier: Apache-2.0
"""What the tests share: TAP, client processes, the rules of the stored form."""

import json
import os
import queue
import re
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(TOP, "tests", "interop")]
sys.dont_write_bytecode = True

import servers  # noqa: E402
from acor_model_text import lower, read_array, runes, trim  # noqa: E402,F401

PEER = [sys.executable, "-B", os.path.join(TOP, "tests", "interop", "acor_model_peer.py")]

# Statuses of the public header.
UNANNOUNCED = 4
EINVAL, EREADONLY, EMODE, EEMPTY = (-1, -6, -8, -9)
ECONFLICT, ETIMEOUT, ECONNECT, EUNAVAILABLE = (-20, -21, -22, -23)
EAUTH, EPROTOCOL, EREPLY, EOUTCOME = (-30, -31, -32, -33)
ESCHEMA, ECORRUPT, ELIMIT = (-40, -41, -43)


# TAP --------------------------------------------------------------------------


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def ok(self, good, name, *detail):
        self.n += 1
        self.failed += not good
        print(
            "%s %d - %s" % ("ok" if good else "not ok", self.n, name.replace("#", "no.")),
            flush=True,
        )
        if not good:
            for d in detail:
                for line in str(d)[:3000].splitlines()[:30]:
                    print("#   " + line, flush=True)
        return bool(good)

    def equal(self, got, want, name):
        return self.ok(got == want, name, "got  %r" % (got,), "want %r" % (want,))

    def none(self, found, name):
        """Passes where the list of complaints is empty."""
        return self.ok(not found, name, *found[:20])

    def skip(self, name, why):
        self.n += 1
        print("ok %d - %s # SKIP %s" % (self.n, name, why), flush=True)

    @staticmethod
    def note(text):
        for line in str(text).splitlines():
            print("# " + line, flush=True)

    def end(self):
        print("1..%d" % self.n, flush=True)
        servers.stop_all()
        sys.exit(1 if self.failed else 0)


def begin():
    """A Tap, where there is a server; else one skip, or a failure if it is required."""
    if servers.program() is None:
        if "redis" in os.environ.get("ACOR_TEST_REQUIRE", ""):
            print("1..1\nnot ok 1 - no redis-server or valkey-server, and it is required")
            sys.exit(1)
        print("1..0 # SKIP no redis-server or valkey-server")
        sys.exit(0)
    return Tap()


# Client processes -------------------------------------------------------------


def driver_path():
    build = os.environ.get("builddir") or os.path.join(TOP, "build-test", "tests")
    return os.environ.get("ACOR_TEST_DRIVER") or os.path.join(build, "redis", "driver")


class Answer(dict):
    """One answer of a process."""

    @property
    def good(self):
        return "ok" in self

    @property
    def value(self):
        return self.get("ok")

    @property
    def status(self):
        return self.get("status", 0)

    @property
    def text(self):
        return self.get("error", "")


class Process:
    """A client process that answers JSON lines."""

    def __init__(self, command, addr=None):
        self.addr, self.dead = addr, False
        self.p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.reader, daemon=True).start()

    def reader(self):
        for line in self.p.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, op, **members):
        if op == "open" and "url" not in members:
            members.setdefault("addr", self.addr)
        try:
            self.p.stdin.write(json.dumps(dict(members, op=op)).encode() + b"\n")
            self.p.stdin.flush()
        except OSError:
            self.dead = True

    def receive(self, limit=60):
        try:
            line = self.lines.get(timeout=limit)
        except queue.Empty:
            self.kill()
            return Answer(error="no answer within %d s" % limit, status=-999)
        if line is None:
            self.dead = True
            return Answer(error="the process ended with %s" % self.p.wait(5), status=-998)
        return Answer(json.loads(line))

    def __call__(self, op, limit=60, **members):
        self.send(op, **members)
        return self.receive(limit)

    def kill(self):
        self.dead = True
        self.p.kill()
        self.p.wait(5)

    def close(self):
        """The exit status: 0 if all went well."""
        try:
            self.p.stdin.close()
            return self.p.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()
            return -1


def driver(addr=None):
    path = driver_path()
    if path == "peer":
        return Process(PEER, addr)
    return Process(os.environ.get("ACOR_TEST_WRAPPER", "").split() + [path], addr)


def peer(addr):
    return Process(PEER, addr)


def wire(raw):
    """Bytes as the protocol gives them."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"hex": raw.hex()}


def raw(value):
    return (
        bytes.fromhex(value["hex"])
        if isinstance(value, dict)
        else value.encode("utf-8", "surrogatepass")
    )


# The stored form ----------------------------------------------------------------

CANONICAL = re.compile(rb"0|-?[1-9][0-9]{0,18}")
RECENT = re.compile(rb"(!?-?[0-9]+( !?-?[0-9]+)*)?")


def canonical(version):
    return bool(CANONICAL.fullmatch(version)) and -(2**63) <= int(version) < 2**63


def prefixes_of(keywords):
    out = {b""}
    for k in keywords:
        out.update(k[:end] for _, _, end in runes(k))
    return out


def outputs_of(keywords):
    """state -> keywords that end there, longest first; by brute force."""
    have, out = set(keywords), {}
    for state in prefixes_of(keywords):
        found = [state[start:] for _, start, _ in runes(state) if state[start:] in have]
        if found:
            out[state] = found
    return out


def keys_of(name):
    return b"{" + name + b"}:trie", b"{" + name + b"}:outputs"


def stored_keywords(client, name):
    return read_array(client("HGET", keys_of(name)[0], "keywords") or b"[]")


def faults_of_state(client, name, absent_ok=True):
    """What is wrong with a collection's stored form: complaints, none if it is sound."""
    trie_key, outputs_key = keys_of(name)
    trie, outputs = client.hash(trie_key), client.hash(outputs_key)
    if not trie:
        return [] if absent_ok and not outputs else ["no trie"]
    bad = []
    try:
        keywords, prefixes = read_array(trie.get(b"keywords", b"")), read_array(
            trie.get(b"prefixes", b"")
        )
    except (
        Exception
    ) as e:  # the reader's own error: whatever it is, the state is unreadable
        return ["arrays: %s" % e]
    if not canonical(trie.get(b"version", b"")):
        bad.append("version %r" % trie.get(b"version"))
    if len(set(keywords)) != len(keywords):
        bad.append("a keyword twice")
    if len(set(prefixes)) != len(prefixes):
        bad.append("a prefix twice")
    want = prefixes_of(keywords)
    if set(prefixes) != want:
        bad.append(
            "prefixes: too many %r, missing %r"
            % (sorted(set(prefixes) - want)[:5], sorted(want - set(prefixes))[:5])
        )
    wanted = outputs_of(keywords)
    for state in set(wanted) | set(outputs):
        try:
            got = read_array(outputs[state]) if state in outputs else None
        except Exception as e:
            got = "unreadable: %s" % e
        if got != wanted.get(state):
            bad.append("outputs of %r: %r, not %r" % (state, got, wanted.get(state)))
    recent = trie.get(b"c:recent")
    if recent is not None and (not RECENT.fullmatch(recent) or len(recent.split()) > 64):
        bad.append("c:recent %r" % recent[:200])
    if trie.get(b"c:case", b"insensitive") not in (b"insensitive", b"sensitive"):
        bad.append("c:case %r" % trie[b"c:case"])
    known = {b"keywords", b"prefixes", b"version", b"suffixes", b"c:case", b"c:recent"}
    if set(trie) - known:
        bad.append("foreign fields %r" % (set(trie) - known))
    return bad


MESSAGE = re.compile(rb"[0-9]{19}:[0-9a-f]{16}")


def message_ok(message, name):
    channel, payload = message
    return (
        channel == b"acor:invalidate:" + name
        and payload.startswith(name + b":")
        and bool(MESSAGE.fullmatch(payload[len(name) + 1 :]))
    )


def words(n, letters=10, start=0):
    """n different words; the same ones each time."""
    out = []
    for i in range(start, start + n):
        x, w = (i * 2654435761 + 12345) % 26**7, []
        for _ in range(7):
            x, d = divmod(x, 26)
            w.append(chr(97 + d))
        y = i
        for _ in range(letters - 7):
            y, d = divmod(y, 26)
            w.append(chr(97 + d))
        out.append("".join(w))
    return out


def timed(call, *args, **members):
    begun = time.monotonic()
    answer = call(*args, **members)
    return answer, time.monotonic() - begun
