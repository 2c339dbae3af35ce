#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A mixed fleet: three clients of ours and two of the Go model write one
collection in random order, sometimes at the same time.

After every write the stored form is what the keywords make it, by brute force;
at the end of a round all agree on keywords and on every find. ROUNDS and SEED
set how many and where to begin.
"""

import os
import random

import help
from help import (
    begin,
    driver,
    faults_of_state,
    message_ok,
    peer,
    servers,
    stored_keywords,
)

OURS, GO, OPERATIONS = 3, 2, 60
# They share prefixes and suffixes; some need escapes, lower case or more bytes.
LETTERS = [
    "a",
    "b",
    "ab",
    "ba",
    "é",
    "한",
    "<",
    '"',
    "\\",
    "\u2028",
    "I",
    "İ",
    "😀",
    " ",
    "\x01",
    "\ufffd",
]


class Round:
    """In rounds of an even seed nothing happens at the same time, so a cached Go client
    must have heard of every write. In the others it may have missed one, as Go can (a
    write of its own clears what a message told), and gets another message before it is
    asked."""

    def __init__(self, seed, server, ours, go):
        self.at_once = seed % 2 == 1
        self.rng, self.name = random.Random(seed), ("fleet-%d" % seed).encode()
        self.server, self.client = server, server.client()
        self.members = ours + go
        self.model, self.bad = [], []
        self.pool = [
            "".join(self.rng.choice(LETTERS) for _ in range(self.rng.randint(1, 5)))
            for _ in range(25)
        ]
        self.modes = {}
        for i, p in enumerate(self.members):
            options = {}
            if p in go and self.rng.random() < 0.5:
                options = (
                    {"cache": True} if self.rng.random() < 0.5 else {"preset": "speed"}
                )
            self.must(p, "open", id=self.id_of(p), name=self.name.decode(), **options)
            self.modes[i] = options

    def id_of(self, p):
        return "%s/%d" % (self.name.decode(), self.members.index(p))

    def must(self, p, op, **members):
        answer = p(op, **members)
        if not answer.good:
            self.bad.append("%s: %s" % (op, answer))
        return answer.value

    @staticmethod
    def normal(word):
        return help.lower(help.trim(word.encode())).decode()

    def apply(self, op, given):
        """What the model of one dictionary says: (result, changed)."""
        if op == "flush":
            self.model = []
            return None, True
        changed = []
        for w in dict.fromkeys(self.normal(x) for x in given):
            if w and op.startswith("add") and w not in self.model:
                self.model.append(w)
                changed.append(w)
            elif op.startswith("remove") and w in self.model:
                self.model.remove(w)
                changed.append(w)
        return changed, bool(changed)

    def draw(self):
        x = self.rng.random()
        many = [self.rng.choice(self.pool) for _ in range(self.rng.randint(1, 6))]
        if x < 0.40:
            return "add", many[:1]
        if x < 0.60:
            return "remove", many[:1]
        if x < 0.78:
            return "add_many", many
        if x < 0.88:
            return "remove_many", many
        if x < 0.91:
            return "flush", []
        return "find", many

    @staticmethod
    def members_of(op, given):
        if op in ("add", "remove"):
            return {"keyword": given[0]}
        if op == "find":
            return {"text": "".join(given)}
        return {} if op == "flush" else {"keywords": given}

    def one(self, at):
        """One operation by one member; its answer is the model's."""
        p = self.rng.choice(self.members)
        op, given = self.draw()
        value = self.must(p, op, id=self.id_of(p), **self.members_of(op, given))
        if op == "find":
            return
        changed, _ = self.apply(op, given)
        if op in ("add", "remove") and value != len(changed):
            self.bad.append("operation %d: %s of %r gave %r" % (at, op, given, value))
        if op in ("add_many", "remove_many") and value is not None:
            done = [self.normal(w) for w in value["added"] + value["removed"]]
            if done != changed:
                self.bad.append(
                    "operation %d: %s of %r: %r, not %r" % (at, op, given, done, changed)
                )
        self.check(at)

    def two(self, at):
        """Two members at the same time, on words of their own: any order will do."""
        a, b = self.rng.sample(self.members, 2)
        words = self.rng.sample(self.pool, 2)
        if self.normal(words[0]) == self.normal(words[1]):
            return
        plans = [
            (p, self.rng.choice(["add", "remove"]), [w])
            for p, w in ((a, words[0]), (b, words[1]))
        ]
        for p, op, given in plans:
            p.send(op, id=self.id_of(p), keyword=given[0])
        answers = [p.receive() for p, _, _ in plans]
        before = list(self.model)
        for (p, op, given), answer in zip(plans, answers):
            if not answer.good:
                self.bad.append("operation %d: %s" % (at, answer))
                continue
            changed, _ = self.apply(op, given)
            if answer.value != len(changed):
                self.bad.append(
                    "operation %d: %s of %r gave %r" % (at, op, given, answer.value)
                )
        stored = [k.decode() for k in stored_keywords(self.client, self.name)]
        if sorted(stored) != sorted(self.model):
            self.bad.append(
                "operation %d: %r, not %r (before: %r)" % (at, stored, self.model, before)
            )
        self.model = stored  # whichever came first
        self.check(at)

    def check(self, at):
        self.bad += [
            "operation %d: %s" % (at, b) for b in faults_of_state(self.client, self.name)
        ]
        stored = [k.decode() for k in stored_keywords(self.client, self.name)]
        if stored != self.model:
            self.bad.append("operation %d: stored %r, not %r" % (at, stored, self.model))

    def run(self):
        for at in range(OPERATIONS):
            if self.bad:
                break
            if self.at_once and self.rng.random() < 0.2:
                self.two(at)
            else:
                self.one(at)
        self.agree()
        for p in self.members:
            p("close", id=self.id_of(p))
        self.client.close()
        return self.bad

    def agree(self):
        texts = [
            "".join(self.rng.choice(self.pool) for _ in range(6)) for _ in range(4)
        ] + self.model[:6]
        if self.at_once:
            self.client("PUBLISH", b"acor:invalidate:" + self.name, "look again")
        servers.time.sleep(0.03)  # until cached members heard of the last write
        for text in texts:
            for op, options in (
                ("find", {}),
                ("find_index", {}),
                ("find_matches", {"kind": "leftmost-longest"}),
                ("find_matches", {"whole_word": True}),
                ("contains", {}),
            ):
                answers = [
                    self.must(p, op, id=self.id_of(p), text=text, **options)
                    for p in self.members
                ]
                for _ in range(20):
                    if all(plain(a) == plain(answers[0]) for a in answers):
                        break
                    servers.time.sleep(0.05)
                    answers = [
                        self.must(p, op, id=self.id_of(p), text=text, **options)
                        for p in self.members
                    ]
                for i, a in enumerate(answers):
                    if plain(a) != plain(answers[0]):
                        self.bad.append(
                            "%s %r of %r: member %d says %r, member 0 %r"
                            % (op, options, text, i, a, answers[0])
                        )
        counts = {
            self.must(p, "info", id=self.id_of(p))["keywords"] for p in self.members
        }
        if counts != {len(self.model)}:
            self.bad.append("info counts %r, there are %d" % (counts, len(self.model)))


def plain(value):
    if isinstance(value, dict) and "pairs" in value:
        return {str(k): v for k, v in value["pairs"]}
    return value


def main():
    tap = begin()
    server = servers.Server()
    rounds, first = int(os.environ.get("ROUNDS", "50")), int(os.environ.get("SEED", "1"))
    ours, go = [driver(server.addr) for _ in range(OURS)], [
        peer(server.addr) for _ in range(GO)
    ]
    listener = servers.Listener(server.address)
    for seed in range(first, first + rounds):
        r = Round(seed, server, ours, go)
        bad = r.run()
        bad += [
            "message %r" % (m,)
            for m in listener.take()
            if not message_ok(m, r.name) and m[1] != b"look again"
        ]
        tap.none(
            bad,
            "seed %d: %d operations by %d of ours and %d of Go's"
            % (seed, OPERATIONS, OURS, GO),
        )
        if any(p.dead for p in ours + go):
            tap.ok(False, "a process ended")
            break
    for p in ours:
        tap.equal(p.close(), 0, "a client of ours ends well")
    for p in go:
        p.close()
    tap.end()


if __name__ == "__main__":
    main()
