#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every state the Go library left behind, read by our client.

The last state of a scenario gives the recorded answers; every state before it
gives what a model of a Go process answers that goes by the keywords. Reading
writes nothing.
"""

import golden
import help
from help import begin, driver, peer, read_array, servers

# Scenarios whose last state is one that only Go leaves: entries twice or empty,
# prefixes that do not fit. Our info counts what is there to match.
COUNTED_OTHERWISE = {
    "invalid-utf8-collide",
    "trie-key-deleted",
    "read-null",
    "read-null-element",
    "read-prefixes-missing",
}


def texts_of(s):
    out = []
    for r in s.get("reads", ()):
        if r["op"] == "find" and r.get("text") and r["text"] not in out:
            out.append(r["text"])
    for step in s["steps"]:
        for text in (
            ([step.get("text")] if step.get("text") else [])
            + (step.get("keywords") or [])
            + [step.get("keyword")]
        ):
            if text and text not in out and len(out) < 12 and not isinstance(text, dict):
                out.append(text)
    return out


class Reader:
    def __init__(self, tap, server):
        self.tap, self.client = tap, server.client()
        self.ours, self.go = driver(server.addr), peer(server.addr)

    def middle(self, s, name, state, at, bad):
        """A state on the way: as the peer answers."""
        golden.load_state(self.client, state)
        before = self.client.dump()
        mode = {"case_sensitive": bool(s["case_sensitive"])}
        trie = state.get(b"{" + name + b"}:trie")
        if trie is None or trie[0] != "hash":
            return
        try:
            keywords = read_array(trie[1].get(b"keywords", b"[]"))
        except Exception:
            keywords = None
        self.ours("open", id="x", name=help.wire(name), **mode)
        if state.get(b"{" + name + b"}:outputs", ("hash",))[0] != "hash":
            answer = self.ours("find", id="x", text="any text")
            if answer.good or answer.status != help.ESCHEMA:
                bad.append(
                    "step %d: find gave %r with outputs of another type" % (at, answer)
                )
        elif keywords is None:
            answer = self.ours("find", id="x", text="any text")
            if answer.good or answer.status != help.ECORRUPT:
                bad.append("step %d: find gave %r of what is no array" % (at, answer))
        else:
            self.go("open", id="x", name=help.wire(name), preset="speed", **mode)
            exported = self.ours("export", id="x")
            want = [help.wire(k) for k in dict.fromkeys(keywords) if k]
            if exported.value != want:
                bad.append("step %d: export %r, not %r" % (at, exported, want))
            for text in texts_of(s):
                a, b = self.ours("find", id="x", text=text), self.go(
                    "find", id="x", text=text
                )
                if a.value != b.value or not a.good:
                    bad.append("step %d: find of %r: %r, not %r" % (at, text, a, b))
            self.go("close", id="x")
        self.ours("close", id="x")
        if self.client.dump() != before:
            bad.append("step %d: reading changed the state" % at)

    def last(self, s, name, state, bad):
        golden.load_state(self.client, state)
        before = self.client.dump()
        self.ours(
            "open", id="x", name=help.wire(name), case_sensitive=bool(s["case_sensitive"])
        )
        found = golden.our_reads(self.ours, "x", s)
        # What info counts of a damaged state is said where the deviations are.
        if s["scenario"] not in COUNTED_OTHERWISE:
            bad += found
        elif not found or not all(": " in f and f.startswith("our info") for f in found):
            bad += found + ["info was to count otherwise, and nothing else"]
        self.ours("close", id="x")
        if self.client.dump() != before:
            bad.append("reading changed the state")

    def run(self, s):
        name, bad = golden.data_of(s["name"]), []
        states = [
            (i, golden.state_of(step["state_after"]))
            for i, step in enumerate(s["steps"])
            if "state_after" in step
        ]
        if not states:
            self.tap.skip(s["scenario"], "it leaves no state")
            return
        for i, state in states:
            self.middle(s, name, state, i, bad)
        if s.get("reads"):
            self.last(s, name, states[-1][1], bad)
        self.tap.none(bad, s["scenario"])

    def first_version(self, s):
        """A V1 state: the answers of the recorded V1 handle."""
        name, bad, state = golden.data_of(s["name"]), [], None
        for step in s["steps"]:
            if "state_after" in step and step["op"].startswith("v1_"):
                state = golden.state_of(step["state_after"])
                golden.load_state(self.client, state)
                before = self.client.dump()
                self.ours("open", id="x", name=help.wire(name))
            elif (
                step["op"] in ("find", "find_index", "find_matches", "info")
                and state
                and "state_after" not in step
            ):
                members = {
                    k: step[k] for k in ("text", "kind", "whole_word") if k in step
                }
                complaint = golden.compare_result(
                    step["op"], self.ours(step["op"], id="x", **members), step["result"]
                )
                if complaint:
                    bad.append("%s of %r: %s" % (step["op"], step.get("text"), complaint))
            elif step["op"] in ("flush", "migrate", "rollback"):
                break
        if self.client.dump() != before:
            bad.append("reading changed the state")
        self.ours("close", id="x")
        self.tap.none(bad, "%s, as V1" % s["scenario"])


def main():
    tap = begin()
    reader = Reader(tap, servers.Server())
    refused = {"name-closing-first", "name-empty", "name-nul"}
    for s in golden.load_scenarios():
        if s["scenario"] in refused:
            tap.skip(s["scenario"], "our client refuses such a name")
            continue
        if s["steps"][0]["op"] == "v1_write" and not s["scenario"].startswith(
            ("v1-opened", "migrate")
        ):
            reader.first_version(s)
        else:
            reader.run(s)
    tap.equal(reader.ours.close(), 0, "the driver ends well")
    reader.go.close()
    tap.end()


if __name__ == "__main__":
    main()
