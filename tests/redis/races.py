#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writers that get in each other's way: none is lost, none is done twice, and
one that never gets its turn says so and has changed nothing."""

import os
import threading
import time

from help import (
    ECONFLICT,
    EMODE,
    EOUTCOME,
    ETIMEOUT,
    begin,
    canonical,
    driver,
    faults_of_state,
    keys_of,
    peer,
    servers,
    stored_keywords,
    words,
)

WRITERS = int(os.environ.get("WRITERS", "8"))
EACH = int(os.environ.get("EACH", "100"))


def many_writers(tap, server, size, each, go=0):
    """All adds of all writers succeed; each is stored once and told once."""
    name = b"many-%d" % go
    client, listener = server.client(), servers.Listener(server.address)
    first = driver(server.addr)
    first("open", id="a", name=name.decode())
    first("add_many", id="a", keywords=words(size), counts=True)
    first.close()
    listener.take()
    processes = [driver(server.addr) for _ in range(WRITERS - go)] + [
        peer(server.addr) for _ in range(go)
    ]
    failures, go_conflicts, trips = [], [0], []

    def work(i, p):
        model = i >= WRITERS - go
        p("open", id="w", name=name.decode(), timeout_ms=30000)
        for k in range(each):
            word = "writer %d word %d" % (i, k)
            for _ in range(200 if model else 1):
                answer = p("add", id="w", keyword=word)
                if answer.good or not model:
                    break
                go_conflicts[
                    0
                ] += 1  # Go gives up after three tries; its caller tries again
            if answer.value != 1:
                failures.append("%s: %s" % (word, answer))
        if not model:
            trips.append(p("cost", id="w").value["round_trips"])
        if p.close() != 0:
            failures.append("writer %d ended badly" % i)

    threads = [
        threading.Thread(target=work, args=(i, p)) for i, p in enumerate(processes)
    ]
    begun = time.monotonic()
    for t in threads:
        t.start()
    for t in threads:
        t.join(150)
    took = time.monotonic() - begun
    tap.none(
        failures,
        "%d writers%s, %d adds each at %d words: all succeed"
        % (WRITERS, " (%d of Go's)" % go if go else "", each, size),
    )
    tap.note(
        "%.1f s; round trips of each writer of ours: %s; conflicts Go reported: %d"
        % (took, trips, go_conflicts[0])
    )
    stored = [k.decode() for k in stored_keywords(client, name)]
    want = set(words(size)) | {
        "writer %d word %d" % (i, k) for i in range(WRITERS) for k in range(each)
    }
    tap.ok(
        set(stored) == want and len(stored) == len(want),
        "none is lost, none is there twice",
        "%d stored, %d different, %d missing"
        % (len(stored), len(set(stored)), len(want - set(stored))),
    )
    tap.none(faults_of_state(client, name), "and the stored form is sound")
    tap.equal(len(listener.take()), WRITERS * each, "one message for each")


def exhaustion(tap, server):
    name = b"exhausted"
    """Somebody else writes a version before each commit of ours."""
    client, listener, other = (
        server.client(),
        servers.Listener(server.address),
        server.client(),
    )
    proxy, count = servers.Proxy(server.address), [10**6]
    ours = driver(proxy.addr)

    def rewrite(names):
        if "EVALSHA" in names:
            count[0] += 1
            other("HSET", keys_of(name)[0], "version", str(count[0]))

    ours("open", id="a", name=name.decode())
    ours("add_many", id="a", keywords=words(200), counts=True)
    ours("open", id="b", name=name.decode(), timeout_ms=100)
    ours("find", id="b", text="x")
    listener.take()
    before = stored_keywords(client, name)
    proxy.before = rewrite
    odd, done, unknown, refused, longest = [], [], [], 0, 0.0
    for i in range(20):
        begun = time.monotonic()
        word = "never %d" % i
        answer = ours("add", id="b", keyword=word)
        longest = max(longest, time.monotonic() - begun)
        if answer.good:
            odd.append("it went through: %s" % answer)
        elif answer.status in (ECONFLICT, ETIMEOUT):
            refused += 1
        elif answer.status == EOUTCOME:
            unknown.append(word)  # a server that is too busy to be asked in time
        else:
            odd.append(answer)
    proxy.before = None
    tap.none(odd, "a writer that never gets its turn says conflict or time-out")
    tap.ok(refused >= 17, "it never got its turn", "refused %d of 20" % refused)
    tap.ok(
        count[0] - 10**6 > 40,
        "it tried again each time",
        "%d commits in 20 calls" % (count[0] - 10**6),
    )
    tap.ok(
        longest < 1.0,
        "within its deadline of 100 ms, and what a busy machine adds",
        "%.3f s" % longest,
    )
    stored = [k.decode() for k in stored_keywords(client, name)]
    done += [w for w in unknown if w in stored]
    tap.ok(len(unknown) <= 3, "hardly ever the outcome is unknown", unknown)
    tap.equal(
        sorted(stored),
        sorted([k.decode() for k in before] + done),
        "a refused write changed nothing",
    )
    tap.equal(len(listener.take()), len(done), "and told nobody")
    tap.equal(
        ours("add", id="b", keyword="afterwards").value,
        1,
        "and goes through once the others rest",
    )
    tap.none(faults_of_state(client, name), "the stored form is sound")
    tap.equal(ours.close(), 0, "the client ends well")


def creation(tap, server):
    """First writers of one collection, at the same time."""
    client, lost = server.client(), []
    processes = [driver(server.addr) for _ in range(3)] + [peer(server.addr)]
    for i in range(30):
        name = "created-%d" % i
        client("DEL", "{%s}:trie" % name, "{%s}:outputs" % name)
        for k, p in enumerate(processes[:3]):
            p("open", id="c", name=name)
            p.send("add", id="c", keyword="first of %d" % k)
        for k, p in enumerate(processes[:3]):
            answer = p.receive()
            if answer.value != 1:
                lost.append("%s: %s" % (name, answer))
        stored = sorted(k.decode() for k in stored_keywords(client, name.encode()))
        if stored != ["first of %d" % k for k in range(3)]:
            lost.append("%s: %r" % (name, stored))
        lost += faults_of_state(client, name.encode())
    tap.none(lost, "three first writers of a new collection lose nothing")
    lost = []
    for i in range(30):
        name = "as-stored-%d" % i
        for k, p in enumerate(processes[:3]):
            p("open", id="c", name=name, case_sensitive=None)
            p.send("add", id="c", keyword="First of %d" % k)
        answers = [p.receive().value for p in processes[:3]]
        stored = sorted(k.decode() for k in stored_keywords(client, name.encode()))
        if answers != [1, 1, 1] or stored != ["first of %d" % k for k in range(3)]:
            lost.append("%s: %r %r" % (name, answers, stored))
    tap.none(lost, "nor three that take the case mode as it is stored")
    lost = []
    for i in range(30):
        name = "modes-%d" % i
        for k, p in enumerate(processes[:2]):
            p("open", id="c", name=name, case_sensitive=bool(k))
            p.send("add", id="c", keyword="Word %d" % k)
        answers = [p.receive() for p in processes[:2]]
        stored = [k.decode() for k in stored_keywords(client, name.encode())]
        mode = client("HGET", keys_of(name.encode())[0], "c:case")
        want = {
            b"insensitive": (1, EMODE, ["word 0"]),
            b"sensitive": (EMODE, 1, ["Word 1"]),
        }
        if (*[a.value if a.good else a.status for a in answers], stored) != want.get(
            mode
        ):
            lost.append("%s: %r %r %r" % (name, answers, stored, mode))
    tap.none(lost, "of two first writers with different case modes one is refused")
    lost = []
    for i in range(30):
        name = "created-with-go-%d" % i
        processes[0]("open", id="c", name=name)
        processes[3].send("open", id="c", name=name)
        processes[0].send("add", id="c", keyword="ours")
        opened, added = processes[3].receive(), processes[0].receive()
        if not opened.good or added.value != 1:
            lost.append("%s: %s %s" % (name, opened, added))
        again = processes[3]("add", id="c", keyword="theirs")
        stored = sorted(k.decode() for k in stored_keywords(client, name.encode()))
        # Go's creation can erase what was written between its look and its write.
        if stored not in (["ours", "theirs"], ["theirs"]) or again.value != 1:
            lost.append("%s: %r" % (name, stored))
        if not canonical(client("HGET", keys_of(name.encode())[0], "version")):
            lost.append("%s: version" % name)
    tap.none(lost, "a first writer of ours beside a Go process that opens")
    # Based on "absent": somebody's commit in between must not be overwritten.
    proxy = servers.Proxy(server.address)
    ours = driver(proxy.addr)
    for i in range(5):
        name = "between-%d" % i
        ours("open", id="x", name=name)
        fault = proxy.arm("delay", names={"HMGET"}, ms=150)
        ours.send("add", id="x", keyword="late")
        time.sleep(0.05)
        other = processes[i % 3]
        other("open", id="y", name=name)
        first = other("add", id="y", keyword="early")
        answer = ours.receive()
        stored = sorted(k.decode() for k in stored_keywords(client, name.encode()))
        tap.ok(
            first.value == 1
            and answer.value == 1
            and stored == ["early", "late"]
            and fault.done.is_set(),
            "a collection created between our look and our commit (%d)" % i,
            first,
            answer,
            stored,
        )
    for p in processes:
        p.close()
    ours.close()


def same_word(tap, server):
    """Two add the same word at once: one adds it."""
    a, b, bad = driver(server.addr), driver(server.addr), []
    for p in (a, b):
        p("open", id="x", name="same")
    for i in range(50):
        for p in (a, b):
            p.send("add", id="x", keyword="word %d" % i)
        answers = sorted(p.receive().value for p in (a, b))
        if answers != [0, 1]:
            bad.append("word %d: %r" % (i, answers))
    tap.none(bad, "of two that add one word, one added it")
    tap.none(faults_of_state(server.client(), b"same"), "and it is there once")
    a.close()
    b.close()


def main():
    tap = begin()
    server = servers.Server()
    many_writers(tap, server, 1000, EACH)
    many_writers(tap, server, 100, 20, go=2)
    exhaustion(tap, server)
    creation(tap, server)
    same_word(tap, server)
    tap.end()


if __name__ == "__main__":
    main()
