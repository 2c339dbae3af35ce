#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The truth after a lost reply: committed, not committed or unknown, never
"0 added" for a write that happened, never a write done twice."""

import re
import time

from help import (
    ECONNECT,
    EOUTCOME,
    EREADONLY,
    ETIMEOUT,
    begin,
    driver,
    faults_of_state,
    keys_of,
    peer,
    servers,
    stored_keywords,
    words,
)

SCRIPTS = {"EVALSHA", "EVAL"}


class Bench:
    def __init__(self, tap):
        self.tap, self.server = tap, servers.Server()
        self.proxy = servers.Proxy(self.server.address)
        self.client, self.listener = self.server.client(), servers.Listener(
            self.server.address
        )
        self.ours, self.other = driver(self.proxy.addr), driver(self.server.addr)
        self.n = 0

    def fresh(self, size=20, **options):
        """A collection with a warm handle "a" through the proxy and "b" beside it."""
        self.n += 1
        name = "lost-%d" % self.n
        self.other("open", id="b", name=name)
        if size:
            self.other("add_many", id="b", keywords=words(size), counts=True)
        self.ours("open", id="a", name=name, **dict({"timeout_ms": 3000}, **options))
        self.ours("find", id="a", text="x")
        self.listener.take()
        return name.encode()

    def stored(self, name):
        return [k.decode() for k in stored_keywords(self.client, name)]

    def settled(self, name, answer, value, words_there, messages, title):
        """The answer, the state and the messages are what they should be."""
        stored, told = self.stored(name), len(self.listener.take())
        self.tap.ok(
            answer.value == value
            and all(stored.count(w) == n for w, n in words_there.items())
            and told == messages,
            title,
            answer,
            {w: stored.count(w) for w in words_there},
            "%d messages" % told,
        )
        self.tap.none(
            faults_of_state(self.client, name), "  and the stored form is sound"
        )


def after_execution(b):
    for kind in ("drop_reply", "truncate", "garble"):
        for op in ("add", "remove"):
            name = b.fresh()
            word = "the word" if op == "add" else words(20)[7]
            fault = b.proxy.arm(kind, names=SCRIPTS)
            answer = b.ours(op, id="a", keyword=word)
            b.settled(
                name,
                answer,
                1,
                {word: int(op == "add")},
                1,
                "%s: reply to a commit, %s: 1, told once" % (op, kind),
            )
            b.tap.ok(fault.done.wait(2), "  and the fault struck")
            b.tap.equal(
                b.ours("find", id="a", text="xx " + word).value,
                [word] if op == "add" else [],
                "  the handle knows",
            )
    name = b.fresh(timeout_ms=1500)
    b.proxy.arm("swallow_reply", names=SCRIPTS)
    begun = time.monotonic()
    answer = b.ours("add", id="a", keyword="silence")
    b.settled(
        name,
        answer,
        1,
        {"silence": 1},
        1,
        "add: silence instead of a reply: found within the time-out",
    )
    b.tap.ok(time.monotonic() - begun < 1.9, "  in time", time.monotonic() - begun)
    name = b.fresh()
    b.proxy.arm("drop_reply", names=SCRIPTS)
    answer = b.ours("add_many", id="a", keywords=["m1", "m2", words(20)[0]])
    answer["ok"] = (answer.value or {}).get("counts", {}).get("changed")
    b.settled(name, answer, 2, {"m1": 1, "m2": 1}, 1, "add_many: reply lost: 2 added")
    name = b.fresh()
    b.proxy.arm("drop_reply", names=SCRIPTS)
    answer = b.ours("flush", id="a")
    b.tap.ok(
        answer.good and not b.stored(name),
        "flush: reply lost: empty",
        answer,
        b.stored(name),
    )
    b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")
    b.tap.ok(1 <= len(b.listener.take()) <= 2, "  and told")
    name = b.fresh()
    b.proxy.arm("drop_reply", names=SCRIPTS)
    answer = b.ours("replace_all", id="a", keywords=["r1", "r2"])
    answer["ok"] = (answer.value or {}).get("counts", {}).get("changed")
    b.settled(
        name, answer, 2, {"r1": 1, "r2": 1, words(20)[0]: 0}, 1, "replace_all: reply lost"
    )
    name = b.fresh(size=0)
    b.proxy.arm("drop_reply", names=SCRIPTS)
    answer = b.ours("add", id="a", keyword="creates")
    b.settled(
        name, answer, 1, {"creates": 1}, 1, "the first write of a collection, reply lost"
    )


def before_execution(b):
    for kind in ("cut_before", "cut_middle", "hold"):
        name = b.fresh(timeout_ms=1500)
        b.proxy.arm(kind, names=SCRIPTS)
        answer = b.ours("add", id="a", keyword="not seen")
        stored, told = b.stored(name).count("not seen"), len(b.listener.take())
        fine = (answer.value == 1 and stored == told == 1) or (
            answer.status in (ECONNECT, ETIMEOUT) and stored == told == 0
        )
        b.tap.ok(
            fine,
            "add: request lost before the server had it (%s): done once, or a clean error"
            % kind,
            answer,
            stored,
            told,
        )
        b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")
        b.tap.equal(
            b.ours("add", id="a", keyword="not seen").good,
            True,
            "  and the handle goes on",
        )
    name = b.fresh(size=0)
    b.proxy.arm("cut_before", names=SCRIPTS)
    answer = b.ours("add", id="a", keyword="creates")
    b.tap.ok(
        answer.value == 1 and b.stored(name) == ["creates"],
        "the first write of a collection, request lost",
        answer,
        b.stored(name),
    )
    b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")


def first_version_appears(b):
    """V1 keys turn up after the request was lost and before the client asks."""
    name = b.fresh(size=0)
    calls = []

    def before(names):
        if SCRIPTS & set(names):
            calls.append(names)
            if len(calls) == 2:
                b.client("SADD", b"{" + name + b"}:keyword", "old")
                b.client("ZADD", b"{" + name + b"}:prefix", 0, "")

    b.proxy.before = before
    b.proxy.arm("cut_before", names=SCRIPTS)
    answer = b.ours("add", id="a", keyword="new")
    b.proxy.before = None
    b.tap.ok(
        answer.status == EREADONLY and not b.client("EXISTS", keys_of(name)[0]),
        "asking what became of a first write does not shadow a V1 collection",
        answer,
        b.client.hash(keys_of(name)[0]),
    )


def large(b):
    name = b.fresh(timeout_ms=10000)
    batch = words(20000, 12, 100000)
    fault = b.proxy.arm("cut_middle", names=SCRIPTS)
    answer = b.ours("add_many", id="a", keywords=batch, counts=True)
    stored = len(b.stored(name))
    b.tap.ok(
        (answer.good and stored == 20020)
        or (answer.status in (ECONNECT, ETIMEOUT) and stored == 20),
        "cut in the middle of a large request: all of it or nothing, and the truth",
        answer,
        stored,
    )
    b.tap.ok(fault.done.wait(2), "  and the fault struck")
    b.proxy.arm("drop_reply", names=SCRIPTS)
    answer = b.ours("remove_many", id="a", keywords=batch, counts=True)
    stored = len(b.stored(name))
    b.tap.ok(
        answer.good and stored == 20, "reply to a large request lost", answer, stored
    )


def late_copy(b):
    """A request that arrives once the client was told no: the fence refuses it."""
    for size in (20, 0):
        name = b.fresh(size=size, timeout_ms=1200)
        fault = b.proxy.arm("hold", names=SCRIPTS, ms=2500)
        answer = b.ours("add", id="a", keyword="late")
        first = b.stored(name).count("late")
        told = len(b.listener.take())
        done = fault.done.wait(8)
        stored, late = b.stored(name).count("late"), len(b.listener.take())
        b.tap.ok(
            done
            and stored == first == told == (1 if answer.value == 1 else 0)
            and late == 0
            and answer.status != EOUTCOME,
            "a late copy of a request does nothing (%d words before)" % size,
            answer,
            (first, stored, told, late),
        )
        b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")
        recent = b.client("HGET", keys_of(name)[0], "c:recent") or b""
        b.tap.ok(
            re.search(rb"(^| )!-?[0-9]+", recent),
            "  the fence stands in c:recent",
            recent,
        )
    # The copy of a removal, after somebody added the word again.
    name = b.fresh(timeout_ms=1200)
    fault = b.proxy.arm("hold", names=SCRIPTS, ms=2500)
    b.ours("remove", id="a", keyword=words(20)[3])
    b.other("add", id="b", keyword=words(20)[3])
    before = b.stored(name)
    fault.done.wait(8)
    b.tap.equal(
        b.stored(name), before, "a late removal does not take what was added after it"
    )


def recent(b):
    name = b.fresh()
    for i in range(70):
        b.other("add", id="b", keyword="stamp %d" % i)
    field = b.client("HGET", keys_of(name)[0], "c:recent").split()
    version = b.client("HGET", keys_of(name)[0], "version")
    b.tap.equal(
        (len(field), len(set(field)), field[-1]),
        (64, 64, version),
        "c:recent keeps the last 64 stamps, the version last",
    )
    b.other("flush", id="b")
    after = b.client("HGET", keys_of(name)[0], "c:recent").split()
    b.tap.ok(
        after[:63] == field[1:] and len(after) == 64,
        "our flush keeps them",
        after[:3],
        field[:3],
    )
    go = peer(b.server.addr)
    go("open", id="g", name=name.decode())
    go("add", id="g", keyword="by go")
    b.tap.equal(
        b.client("HGET", keys_of(name)[0], "c:recent").split(),
        after,
        "a write of Go's keeps them",
    )
    go("flush", id="g")
    b.tap.equal(
        b.client("HGET", keys_of(name)[0], "c:recent"), None, "a flush of Go's drops them"
    )
    b.tap.equal(b.other("add", id="b", keyword="goes on").value, 1, "and ours goes on")
    b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")
    go.close()


def flush_again(b):
    """A flush whose reply is lost, while others add: it must not be done a second time."""
    for others in (3, 70):
        name = b.fresh(timeout_ms=8000)
        b.proxy.arm("swallow_reply", names=SCRIPTS)
        b.ours.send("flush", id="a")
        for _ in range(100):
            if not b.stored(name):
                break
            time.sleep(0.02)
        added = ["after it %d" % i for i in range(others)]
        for word in added:
            b.other("add", id="b", keyword=word)
        b.proxy.drop_all()
        answer = b.ours.receive()
        b.tap.ok(
            answer.good if others < 64 else answer.status == EOUTCOME,
            "a flush followed by %d other commits: %s"
            % (others, "done" if others < 64 else "outcome unknown, and said so"),
            answer,
        )
        b.tap.equal(b.stored(name), added, "  and what others added stays")


def outcome_unknown(b):
    """Others commit while our reply is lost and before we ask."""
    for others, title in ((30, "30 other commits"), (70, "70 other commits")):
        name = b.fresh(timeout_ms=8000)
        b.proxy.arm("swallow_reply", names=SCRIPTS)
        b.ours.send("add", id="a", keyword="where is it")
        for _ in range(100):
            if "where is it" in b.stored(name):
                break
            time.sleep(0.02)
        for i in range(others):
            b.other("add", id="b", keyword="other %d" % i)
        b.proxy.drop_all()
        answer = b.ours.receive()
        if others < 64:
            b.tap.ok(answer.value == 1, "a commit followed by %s: found" % title, answer)
        else:
            b.tap.ok(
                answer.status == EOUTCOME,
                "a commit followed by %s: outcome unknown, and said so" % title,
                answer,
            )
        b.tap.equal(b.stored(name).count("where is it"), 1, "  it is there once")
        b.tap.none(faults_of_state(b.client, name), "  and the stored form is sound")
        b.tap.equal(
            b.ours("add", id="a", keyword="where is it").value,
            0,
            "  and the handle goes on",
        )
    flush_again(b)
    # Go's flush drops the stamps.
    name = b.fresh(timeout_ms=8000)
    go = peer(b.server.addr)
    go("open", id="g", name=name.decode())
    b.proxy.arm("swallow_reply", names=SCRIPTS)
    b.ours.send("add", id="a", keyword="flushed away")
    for _ in range(100):
        if "flushed away" in b.stored(name):
            break
        time.sleep(0.02)
    go("flush", id="g")
    b.proxy.drop_all()
    answer = b.ours.receive()
    b.tap.ok(
        answer.status == EOUTCOME and b.stored(name) == [],
        "a commit flushed away by Go: outcome unknown",
        answer,
        b.stored(name),
    )
    go.close()
    # The server goes away for good.
    own = servers.Server()
    proxy, ours = servers.Proxy(own.address), driver()
    ours("open", id="a", name="gone", addr=proxy.addr, timeout_ms=800)
    ours("add", id="a", keyword="first")
    proxy.arm("swallow_reply", names=SCRIPTS)
    ours.send("add", id="a", keyword="second")
    time.sleep(0.1)
    own.stop()
    proxy.drop_all()
    begun = time.monotonic()
    answer = ours.receive()
    b.tap.ok(
        answer.status == EOUTCOME and time.monotonic() - begun < 1.5,
        "the server is gone after a commit: outcome unknown, in time",
        answer,
    )
    answer = ours("find", id="a", text="first")
    b.tap.ok(
        answer.status in (ECONNECT, ETIMEOUT) and "127.0.0.1" in answer.text,
        "and reads say what is the matter",
        answer,
    )
    ours.close()


def main():
    tap = begin()
    b = Bench(tap)
    after_execution(b)
    before_execution(b)
    first_version_appears(b)
    large(b)
    late_copy(b)
    recent(b)
    outcome_unknown(b)
    tap.equal(b.ours.close(), 0, "the client ends well")
    tap.end()


if __name__ == "__main__":
    main()
