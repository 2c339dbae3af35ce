# SPDX-License-Identifier: Apache-2.0
"""Redis servers of our own, a plain client, and a proxy that counts and breaks.

Only the Python standard library is used. Nothing waits without a limit.
"""

import atexit
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

RUNNING = []


def stop_all():
    while RUNNING:
        RUNNING.pop().stop()


atexit.register(stop_all)
for _signal in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(_signal, lambda number, frame: sys.exit(128 + number))


def program():
    """The server to use, or None."""
    asked = os.environ.get("ACOR_REDIS_SERVER")
    return asked or shutil.which("redis-server") or shutil.which("valkey-server")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


# Client -----------------------------------------------------------------------


class ReplyError(Exception):
    pass


class Frames:
    """Cuts a stream of RESP into whole values; each byte is looked at once."""

    def __init__(self, keep=False):
        self.buf, self.pos, self.left, self.keep, self.parts = bytearray(), 0, 1, keep, []

    def feed(self, data):
        """[(end of the value in the bytes since the last cut, its strings)]"""
        self.buf += data
        out = []
        while True:
            eol = self.buf.find(b"\r\n", self.pos)
            if eol < 0:
                return out
            kind, line = self.buf[self.pos : self.pos + 1], bytes(
                self.buf[self.pos + 1 : eol]
            )
            end = eol + 2
            if kind in (b"$", b"="):
                size = int(line)
                if size >= 0:
                    if len(self.buf) < end + size + 2:
                        return out
                    if self.keep:
                        self.parts.append(bytes(self.buf[end : end + size]))
                    end += size + 2
            elif kind in (b"*", b"~", b">"):
                self.left += max(0, int(line))
            elif kind == b"%":
                self.left += 2 * int(line)
            self.pos = end
            self.left -= 1
            if self.left == 0:
                out.append((end, self.parts))
                self.left, self.parts = 1, []

    def whole(self):
        """No value is half there."""
        return self.pos == len(self.buf) and self.left == 1

    def cut(self, n):
        """The first n bytes, taken out."""
        data = bytes(self.buf[:n])
        del self.buf[:n]
        self.pos -= n
        return data


def pack(args):
    out = [b"*%d\r\n" % len(args)]
    for a in args:
        if not isinstance(a, (bytes, bytearray)):
            a = str(a).encode("utf-8")
        out += [b"$%d\r\n" % len(a), bytes(a), b"\r\n"]
    return b"".join(out)


class Client:
    """Commands and nothing else. Counts the bytes it sends."""

    def __init__(self, address, timeout=20):
        kind = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.sock = socket.socket(kind, socket.SOCK_STREAM)
        self.sock.settimeout(timeout)
        self.sock.connect(address)
        if kind == socket.AF_INET:
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.sock.makefile("rb")
        self.sent = 0

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("connection closed")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            return ReplyError(rest.decode("utf-8", "replace"))
        if kind == b":":
            return int(rest)
        n = int(rest)
        if n < 0:
            return None
        if kind == b"$":
            return self.file.read(n + 2)[:-2]
        return [self.read() for _ in range(n)]

    def batch(self, *commands):
        data = b"".join(pack(c) for c in commands)
        self.sent += len(data)
        self.sock.sendall(data)
        return [self.read() for _ in commands]

    def __call__(self, *args):
        reply = self.batch(args)[0]
        if isinstance(reply, ReplyError):
            raise reply
        return reply

    def hash(self, key):
        flat = self("HGETALL", key)
        return dict(zip(flat[::2], flat[1::2]))

    def info(self, section):
        out = {}
        for line in self("INFO", section).decode().splitlines():
            name, _, value = line.partition(":")
            if value:
                out[name] = value
        return out

    def commandstats(self):
        """command -> (calls, microseconds)"""
        out = {}
        for name, value in self.info("commandstats").items():
            parts = dict(p.split("=") for p in value.split(","))
            out[name.replace("cmdstat_", "")] = (int(parts["calls"]), int(parts["usec"]))
        return out

    def dump(self):
        """All keys: key -> (type, content)."""
        out = {}
        for key in sorted(self("KEYS", "*")):
            kind = self("TYPE", key).decode()
            if kind == "hash":
                out[key] = (kind, self.hash(key))
            elif kind == "set":
                out[key] = (kind, set(self("SMEMBERS", key)))
            elif kind == "zset":
                flat = self("ZRANGE", key, 0, -1, "WITHSCORES")
                out[key] = (kind, dict(zip(flat[::2], flat[1::2])))
            elif kind == "list":
                out[key] = (kind, self("LRANGE", key, 0, -1))
            else:
                out[key] = (kind, self("GET", key))
        return out

    def close(self):
        self.file.close()
        self.sock.close()


