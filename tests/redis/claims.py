#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The round trips and bytes that are promised, each counted three ways: by the
library, by a proxy between it and the server, and by the server itself.

CLAIMS_OUT=FILE writes the table as a page; CLAIMS_BIG=1 adds 100,000 words.
"""

import json
import os

import rtt
from claims_page import GO, page
from help import begin, driver, peer, servers, words

OWN = (
    "info",
    "config",
    "slowlog",
    "script|flush",
    "ping",
    "select",
    "memory",
    "psubscribe",
    "publish",
)


class Meter:
    """One call, counted by all three."""

    def __init__(self, tap, server):
        self.tap, self.server = tap, server
        self.proxy = servers.Proxy(server.address)
        self.client, self.listener = server.client(), servers.Listener(server.address)
        self.ours, self.rows = driver(self.proxy.addr), []
        self.ids = 0

    def open(self, name):
        self.ids += 1
        hid = "h%d" % self.ids
        answer = self.ours("open", id=hid, name=name)
        assert answer.good, answer
        return hid

    def server_counts(self):
        """Bytes in, commands from outside, scripts: without what asking costs."""
        stats = self.client.info("stats")
        calls = {k: v[0] for k, v in self.client.commandstats().items()}
        return (
            int(stats["total_net_input_bytes"]),
            self.client.sent,
            calls,
            int(stats["total_commands_processed"]),
        )

    def call(
        self,
        title,
        trips,
        op,
        hid,
        down=None,
        up=None,
        messages=None,
        writes=None,
        go=None,
        size=None,
        **members
    ):
        cost = self.ours("cost", id=hid).value["round_trips"] if hid else 0
        self.listener.take()
        bytes_before, sent_before, calls_before, _ = self.server_counts()
        own = self.client.sent
        self.proxy.reset()
        answer = self.ours(op, **({"id": hid} if hid else {}), **members)
        p = self.proxy
        seen = dict(trips=p.trips, up=p.up, down=p.down, commands=list(p.commands))
        own = self.client.sent - own
        bytes_after, _, calls_after, _ = self.server_counts()
        told = self.listener.take()
        counted = self.ours("cost", id=hid or members["id"]).value["round_trips"] - cost
        bad = [] if answer.good else ["it failed: %s" % answer]
        if not (
            counted == seen["trips"]
            and (
                trips is None
                or counted == trips
                or isinstance(trips, tuple)
                and counted in trips
            )
        ):
            bad.append(
                "round trips: %s promised, the library says %d, the proxy %d"
                % (trips, counted, seen["trips"])
            )
        # The server: bytes read, and each command it was sent, scripts among them.
        first_info = self.info_bytes()
        if bytes_after - bytes_before - first_info != seen["up"]:
            bad.append(
                "the server read %d bytes, the proxy passed %d"
                % (bytes_after - bytes_before - first_info, seen["up"])
            )
        delta = {
            k: n - calls_before.get(k, 0)
            for k, n in calls_after.items()
            if n != calls_before.get(k, 0)
        }
        for name in set(seen["commands"]):
            n, at_server = seen["commands"].count(name), delta.get(name.lower(), 0)
            if at_server < n or (name in ("EVAL", "EVALSHA") and at_server != n):
                bad.append("%s: sent %d times, run %d times" % (name, n, at_server))
        script = any(n.startswith("EVAL") for n in seen["commands"])
        if not script and sum(v for k, v in delta.items() if k not in OWN) != len(
            seen["commands"]
        ):
            bad.append("commands: %r at the server, %r sent" % (delta, seen["commands"]))
        if down is not None and seen["down"] >= down:
            bad.append("%d bytes down, under %d promised" % (seen["down"], down))
        if up is not None and seen["up"] > up:
            bad.append("%d bytes up, at most %d promised" % (seen["up"], up))
        if messages is not None and len(told) != messages:
            bad.append("%d messages, not %d" % (len(told), messages))
        wrote = sum(delta.get(k, 0) for k in ("hset", "hdel", "del", "set", "hsetnx"))
        if writes is False and wrote:
            bad.append("it wrote: %r" % delta)
        self.tap.none(bad, title + (" (%s)" % size if size else ""))
        self.rows.append(
            (title, size, counted, seen["up"], seen["down"], GO.get(go or title))
        )
        return answer

    @staticmethod
    def info_bytes():
        """What lies between two looks at the server: the questions themselves."""
        return len(servers.pack(("INFO", "commandstats"))) + len(
            servers.pack(("INFO", "stats"))
        )


def fill(meter, name, keywords):
    hid = meter.open(name)
    for i in range(0, len(keywords), 20000):
        answer = meter.ours(
            "add_many", id=hid, keywords=keywords[i : i + 20000], counts=True
        )
        assert answer.good, answer
    return hid


def reads(m, size, keywords):
    name, text = "reads-%d" % size, "some text with %s in it" % keywords[3]
    fill(m, name, keywords)
    hid = m.open(name)
    label = format(size, ",")
    m.call("find, cold", 1, "find", hid, text=text, size=label)
    for op in ("find", "find_set", "find_index", "find_matches", "contains"):
        m.call(
            op + ", unchanged", 1, op, hid, text=text, down=128, writes=False, size=label
        )
    m.call("info", 1, "info", hid, writes=False, size=label)
    m.call("snapshot, unchanged", 1, "snapshot", hid, down=128, size=label)
    m.call("find, empty text", 0, "find", hid, text="", size=label)
    other = m.open(name)
    m.ours("add", id=other, keyword="elsewhere")
    m.call("find, changed elsewhere", 2, "find", hid, text=text, size=label)
    m.call("find, unchanged again", 1, "find", hid, text=text, down=128, size=label)


def writes(m, size, keywords):
    whole = "whole-%d" % size
    m.call(
        "add_many of all",
        2,
        "add_many",
        m.open(whole),
        keywords=keywords,
        counts=True,
        messages=1,
        size=format(size, ","),
    )
    name, label = "writes-%d" % size, format(size, ",")
    writer = fill(m, name, keywords)
    m.call(
        "add, by a handle that only ever wrote",
        (1, 2),
        "add",
        writer,
        keyword="writeonlya",
        messages=1,
        size=label,
    )
    warm = m.open(name)
    m.ours("find", id=warm, text="x")
    m.call(
        "add, current snapshot",
        1,
        "add",
        warm,
        keyword="tenletters",
        up=1024,
        messages=1,
        size=label,
    )
    m.call(
        "add, current snapshot",
        1,
        "add",
        warm,
        keyword="tenmoreabc",
        up=1024,
        messages=1,
        size=label,
    )
    m.call(
        "add, word already there",
        1,
        "add",
        warm,
        keyword="tenletters",
        messages=0,
        writes=False,
        down=128,
        size=label,
    )
    m.call(
        "remove, word not there",
        1,
        "remove",
        warm,
        keyword="never here",
        messages=0,
        writes=False,
        size=label,
    )
    m.call("add, blank", 0, "add", warm, keyword=" \u3000", messages=0, size=label)
    m.call(
        "remove, current snapshot",
        1,
        "remove",
        warm,
        keyword="tenmoreabc",
        messages=1,
        size=label,
    )
    m.call(
        "add, nothing known",
        2,
        "add",
        m.open(name),
        keyword="coldletter",
        messages=1,
        size=label,
    )
    m.call(
        "remove, nothing known",
        2,
        "remove",
        m.open(name),
        keyword="coldletter",
        messages=1,
        size=label,
    )
    m.call(
        "add, word already there, nothing known",
        1,
        "add",
        m.open(name),
        keyword="tenletters",
        messages=0,
        writes=False,
        size=label,
    )
    reader = m.open(name)
    m.ours("find", id=reader, text="x")
    m.call(
        "add, after a find",
        1,
        "add",
        reader,
        keyword="readerwrit",
        up=1024,
        messages=1,
        size=label,
    )
    batch = words(1000, 11, 5000000)
    now = m.open(name)
    m.ours("find", id=now, text="x")
    m.call(
        "add_many of 1,000, current snapshot",
        1,
        "add_many",
        now,
        keywords=batch,
        counts=True,
        messages=1,
        size=label,
    )
    m.call(
        "add_many of 1,000, all there",
        1,
        "add_many",
        now,
        keywords=batch,
        counts=True,
        messages=0,
        writes=False,
        size=label,
    )
    m.call(
        "remove_many of 1,000",
        1,
        "remove_many",
        now,
        keywords=batch,
        counts=True,
        messages=1,
        size=label,
    )
    m.call(
        "remove_many of 1,000, none there",
        1,
        "remove_many",
        now,
        keywords=batch,
        counts=True,
        messages=0,
        writes=False,
        size=label,
    )
    m.call(
        "add_many of 1,000, nothing known",
        2,
        "add_many",
        m.open(name),
        keywords=batch,
        counts=True,
        messages=1,
        size=label,
    )
    m.call(
        "replace_all, nothing known",
        (1, 2),
        "replace_all",
        m.open(name),
        keywords=batch[:500],
        counts=True,
        messages=1,
        size=label,
    )
    m.call("flush", (1, 2), "flush", m.open(name), messages=1, size=label)


def openings(m):
    m.call("open, new collection", 0, "open", None, id="new", name="brand-new")
    m.tap.equal(m.client("EXISTS", "{brand-new}:trie"), 0, "opening writes nothing")
    m.call("find, cold", 1, "find", "new", text="text", size="0", writes=False)
    m.tap.equal(m.client("EXISTS", "{brand-new}:trie"), 0, "reading writes nothing")
    m.call(
        "add_many into an empty collection",
        (1, 2),
        "add_many",
        m.open("brand-new"),
        keywords=words(1000),
        counts=True,
        messages=1,
    )
    m.call("open, existing collection", 0, "open", None, id="old", name="brand-new")


def scripts(m):
    fill(m, "scripts", words(100))
    hid = m.open("scripts")
    m.ours("find", id=hid, text="x")
    for again in ("", ", again"):
        m.client("SCRIPT", "FLUSH")
        m.call(
            "add, script unknown to the server" + again,
            2,
            "add",
            hid,
            keyword="first" + again,
            messages=1,
            go="add, script unknown to the server",
        )
        m.call(
            "add, script known again" + again,
            1,
            "add",
            hid,
            keyword="second" + again,
            messages=1,
            go="add, current snapshot",
        )


def races(m):
    """Another writer between our last look and our commit."""
    for size in (1000, 10000):
        name = "races-%d" % size
        fill(m, name, words(size))
        hid, other = m.open(name), m.open(name)
        m.ours("find", id=hid, text="x")
        m.ours("add", id=other, keyword="faster")
        m.call(
            "add, one lost race",
            2,
            "add",
            hid,
            keyword="slower",
            messages=1,
            size=format(size, ","),
        )
        go = peer(m.server.addr)
        go("open", id="g", name=name)
        go("add", id="g", keyword="go was faster")
        m.call(
            "add, one lost race to Go",
            2,
            "add",
            hid,
            keyword="slower too",
            messages=1,
            size=format(size, ","),
            go="add, one lost race",
        )
        go.close()


def lost(m):
    """The look-up of a stamp; the script that asks is unknown to the server at first."""
    fill(m, "lost", words(1000))
    hid = m.open("lost")
    for again, most in (("at first", 3), ("again", 2)):
        m.ours("find", id=hid, text="x")
        fault = m.proxy.arm("drop_reply", names={"EVALSHA"})
        before = m.ours("cost", id=hid).value["round_trips"]
        m.proxy.reset()
        m.listener.take()
        answer = m.ours("add", id=hid, keyword="reply lost " + again)
        cost = m.ours("cost", id=hid).value["round_trips"] - before
        m.tap.ok(
            answer.value == 1 and fault.done.is_set() and cost == most == m.proxy.trips,
            "a lost reply to a commit, %s: one look-up" % again,
            answer,
            cost,
            m.proxy.commands,
        )
        m.tap.equal(len(m.listener.take()), 1, "and one message")
    m.rows.append(("add, reply lost", "1,000", cost, m.proxy.up, m.proxy.down, None))


def mean_add(server, size, name):
    """Of one add: server microseconds, bytes of its log and to replicas; mean of ten."""
    client, ours, keywords, n = server.client(), driver(server.addr), words(size), 10
    ours("open", id=name, name=name, timeout_ms=20000)
    for i in range(0, size, 20000):
        ours("add_many", id=name, keywords=keywords[i : i + 20000], counts=True)
    ours("find", id=name, text="x")
    client("CONFIG", "RESETSTAT")
    aof, offset = position(client)
    for i in range(n):
        answer = ours("add", id=name, keyword="aside" + "abcdefghij"[i] * 5)
        assert answer.value == 1, answer
    calls, usec = client.commandstats()["evalsha"]
    aof2, offset2 = position(client)
    ours.close()
    return usec / calls, (aof2 - aof) // n, (offset2 - offset) // n


def aside(tap):
    """Server time, AOF and replica bytes of one add, by size."""
    plain = servers.Server()
    master = servers.Server(
        "appendonly yes",
        "appendfsync no",
        "repl-ping-replica-period 3600",
        "auto-aof-rewrite-percentage 0",
    )
    replica = servers.Server("replicaof 127.0.0.1 %d" % master.port)
    for _ in range(200):
        if (
            master.client().info("replication").get("slave0", "").find("state=online")
            >= 0
        ):
            break
        servers.time.sleep(0.05)
    out = []
    for size in sizes():
        alone, logged = mean_add(plain, size, "aside-%d" % size), mean_add(
            master, size, "aside-%d" % size
        )
        out.append((size, alone[0], logged[0], logged[1], logged[2]))
    tap.ok(
        all(row[3] > 0 and row[4] > 0 for row in out),
        "server time, AOF and replica bytes were measured",
        out,
    )
    for server in (replica, master, plain):
        server.stop()
    return out


def position(client):
    servers.time.sleep(0.15)
    info = client.info("persistence")
    return int(info.get("aof_current_size", 0)), int(
        client.info("replication")["master_repl_offset"]
    )


def sizes():
    return (1000, 10000, 100000) if os.environ.get("CLAIMS_BIG") else (1000, 10000)


def times(tap):
    """What bench/rtt prints of a server of its own."""
    server = servers.Server()
    done = rtt.rtt(
        "redis://" + server.addr, "--json", "--sizes", ",".join(map(str, sizes()))
    )
    server.stop()
    return json.loads(done.stdout) if tap.equal(done.returncode, 0, "rtt runs") else ()


def main():
    tap = begin()
    m = Meter(tap, servers.Server())
    m.ours("add", id=m.open("first"), keyword="the script is known from now on")
    openings(m)
    reads(m, 10, words(10))
    for size in sizes():
        reads(m, size, words(size))
    for size in sizes():
        writes(m, size, words(size))
    scripts(m)
    races(m)
    lost(m)
    tap.equal(m.ours.close(), 0, "the client ends well")
    where = os.environ.get("CLAIMS_OUT")
    text = page(m.rows, aside(tap), times(tap) if where else ())
    if where and tap.failed == 0:
        with open(where, "w", encoding="utf-8") as f:
            f.write(text)
    elif where:
        tap.note("something failed, so %s stays as it is" % where)
    else:
        tap.note(text)
    tap.end()


if __name__ == "__main__":
    main()
