#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""From V1 to V2 and back: who is told, what it costs, who owns the lock, and what
a migration that broke off anywhere leaves.
"""

from help import (
    begin,
    driver,
    faults_of_state,
    message_ok,
    prefixes_of,
    servers,
    stored_keywords,
    words,
)

EBUSY, ECONFLICT, ESCHEMA, ECORRUPT = -4, -20, -40, -41


class Bench:
    def __init__(self, tap):
        self.tap, self.server = tap, servers.Server()
        self.proxy = servers.Proxy(self.server.address)
        self.client, self.listener = (
            self.server.client(),
            servers.Listener(self.server.address),
        )
        self.ours, self.reader = driver(self.proxy.addr), driver(self.server.addr)
        self.n = 0

    def fresh(self, keywords):
        """A V1 collection as old releases of Go's wrote it, without the suffixes, which
        nobody reads; a handle "a" on it through the proxy."""
        self.n += 1
        name = "v1-%d" % self.n
        key, commands = "{%s}:" % name, [("SADD", "{%s}:keyword" % name, *keywords)]
        raw = [k.encode() for k in keywords]
        for p in sorted(prefixes_of(raw)):
            commands.append(("ZADD", key + "prefix", 1, p))
            found = [k for k in raw if p.endswith(k)]
            if found:
                commands.append(("SADD", (key + "output:").encode() + p, *found))
        for k in raw:
            commands.append(("SADD", (key + "node:").encode() + k, k))
        self.client.batch(*commands)
        self.ours("open", id="a", name=name, timeout_ms=3000)
        self.listener.take()
        return name

    def keys(self, name):
        return {k.decode().split("}:")[1] for k in self.client("KEYS", "{%s}*" % name)}

    def lock(self, name):
        return self.client("GET", "{%s}:migration_lock" % name)

    def told(self, name):
        got = self.listener.take()
        return len(got) if all(message_ok(m, name.encode()) for m in got) else got

    def read(self, name):
        self.reader("open", id="r", name=name)
        return sorted(self.reader("export", id="r").value or [])


def costs(b):
    trips = {}
    for size in (20, 200):
        given = words(size)
        name = b.fresh(given)
        removed = len(b.keys(name))
        b.proxy.reset()
        answer = b.ours("migrate", id="a")
        trips[size] = b.proxy.trips
        b.tap.ok(
            answer.good and answer.value["result"]["keys_removed"] == removed,
            "a V1 collection of %d keywords is migrated" % size,
            answer,
            removed,
        )
        b.tap.equal(b.told(name), 1, "  others are told, once")
        b.tap.equal(b.keys(name), {"trie", "outputs"}, "  and nothing of V1 is left")
        b.tap.none(faults_of_state(b.client, name.encode()), "  the state is sound")
    b.tap.ok(
        trips[200] <= trips[20] + 2 * (200 * 11 // 1000 + 1) and trips[20] < 20,
        "round trips do not grow with keywords and prefixes, but for V1's keys by the thousand",
        trips,
    )


def back(b):
    name = b.fresh(["she", "he"])
    before = b.client.dump()
    b.ours("migrate", id="a", keep_old_keys=True)
    b.told(name)
    b.tap.equal(b.ours("add", id="a", keyword="her").value, 1, "V2 is written")
    b.told(name)
    answer = b.ours("rollback", id="a")
    b.tap.ok(answer.good, "a migration that kept V1's keys is taken back", answer)
    b.tap.equal(b.told(name), 1, "  others are told, once")
    b.tap.equal(b.client.dump(), before, "  and all is as it was")


def locks(b):
    name = b.fresh(["she", "he"])
    b.client("SET", "{%s}:migration_lock" % name, "another")
    before = b.client.dump()
    for op in ("migrate", "rollback"):
        answer = b.ours(op, id="a")
        b.tap.equal(answer.status, EBUSY, "%s: not while another has the lock" % op)
    b.tap.equal(b.client.dump(), before, "  and nothing changed, the lock included")

    name = b.fresh(["she", "he"])
    seen = []

    def look(names):
        if "EVALSHA" in names or "EVAL" in names:
            seen.append((b.lock(name), b.client("TTL", "{%s}:migration_lock" % name)))
            b.client("EXPIRE", "{%s}:migration_lock" % name, 30)

    b.proxy.before = look
    b.ours("migrate", id="a")
    b.proxy.before = None
    owner = seen[0][0] if seen else None
    b.tap.ok(
        owner and len(owner) == 32 and all(o == owner for o, _ in seen),
        "the lock has an owner of its own",
        seen,
    )
    b.tap.ok(any(ttl > 200 for _, ttl in seen[1:]), "  is renewed on the way", seen)
    b.tap.equal(b.lock(name), None, "  and is given back")

    name = b.fresh(["she", "he"])

    def steal(names):
        if "UNLINK" in names:
            b.client("SET", "{%s}:migration_lock" % name, "another")

    b.proxy.before = steal
    answer = b.ours("migrate", id="a")
    b.proxy.before = None
    b.tap.equal(answer.status, EBUSY, "one that lost its lock stops")
    b.tap.equal(b.lock(name), b"another", "  and leaves the other's lock alone")
    b.tap.equal(b.read(name), ["he", "she"], "  the keywords are all there")
    b.client("DEL", "{%s}:migration_lock" % name)
    b.tap.ok(b.ours("migrate", id="a").good, "  and the next one finishes it")
    b.tap.equal(b.keys(name), {"trie", "outputs"}, "  to the end")


def broken_off(b):
    """Each exchange in turn is lost before the server has it, or its reply is."""
    given = sorted(["she", "he", "her", "hers", "ushers"])
    for kind in ("cut_before", "drop_reply"):
        bad, steps = [], 0
        for nth in range(1, 40):
            name = b.fresh(given)
            fault = b.proxy.arm(kind, nth=nth)
            b.ours("migrate", id="a")
            struck = fault.done.wait(1)
            b.proxy.disarm()
            if not struck:
                break
            steps += 1
            if b.read(name) != given:
                bad.append("exchange %d: it reads as %r" % (nth, b.read(name)))
            b.client("DEL", "{%s}:migration_lock" % name)  # as time would
            answer = b.ours("migrate", id="a")
            if not answer.good and answer.status != ESCHEMA:
                bad.append("exchange %d: again: %s" % (nth, answer))
            if b.keys(name) != {"trie", "outputs"}:
                bad.append("exchange %d: left %r" % (nth, b.keys(name)))
            if sorted(k.decode() for k in stored_keywords(b.client, name.encode())) != given:
                bad.append("exchange %d: other keywords" % nth)
            bad += [
                "exchange %d: %s" % (nth, x)
                for x in faults_of_state(b.client, name.encode())
            ]
        b.tap.none(
            bad, "broken off anywhere (%s), it reads well and the next one ends it" % kind
        )
        b.tap.ok(5 < steps < 39, "  and every exchange had its turn", steps)


def nothing_uncompared(b):
    """V1 goes only where every keyword of it is in V2, and never in a dry run."""
    name = b.fresh(["she", "he"])
    b.ours("migrate", id="a", keep_old_keys=True)
    trie = "{%s}:trie" % name
    b.client("HSET", trie, "c:migrating", "1")
    before = b.client.dump()
    answer = b.ours("migrate", id="a", dry_run=True)
    b.tap.ok(answer.good, "a dry run over one that broke off", answer)
    b.tap.equal(b.client.dump(), before, "  deletes nothing")
    b.client("HSET", trie, "keywords", '["he"]')
    before = b.client.dump()
    answer = b.ours("migrate", id="a")
    b.tap.equal(answer.status, ECORRUPT, "one whose V2 lacks a keyword is refused")
    b.tap.equal(b.client.dump(), before, "  and deletes nothing")

    for when in ("EVALSHA", "HSTRLEN"):
        name = b.fresh(["she", "he"])
        looks = []

        def add(names, name=name, when=when, looks=looks):
            looks.append(names)
            if when in names and len(looks) > 3:
                b.client("SADD", "{%s}:keyword" % name, "late")

        b.proxy.before = add
        answer = b.ours("migrate", id="a")
        b.proxy.before = None
        kept = b.client("SISMEMBER", "{%s}:keyword" % name, "late")
        b.tap.ok(
            answer.status == ECONFLICT and kept == 1,
            "a keyword that comes to V1 meanwhile (%s) is not lost" % when,
            answer,
            kept,
            looks,
        )

    name = b.fresh(["he"])
    b.client("SADD", "{%s}:keyword" % name, b"x\xffy")
    answer = b.ours("migrate", id="a")
    b.tap.ok(answer.good, "a keyword that is no valid UTF-8 is taken along", answer)
    b.tap.equal(
        sorted(stored_keywords(b.client, name.encode())),
        [b"he", "x\ufffdy".encode()],
        "  as it is stored in V2",
    )
    b.tap.equal(b.keys(name), {"trie", "outputs"}, "  and nothing of V1 is left")


def main():
    tap = begin()
    b = Bench(tap)
    for part in (costs, back, locks, broken_off, nothing_uncompared):
        part(b)
    tap.equal(b.ours.close(), 0, "the client ends well")
    tap.end()


if __name__ == "__main__":
    main()
