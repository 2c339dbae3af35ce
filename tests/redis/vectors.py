#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recorded vectors (tests/interop/data/vectors.jsonl) that are about what
lies in Redis: storage, JSON, versions, key names. tests/interop/test_vectors.c
runs the others and names this file for these.

What it takes to follow a vector through the public calls is said where it is
done. OURS has the answers that differ on purpose.
"""

import json
import os

import help
from help import TOP, begin, driver, keys_of, read_array, servers

DATA = os.path.join(TOP, "tests", "interop", "data", "vectors.jsonl")
OPS = ("storage", "json_encode_string_array", "cas", "cas_outputs", "key")

# id -> (our answer, why)
OURS = {
    "json-encode-string-array-216": (
        '["a\ufffd"]',
        "undecodable bytes become U+FFFD before anything is stored, so the escape is not needed",
    ),
    "cas-264": (1, "versions are compared as they are spelled, so any can be followed"),
    "cas-outputs-265": (
        {"field_survives": False},
        "a state that no keyword reports is noticed and dropped",
    ),
}


class Runner:
    def __init__(self, tap, server):
        self.tap, self.client = tap, server.client()
        self.listener = servers.Listener(server.address)
        self.ours = driver(server.addr)
        self.n = 0

    def must(self, op, **members):
        answer = self.ours(op, **members)
        if not answer.good:
            raise AssertionError("%s: %s" % (op, answer))
        return answer.value

    def open(self, name=None, case_sensitive=None):
        """A name, and a fresh handle "v" on it."""
        self.n += 1
        name = name or "vector-%d" % self.n
        self.ours("close", id="v")
        self.must("open", id="v", name=name, case_sensitive=case_sensitive)
        return name

    def trie(self, name):
        return keys_of(name.encode())[0]

    def state(self, name):
        """As the vectors write it; what was never written equals an empty one, and
        prefixes come in any order behind the root."""
        trie, outputs = (self.client.hash(k) for k in keys_of(name.encode()))
        return {
            "trie.keywords": trie.get(b"keywords", b"[]").decode(),
            "trie.prefixes": sorted(read_array(trie.get(b"prefixes", b'[""]'))),
            "outputs": {k.decode(): v.decode() for k, v in outputs.items()} or None,
        }

    def run(self, v):
        try:
            got = getattr(self, v["op"])(v, v["options"])
        except Exception as e:
            self.tap.ok(False, v["id"], "it failed: %r" % e)
            return
        want, why = OURS.get(v["id"], (v["expected"], None))
        title = v["id"] + (": ours differs: " + why if why else "")
        if v["op"] == "storage":
            prefixes = read_array(want["trie.prefixes"].encode())
            want = dict(want, **{"trie.prefixes": sorted(prefixes)})
        if why and want == v["expected"]:
            self.tap.ok(False, title, "it does not differ")
        else:
            self.tap.equal(got, want, title)

    # One method an operation ------------------------------------------------------

    def storage(self, v, options):
        name = self.open(case_sensitive=v["case_sensitive"])
        for step in options["steps"]:
            op = step[0]
            if op == "flush":
                self.must(op, id="v")
            elif op.endswith("_many"):
                self.must(op, id="v", keywords=step[1])
            else:
                self.must(op, id="v", keyword=step[1])
        return self.state(name)

    def json_encode_string_array(self, v, options):
        """The strings as keywords, between two x where trimming would take them away; no
        string and the root alone are what emptying leaves."""
        strings = [bytes.fromhex(x) for x in options["strings_hex"]]
        wrap = any(help.trim(s) != s for s in strings)
        if wrap:
            strings = [b"x" + s + b"x" for s in strings]
        name = self.open(case_sensitive=True)
        if any(strings):
            self.must("add_many", id="v", keywords=[help.wire(s) for s in strings])
        else:
            self.must("flush", id="v")
        field = "prefixes" if strings == [b""] else "keywords"
        text = self.client("HGET", self.trie(name), field).decode()
        return text.replace('"x', '"').replace('x"', '"') if wrap else text

    def cas(self, v, options):
        """A handle reads one version and another is stored before it writes. What the
        script refuses costs the write a second round trip."""
        stored, sent = options["stored_version"], options["sent_old_version"]
        try:
            int(stored or "0")
            read = stored if stored is None else sent
        except ValueError:  # what Go would send as 0 is what is stored
            read = stored
        name = self.open(case_sensitive=False)
        self.must("add", id="v", keyword="first")
        self.put_version(name, read)
        self.open(name, False)
        self.must("find", id="v", text="first")
        self.put_version(name, stored)
        before = self.must("cost", id="v")["round_trips"]
        if self.must("add", id="v", keyword="second") != 1:
            raise AssertionError("not added")
        bad = help.faults_of_state(self.client, name.encode())
        if bad:
            raise AssertionError(bad)
        return 2 - (self.must("cost", id="v")["round_trips"] - before)

    def put_version(self, name, version):
        if version is None:
            self.client("HDEL", self.trie(name), "version")
        else:
            self.client("HSET", self.trie(name), "version", version)

    def cas_outputs(self, v, options):
        """Go's script clears the outputs for a removal and not for an addition."""
        name = self.open(case_sensitive=False)
        self.must("add_many", id="v", keywords=["he", "she"])
        field = options["existing_output_field"]
        outputs = keys_of(name.encode())[1]
        self.client("HSET", outputs, field, '["%s"]' % field)
        if options["clear_outputs"]:
            self.must("remove", id="v", keyword="he")
        else:
            self.must("add", id="v", keyword="her")
        return {"field_survives": self.client("HEXISTS", outputs, field) == 1}

    def key(self, v, options):
        """The key or channel a call really goes to."""
        kind, name = options["kind"], options["name"]
        self.client("FLUSHALL")
        if kind.startswith("v1 "):
            return self.key_of_v1(kind, name, v["expected"])
        self.open(name, False)
        self.listener.take()
        if kind == "migration lock":
            self.first_layout(name)
            self.client("SET", v["expected"], "somebody else")
            answer = self.ours("migrate", id="v")
            return v["expected"] if not answer.good else "no lock was met: %s" % answer
        self.must("add", id="v", keyword="he")
        if kind == "channel":
            return self.listener.take()[0][0].decode()
        if kind == "nodes":
            self.client("HSET", v["expected"], "he", "x")
            self.must("flush", id="v")
            return (
                v["expected"] if not self.client("EXISTS", v["expected"]) else "it is left"
            )
        found = [k.decode() for k in self.client("KEYS", "*") if k.endswith(kind.encode())]
        return found[0] if len(found) == 1 else found

    def first_layout(self, name):
        """What a release of Go's with the older layout leaves for he and s1."""
        key = "{%s}:" % name
        self.client("SADD", key + "keyword", "he", "s1")
        for i, prefix in enumerate(("", "h", "he", "s", "s1")):
            self.client("ZADD", key + "prefix", i, prefix)
        for suffix in ("e", "eh", "1", "1s"):
            self.client("ZADD", key + "suffix", 1, suffix)
        for word in ("he", "s1"):
            self.client("SADD", key + "output:" + word, word)
            self.client("SADD", key + "node:" + word, word)

    def key_of_v1(self, kind, name, expected):
        """Keys of the older layout are those that a migration takes away."""
        self.first_layout(name)
        if not self.client("EXISTS", expected):
            return "nothing was stored there"
        self.open(name, False)
        if sorted(self.must("export", id="v")) != ["he", "s1"]:
            return "the keywords were not read"
        self.must("migrate", id="v")
        return expected if not self.client("EXISTS", expected) else "%s is left" % kind


def main():
    tap = begin()
    runner = Runner(tap, servers.Server())
    with open(DATA, encoding="utf-8") as f:
        vectors = [json.loads(line) for line in f if line.strip()]
    met = set()
    for v in vectors:
        if v["op"] in OPS:
            runner.run(v)
            met.add(v["id"])
    tap.equal(set(OURS) - met, set(), "all answers of our own were met")
    tap.equal(runner.ours.close(), 0, "the client ends well")
    tap.end()


if __name__ == "__main__":
    main()
