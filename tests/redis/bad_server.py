#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Servers that will not serve: each failure names address, user or key, and
comes within the time-out."""

import socket
import threading
import time

import help
from help import (
    EAUTH,
    ECONNECT,
    EPROTOCOL,
    EREPLY,
    ETIMEOUT,
    EUNAVAILABLE,
    UNANNOUNCED,
    begin,
    driver,
    faults_of_state,
    servers,
    timed,
    words,
)

LIMIT_MS = 600
SLACK = 0.9  # seconds a busy machine may add


class Bench:
    def __init__(self, tap):
        self.tap, self.ours, self.n = tap, driver(), 0

    def fails(self, title, url, status, texts=(), ops=None, password=None):
        """Every operation fails by name and in time."""
        self.n += 1
        name, bad, hid = "b%d" % self.n, [], "h%d" % self.n
        opened = self.ours("open", id=hid, name=name, url=url, timeout_ms=LIMIT_MS)
        if not opened.good:
            self.tap.ok(False, title, "open: %s" % opened)
            return
        for op, members in ops or (
            ("find", {"text": "x"}),
            ("add", {"keyword": "x"}),
            ("flush", {}),
            ("info", {}),
        ):
            answer, took = timed(self.ours, op, id=hid, **members)
            if answer.good or answer.status not in (
                status if isinstance(status, tuple) else (status,)
            ):
                bad.append("%s: %s" % (op, answer))
            elif not all(t in answer.text for t in texts):
                bad.append("%s does not say %r: %s" % (op, texts, answer.text))
            if took > LIMIT_MS / 1000 + SLACK:
                bad.append("%s took %.2f s" % (op, took))
            if password and password in str(answer):
                bad.append("%s shows the password" % op)
        self.ours("close", id=hid)
        self.tap.none(bad, title)


def nothing_there(b):
    port = servers.free_port()
    b.fails(
        "nothing listens",
        "redis://127.0.0.1:%d" % port,
        ECONNECT,
        ("127.0.0.1", str(port)),
    )
    b.fails(
        "no such socket",
        "redis+unix:///nowhere/at/all.sock",
        ECONNECT,
        ("/nowhere/at/all.sock",),
    )
    b.fails(
        "no such host",
        "redis://no-such-host.invalid:6379",
        (ECONNECT, ETIMEOUT),
        ("no-such-host.invalid",),
    )
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)
        b.fails(
            "somebody who never answers",
            "redis://127.0.0.1:%d" % silent.getsockname()[1],
            (ETIMEOUT, help.EOUTCOME),
        )
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(8)
        other.settimeout(10)

        def speak():
            for _ in range(16):
                try:
                    c, _ = other.accept()
                    c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    time.sleep(0.05)
                    c.close()
                except OSError:
                    return

        threading.Thread(target=speak, daemon=True).start()
        b.fails(
            "somebody who speaks something else",
            "redis://127.0.0.1:%d" % other.getsockname()[1],
            (EPROTOCOL, help.EOUTCOME),
            (),
            (("find", {"text": "x"}), ("info", {})),
        )


def rights(b):
    server = servers.Server(
        "requirepass right",
        "user reader on >r ~* +@read +@connection",
        "user writer on >w ~{mine}* &acor:* +@all -@admin -@dangerous",
        "user mute on >m ~* resetchannels +@all -@admin -@dangerous",
        "user noscript on >n ~* &* +@all -@scripting",
    )
    admin = server.client()
    admin("AUTH", "right")
    at = server.addr
    b.fails("no password", "redis://%s" % at, EAUTH)
    b.fails("wrong password", "redis://:wrong@%s" % at, EAUTH, (), password="wrong")
    b.fails(
        "wrong password of a user, who is named",
        "redis://reader:wrongpass@%s" % at,
        EAUTH,
        ("reader",),
        password="wrongpass",
    )
    b.fails(
        "a user that is not there, who is named",
        "redis://nobody:x1y2z3@%s" % at,
        EAUTH,
        ("nobody",),
        password="x1y2z3",
    )
    b.ours("open", id="r", name="shared", url="redis://:right@%s" % at)
    b.tap.equal(b.ours("add", id="r", keyword="word").value, 1, "the right password")
    b.ours("open", id="r", name="shared", url="redis://reader:r@%s" % at)
    b.tap.equal(
        b.ours("find", id="r", text="a word").value,
        ["word"],
        "a user who may only read reads",
    )
    before = admin.dump()
    answer = b.ours("add", id="r", keyword="x")
    b.tap.ok(
        answer.status == EAUTH and "reader" in answer.text and admin.dump() == before,
        "and is refused by name when writing",
        answer,
    )
    b.ours("open", id="w", name="mine", url="redis://writer:w@%s" % at)
    b.tap.equal(
        b.ours("add", id="w", keyword="x").value,
        1,
        "a user with rights on the keys writes",
    )
    b.ours("open", id="w", name="not-mine", url="redis://writer:w@%s" % at)
    answer = b.ours("add", id="w", keyword="x")
    b.tap.ok(
        answer.status == EAUTH and ("not-mine" in answer.text or "writer" in answer.text),
        "without rights on the key: refused, key or user named",
        answer,
    )
    b.ours("open", id="m", name="muted", url="redis://mute:m@%s" % at)
    answer = b.ours("add", id="m", keyword="x")
    b.tap.ok(
        answer.value == 1
        and answer.get("status") == UNANNOUNCED
        and not faults_of_state(admin, b"muted"),
        "without rights on the channel: committed, not announced",
        answer,
    )
    b.ours("open", id="n", name="noscript", url="redis://noscript:n@%s" % at)
    answer = b.ours("add", id="n", keyword="x")
    b.tap.ok(answer.status == EAUTH, "without rights to run scripts: refused", answer)
    b.tap.ok(b.ours("find", id="n", text="x").good, "and reads go on without them")
    server.stop()


def addresses(b):
    server = servers.Server(unix=True)
    admin = server.client()
    for title, url in (
        ("TCP, database", "redis://127.0.0.1:%d/3" % server.port),
        ("unix socket, database", "redis+unix://%s?db=3" % server.unix),
        (
            "TCP, user, password, database",
            "redis://default:p%%2540ss@127.0.0.1:%d/3" % server.port,
        ),
    ):
        if "password" in title:
            admin("CONFIG", "SET", "requirepass", "p%40ss")
        opened = b.ours("open", id="u", name="places", url=url)
        answer = b.ours("add", id="u", keyword=title)
        b.tap.ok(opened.good and answer.value == 1, title, opened, answer)
    admin("SELECT", 3)
    b.tap.equal(admin("EXISTS", "{places}:trie"), 1, "database 3 it is")
    admin("SELECT", 0)
    b.tap.equal(admin("EXISTS", "{places}:trie"), 0, "and not database 0")
    b.ours(
        "open",
        id="u",
        name="places",
        url="redis://:p%%2540ss@127.0.0.1:%d/77" % server.port,
    )
    answer = b.ours("find", id="u", text="x")
    b.tap.ok(
        not answer.good and "77" in answer.text + "77" * ("DB index" in answer.text),
        "a database that is not there",
        answer,
    )
    for url, word in (
        ("redis://127.0.0.1:x", "port"),
        ("redis://127.0.0.1:70000", "port"),
        ("redis://h/abc", "database"),
        ("redis://h?what=1", "what"),
        ("redis://%zz@h", "escape"),
        ("redis+unix://", ""),
        ("redis://h:1:2", ""),
        ("redis://[::1", ""),
    ):
        answer = b.ours("open", id="u", name="n", url=url)
        b.tap.ok(
            answer.status == help.EINVAL and word in answer.text,
            "%s is refused" % url,
            answer,
        )
    server.stop()


def not_now(b):
    server = servers.Server("lua-time-limit 50")
    client, at = server.client(), server.addr
    b.ours("open", id="s", name="slow", url="redis://%s" % at, timeout_ms=LIMIT_MS)
    b.ours("add", id="s", keyword="there")

    def at_once(*command):
        c = server.client(timeout=30)
        t = threading.Thread(target=lambda: c.batch(command), daemon=True)
        t.start()
        time.sleep(0.15)
        return t

    for op, members in (
        ("find", {"text": "there"}),
        ("add", {"keyword": "late"}),
        ("info", {}),
    ):
        t = at_once("DEBUG", "SLEEP", "2")
        answer, took = timed(b.ours, op, id="s", **members)
        wanted = (ETIMEOUT, help.EOUTCOME) if op == "add" else (ETIMEOUT,)
        b.tap.ok(
            answer.status in wanted and took < LIMIT_MS / 1000 + SLACK,
            "%s while the server sleeps: time-out in time" % op,
            answer,
            took,
        )
        t.join(10)
        answer = b.ours("find", id="s", text="there")
        b.tap.equal(answer.value, ["there"], "  and goes on afterwards")
    b.tap.none(faults_of_state(client, b"slow"), "the stored form is sound")
    t = at_once("EVAL", "while true do end", "0")
    for op, members in (("find", {"text": "there"}), ("add", {"keyword": "busy"})):
        answer, took = timed(b.ours, op, id="s", **members)
        b.tap.ok(
            answer.status in (EUNAVAILABLE, EREPLY, ETIMEOUT)
            and took < LIMIT_MS / 1000 + SLACK,
            "%s while a script blocks the server" % op,
            answer,
            took,
        )
    client.batch(("SCRIPT", "KILL"))
    t.join(10)
    b.tap.equal(
        b.ours("add", id="s", keyword="busy").value, 1, "and afterwards it goes through"
    )
    client("CONFIG", "SET", "maxmemory", "1")
    before = client.dump()
    answer = b.ours("add", id="s", keyword="no room")
    b.tap.ok(
        not answer.good
        and client.dump() == before
        and "OOM" in answer.text + "OOM" * ("memory" in answer.text),
        "a server out of memory: refused, unchanged",
        answer,
    )
    client("CONFIG", "SET", "maxmemory", "0")
    b.tap.equal(
        b.ours("add", id="s", keyword="no room").value,
        1,
        "and afterwards it goes through",
    )
    other = servers.Server("replicaof 127.0.0.1 %d" % server.port)
    for _ in range(100):
        if other.client().info("replication").get("master_link_status") == "up":
            break
        time.sleep(0.05)
    b.ours("open", id="ro", name="slow", url="redis://%s" % other.addr)
    b.tap.equal(
        b.ours("find", id="ro", text="there").value, ["there"], "a replica is read"
    )
    answer = b.ours("add", id="ro", keyword="x")
    b.tap.ok(
        not answer.good and answer.status in (help.EREADONLY, EREPLY, EUNAVAILABLE),
        "and refuses writes by name",
        answer,
    )
    client("CONFIG", "SET", "maxclients", "1")
    answer = b.ours(
        "open", id="full", name="slow", url="redis://%s" % at, timeout_ms=LIMIT_MS
    )
    answer = b.ours("find", id="full", text="there")
    b.tap.ok(
        answer.status in (EUNAVAILABLE, ECONNECT, EREPLY) and "127.0.0.1" in answer.text,
        "no more clients: refused by name",
        answer,
    )
    client("CONFIG", "SET", "maxclients", "100")
    client("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    b.tap.equal(
        b.ours("find", id="s", text="there").value,
        ["there"],
        "a connection that was closed while idle is made anew",
    )
    client("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    b.tap.equal(
        b.ours("add", id="s", keyword="after the cut").value, 1, "for a write as well"
    )
    other.stop()
    server.stop()


def loading(b):
    """A server that is still reading its file."""
    server = servers.Server(
        "appendonly no", "key-load-delay 30", "loading-process-events-interval-bytes 1024"
    )
    client = server.client()
    b.ours("open", id="l", name="load", url="redis://%s" % server.addr)
    b.ours("add_many", id="l", keywords=words(50))
    for i in range(300):
        client("SET", "filler:%d" % i, "x" * 2000)
    client("CONFIG", "SET", "key-load-delay", "20000")
    loader = server.client(timeout=60)

    def reload():
        try:
            loader.batch(("DEBUG", "RELOAD", "NOFLUSH", "MERGE"))
        except OSError:
            pass

    t = threading.Thread(target=reload, daemon=True)
    t.start()
    time.sleep(0.3)
    probe = server.client(timeout=5)
    state = str(probe.batch(("GET", "x"))[0])
    if "LOADING" not in state:
        b.tap.skip("a server that is loading", "this one does not show it: %s" % state)
    else:
        b.ours(
            "open",
            id="l2",
            name="load",
            url="redis://%s" % server.addr,
            timeout_ms=LIMIT_MS,
        )
        answer, took = timed(b.ours, "find", id="l2", text="x")
        b.tap.ok(
            answer.status in (EUNAVAILABLE, ETIMEOUT) and took < LIMIT_MS / 1000 + SLACK,
            "a server that is loading: not now, in time",
            answer,
            took,
        )
    server.stop()


def main():
    tap = begin()
    b = Bench(tap)
    for part in (nothing_there, rights, addresses, not_now, loading):
        part(b)
    tap.equal(b.ours.close(), 0, "the client ends well")
    tap.end()


if __name__ == "__main__":
    main()
