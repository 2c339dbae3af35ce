#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random faults between library and server, over every public function: what is
reported is what happened, nothing hangs past its deadline, and a Go process can
read the state at any time. FAULTS and SEED set how many and where to begin."""

import os
import random
import threading
import time

import help
from help import (
    EOUTCOME,
    begin,
    driver,
    faults_of_state,
    message_ok,
    peer,
    servers,
    stored_keywords,
)

WORKERS = 4
TIMEOUT_MS = 200
SLACK = 0.8  # seconds a busy machine may add
POOL = [
    "he",
    "she",
    "hers",
    "his",
    "\ud55c\uae00",
    "a<b",
    "is",
    "e",
    "x\u2028y",
    "sh",
    "ers",
    "\U0001f600",
]
KINDS = (
    ["drop_reply"] * 4
    + ["swallow_reply"] * 2
    + ["cut_before"] * 3
    + ["cut_middle"] * 2
    + ["hold", "late", "delay", "garble", "truncate", "truncate", "error"]
)
ERRORS = [
    "ERR planted",
    "LOADING Redis is loading the dataset in memory",
    "BUSY Redis is busy running a script",
    "NOSCRIPT No matching script",
    "READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "MASTERDOWN Link with MASTER is down",
    "NOPERM no rights",
    "WRONGTYPE planted",
    "TRYAGAIN planted",
    "CLUSTERDOWN planted",
    "-",
    "",
]
WRITES = ("add", "remove", "add_many", "remove_many", "replace_all", "flush")
READS = (
    "find",
    "find_set",
    "find_index",
    "find_matches",
    "contains",
    "info",
    "export",
    "snapshot",
)


class Worker:
    def __init__(self, number, seed, count, server):
        self.rng, self.count, self.name = (
            random.Random(seed * 1000 + number),
            count,
            b"faults-%d" % number,
        )
        self.server, self.proxy = server, servers.Proxy(server.address)
        self.client, self.listener = server.client(), servers.Listener(server.address)
        self.ours, self.go = driver(self.proxy.addr), peer(server.addr)
        self.bad, self.seen, self.done, self.opened = [], {}, 0, False
        self.model = []

    def reopen(self):
        self.opened = True
        self.ours("open", id="a", name=self.name.decode(), timeout_ms=TIMEOUT_MS)

    def members(self, op):
        some = [self.rng.choice(POOL) for _ in range(self.rng.randint(1, 5))]
        if op in ("add", "remove"):
            return {"keyword": some[0]}
        if op in ("add_many", "remove_many", "replace_all"):
            return {"keywords": some, "counts": True}
        return {"text": "".join(some)} if op.startswith(("find", "contains")) else {}

    def after(self, op, members):
        """(the keywords afterwards, what the call answers)"""
        now = list(self.model)
        given = list(dict.fromkeys(members.get("keywords") or [members.get("keyword")]))
        if op in ("add", "add_many"):
            new = [w for w in given if w not in now]
            return now + new, len(new)
        if op in ("remove", "remove_many"):
            gone = [w for w in given if w in now]
            return [w for w in now if w not in gone], len(gone)
        if op == "replace_all":
            new = [w for w in given if w not in now]
            return [w for w in now if w in given] + new, len(new)
        return [], None

    def plant(self):
        if self.rng.random() < 0.2:
            return "none", []
        planted, names = [], []
        for _ in range(2 if self.rng.random() < 0.25 else 1):
            kind = self.rng.choice(KINDS)
            options = {"nth": self.rng.choice([1, 1, 1, 2, 3])}
            if kind == "late":
                options["ms"] = self.rng.choice([20, 150, 300])
            elif kind == "delay":
                options["ms"] = self.rng.choice([10, 100, 400])
            elif kind == "error":
                options["text"] = self.rng.choice(ERRORS)
            if self.rng.random() < 0.5:
                options["names"] = {"EVALSHA", "EVAL"}
            names.append("%s %r" % (kind, options))
            planted.append(self.proxy.arm("hold" if kind == "late" else kind, **options))
        return " + ".join(names), planted

    def read_is_right(self, op, members, value):
        if op == "export":
            return value == self.model
        if op == "info":
            return value["keywords"] == len(self.model)
        if op == "snapshot":
            return value["keywords"] == len(self.model)
        text = members["text"]
        there = [w for w in self.model if w in text]
        if op == "contains":
            return value == bool(there)
        if op == "find_index":
            return value == {
                w: [i for i in range(len(text)) if text.startswith(w, i)] for w in there
            }
        if op == "find_matches":
            value = [m["keyword"] for m in value]
        if op == "find_set":
            return sorted(value) == sorted(there)
        return sorted(value) == sorted(
            w for w in there for i in range(len(text)) if text.startswith(w, i)
        )

    def one(self):
        if not self.opened or self.rng.random() < 0.15:
            self.reopen()
        op = self.rng.choice(WRITES if self.rng.random() < 0.7 else READS)
        members = self.members(op)
        before, (after, value) = list(self.model), self.after(op, members)
        kind, planted = self.plant()
        began = time.monotonic()
        answer = self.ours(op, limit=15, id="a", **members)
        took = time.monotonic() - began
        late = [f for f in planted if f not in self.proxy.faults]
        self.proxy.disarm()
        for f in late:
            if f.kind == "hold" and f.ms:
                f.done.wait(3)
        state = [k.decode() for k in stored_keywords(self.client, self.name)]
        told = [
            m for m in self.listener.take() if m[0] == b"acor:invalidate:" + self.name
        ]
        what = "%s %r with %s: %r in %.2f s" % (op, members, kind, answer, took)
        self.seen[answer.status] = self.seen.get(answer.status, 0) + 1
        if self.ours.dead:
            self.bad.append("the client ended: " + what)
            return
        if took > TIMEOUT_MS / 1000 + SLACK:
            self.bad.append("past its deadline: " + what)
        if op in READS:
            if answer.good and not self.read_is_right(op, members, answer.value):
                self.bad.append("a wrong answer of %r: %s" % (self.model, what))
            if state != before or told:
                self.bad.append("a read changed or told something: " + what)
        else:
            self.judge_write(op, answer, value, before, after, state, told, what)
        self.model = state
        self.bad += [
            "%s after %s" % (f, what) for f in faults_of_state(self.client, self.name)
        ]
        self.bad += ["message %r" % (m,) for m in told if not message_ok(m, self.name)]
        if self.done % 25 == 0:
            self.go("open", id="g", name=self.name.decode())
            text = "ushers \ud55c\uae00 a<b"
            found = self.go("find", id="g", text=text)
            if not found.good or set(found.value) != {w for w in state if w in text}:
                self.bad.append(
                    "a Go process cannot read it: %r after %s" % (found, what)
                )

    def judge_write(self, op, answer, value, before, after, state, told, what):
        if answer.good:
            got = (
                answer.value
                if op in ("add", "remove")
                else (answer.value or {}).get("counts", {}).get("changed")
            )
            if state != after:
                self.bad.append(
                    "reported as done, stored %r, not %r: %s" % (state, after, what)
                )
            if value is not None and got != value:
                self.bad.append("reported %r, not %r: %s" % (got, value, what))
            changes = after != before or op == "flush"
            most = 2 if op == "flush" or op == "replace_all" and not after else 1
            if not (1 <= len(told) <= most if changes else len(told) == 0):
                self.bad.append("%d messages: %s" % (len(told), what))
        elif answer.status == EOUTCOME:
            if state not in (before, after):
                self.bad.append("neither before nor after, %r: %s" % (state, what))
        elif state != before or told:
            self.bad.append(
                "reported as not done, stored %r, was %r, %d messages: %s"
                % (state, before, len(told), what)
            )

    def run(self):
        try:
            while self.done < self.count and len(self.bad) < 10:
                self.one()
                self.done += 1
        except Exception as e:
            self.bad.append("the test itself: %r" % e)
        self.ended = self.ours.close()
        self.go.close()
        self.proxy.close()


def main():
    tap = begin()
    server = servers.Server()
    total, seed = int(os.environ.get("FAULTS", "1000")), int(
        os.environ.get("SEED", str(int(time.time()) % 100000))
    )
    tap.note("SEED=%d" % seed)
    workers = [Worker(i, seed, total // WORKERS, server) for i in range(WORKERS)]
    threads = [threading.Thread(target=w.run, daemon=True) for w in workers]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60 + total)
    names = {
        getattr(help, n): n
        for n in dir(help)
        if n.startswith("E") and isinstance(getattr(help, n), int)
    }
    seen = {}
    for i, w in enumerate(workers):
        tap.none(
            w.bad,
            "worker %d, %d calls with faults: no false report, no hang, a sound state"
            % (i, w.done),
        )
        tap.equal(
            w.ended if hasattr(w, "ended") else None, 0, "  and the client ends well"
        )
        for status, n in w.seen.items():
            seen[status] = seen.get(status, 0) + n
    tap.note(
        "answers: "
        + ", ".join(
            "%s %d" % (names.get(s, s if s else "fine"), n)
            for s, n in sorted(seen.items(), reverse=True)
        )
    )
    tap.ok(
        seen.get(0, 0) > total // 3 and len(seen) > 3,
        "the faults struck, and most were overcome",
        seen,
    )
    tap.end()


if __name__ == "__main__":
    main()