class Listener:
    """All messages of all channels, as (channel, payload)."""

    def __init__(self, address):
        self.client = Client(address)
        self.client("PSUBSCRIBE", "*")
        self.fence, self.end = Client(address), b"fence-%d" % id(self)

    def take(self):
        """What came since the last call; waits for a message of its own as the last."""
        self.fence("PUBLISH", self.end, "x")
        out = []
        for _ in range(100000):
            message = self.client.read()
            if message[2] == self.end:
                return out
            if not message[2].startswith(b"fence-"):
                out.append((message[2], message[3]))
        raise ReplyError("no end of messages")

    def close(self):
        self.client.close()
        self.fence.close()


# Server -----------------------------------------------------------------------


class Server:
    def __init__(self, *config, unix=False):
        self.folder = tempfile.mkdtemp(prefix="acor-redis-")
        self.unix = os.path.join(self.folder, "s") if unix else None
        self.process = None
        RUNNING.append(self)
        for attempt in range(6):
            self.port = free_port()
            lines = [
                "port %d" % self.port,
                "bind 127.0.0.1",
                'save ""',
                "appendonly no",
                "dir " + self.folder,
                "logfile " + os.path.join(self.folder, "log"),
                "daemonize no",
                "repl-diskless-sync-delay 0",
                *config,
            ]
            if attempt % 2 == 0:
                lines.append(
                    "enable-debug-command yes"
                )  # unknown before Redis 7, and not needed there
            if unix:
                lines.append("unixsocket " + self.unix)
            path = os.path.join(self.folder, "conf")
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(lines) + "\n")
            self.process = subprocess.Popen(
                [program(), path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if self.wait():
                return
        raise RuntimeError("the server does not start: " + self.log())

    def wait(self, limit=10):
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            try:
                c = Client(("127.0.0.1", self.port), 2)
                answer = c.batch(("PING",))[0]
                c.close()
                if (
                    answer == b"PONG"
                    or "NOAUTH" in str(answer)
                    or "LOADING" in str(answer)
                ):
                    return True
            except OSError:
                pass
            time.sleep(0.01)
        return False

    def log(self):
        try:
            with open(
                os.path.join(self.folder, "log"), encoding="utf-8", errors="replace"
            ) as f:
                return f.read()[-2000:]
        except OSError:
            return "(no log)"

    @property
    def address(self):
        return ("127.0.0.1", self.port)

    @property
    def addr(self):
        return "127.0.0.1:%d" % self.port

    def client(self, **options):
        return Client(self.address, **options)

    def stop(self):
        if self in RUNNING:
            RUNNING.remove(self)
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(5)
        shutil.rmtree(self.folder, ignore_errors=True)


# Proxy ------------------------------------------------------------------------


class Fault:
    """What is to happen to an exchange, once.

    drop_reply     executed, then the end instead of the reply
    swallow_reply  executed, and silence
    cut_before     the end, not executed
    cut_middle     half of the request, then the end
    hold           silence, not executed; with ms > 0 executed so much later
    delay          the reply comes ms late
    garble         the reply is garbage
    truncate       half of the reply, then the end
    error          the answer is -text, not executed
    """

    def __init__(self, kind, names=None, nth=1, ms=0, text="ERR planted"):
        self.kind, self.names, self.nth, self.ms, self.text = kind, names, nth, ms, text
        self.done = threading.Event()

    def takes(self, commands):
        if self.names is not None and not any(c in self.names for c in commands):
            return False
        self.nth -= 1
        return self.nth == 0


HANDSHAKE = frozenset(["AUTH", "HELLO", "SELECT", "CLIENT"])


class Proxy:
    """Between clients and a server. A round trip: a sending while nothing is owed."""

    def __init__(self, server_address):
        self.target = server_address
        self.lock = threading.Lock()
        self.faults, self.closed, self.sockets = [], False, set()
        self.before = (
            None  # called with the names of the commands before they are passed on
        )
        self.reset()
        self.listening = socket.socket()
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listening.bind(("127.0.0.1", 0))
        self.listening.listen(64)
        self.port = self.listening.getsockname()[1]
        self.addr = "127.0.0.1:%d" % self.port
        threading.Thread(target=self.accept, daemon=True).start()

    def reset(self):
        with self.lock:
            self.trips = self.handshakes = self.up = self.down = self.connections = 0
            self.commands = []

    def arm(self, *args, **members):
        fault = Fault(*args, **members)
        with self.lock:
            self.faults.append(fault)
        return fault

    def disarm(self):
        with self.lock:
            self.faults = []

    def accept(self):
        while not self.closed:
            try:
                a, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(a,), daemon=True).start()

    def serve(self, a):
        try:
            b = socket.create_connection(self.target, 5)
        except OSError:
            a.close()
            return
        for s in (a, b):
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.lock:
            self.connections += 1
            self.sockets |= {a, b}
        link = Link(self, a, b)
        try:
            link.run()
        except (OSError, ValueError):
            pass
        for s in (a, b):
            try:
                s.close()
            except OSError:
                pass
        with self.lock:
            self.sockets -= {a, b}
        if link.fault is not None:
            link.fault.done.set()

    def pick(self, names):
        with self.lock:
            for fault in self.faults:
                if fault.takes(names):
                    self.faults.remove(fault)
                    return fault
        return None

    def drop_all(self):
        """End every connection there is."""
        with self.lock:
            sockets = list(self.sockets)
        for s in sockets:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.closed = True
        self.listening.close()
        self.drop_all()


class Link:
    """One connection of a proxy."""

    def __init__(self, proxy, a, b):
        self.proxy, self.a, self.b = proxy, a, b
        self.requests, self.replies = Frames(keep=True), Frames()
        self.owed, self.fault, self.dead_to_client = 0, None, False
        self.held = []

    def run(self):
        with selectors.DefaultSelector() as sel:
            sel.register(self.a, selectors.EVENT_READ)
            sel.register(self.b, selectors.EVENT_READ)
            while not self.proxy.closed:
                for key, _ in sel.select(1):
                    data = key.fileobj.recv(262144)
                    if key.fileobj is self.a:
                        if not data:
                            return
                        if not self.upward(data):
                            return
                    elif not data or not self.downward(data):
                        return

    def upward(self, data):
        values = self.requests.feed(data)
        self.held += [parts for _, parts in values]
        if not self.requests.whole():
            return True
        names = [p[0].decode("ascii", "replace").upper() for p in self.held]
        sizes = len(self.requests.buf)
        batch = self.requests.cut(sizes)
        self.held = []
        with self.proxy.lock:
            self.proxy.up += len(batch)
            self.proxy.commands += names
            if self.owed == 0:
                if all(n in HANDSHAKE for n in names):
                    self.proxy.handshakes += 1
                else:
                    self.proxy.trips += 1
        if self.proxy.before is not None:
            self.proxy.before(names)
        fault = self.proxy.pick(names)
        if fault is not None:
            self.fault = fault
            return self.break_it(fault, batch, names)
        self.owed += len(names)
        self.b.sendall(batch)
        return True

    def break_it(self, fault, batch, names):
        kind = fault.kind
        if kind == "cut_before":
            return False
        if kind == "cut_middle":
            self.b.sendall(batch[: max(1, len(batch) // 2)])
            time.sleep(0.01)
            return False
        if kind == "hold":
            if fault.ms:
                time.sleep(fault.ms / 1000)
                self.b.sendall(batch)
                self.b.settimeout(5)
                self.b.recv(65536)
            else:
                self.wait_for_client()
            return False
        if kind == "error":
            self.a.sendall(b"".join(b"-%s\r\n" % fault.text.encode() for _ in names))
            fault.done.set()
            self.fault = None
            return True
        self.owed += len(names)
        self.b.sendall(batch)
        whole = self.collect(len(names))
        if kind == "drop_reply":
            return False
        if kind == "swallow_reply":
            fault.done.set()
            self.wait_for_client()
            return False
        if kind == "delay":
            time.sleep(fault.ms / 1000)
            self.a.sendall(whole)
            fault.done.set()
            self.fault = None
            return True
        if kind == "garble":
            self.a.sendall(b"\x00?garbage" + whole[3:40] + b"\r\n")
            self.wait_for_client()
            return False
        self.a.sendall(whole[: len(whole) // 2])  # truncate
        return False

    def collect(self, n):
        """The replies to n commands."""
        self.b.settimeout(20)
        while self.owed:
            data = self.b.recv(262144)
            if not data:
                break
            self.owed -= len(self.replies.feed(data))
        self.b.settimeout(None)
        return self.replies.cut(len(self.replies.buf))

    def wait_for_client(self, limit=30):
        self.a.settimeout(limit)
        try:
            while self.a.recv(65536):
                pass
        except OSError:
            pass

    def downward(self, data):
        self.owed -= len(self.replies.feed(data))
        self.replies.cut(self.replies.pos)
        with self.proxy.lock:
            self.proxy.down += len(data)
        self.a.sendall(data)
        return True


def reset_hard(sock):
    """Close with RST."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
