#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recorded conversations of the Go library, replayed with our client.

After each step: the result, the stored state and the message are those that
were recorded, by the rules of tests/interop/README.md. At the end a model of a
Go process reads our state and gives the recorded answers. Where we differ on
purpose, deviations-redis.jsonl says what is expected instead, and why.
"""

import json
import os

import help
from help import (
    ECONFLICT,
    EEMPTY,
    EINVAL,
    EREADONLY,
    begin,
    canonical,
    driver,
    message_ok,
    peer,
    raw,
    read_array,
    servers,
)

INTEROP = os.path.join(help.TOP, "tests", "interop")
WRITES = {"add", "remove", "add_many", "remove_many", "flush"}
# What an error's text is as a status of ours; None: any failure.
STATUS = {
    "keyword cannot be empty": EEMPTY,
    "concurrency conflict - please retry": ECONFLICT,
    "collection name must not contain ':'": EINVAL,
}
READ_ONLY = "V1 collections are read-only"


def load_scenarios():
    out = []
    for name in ("scenarios.jsonl", "big-1000.json"):
        with open(os.path.join(INTEROP, "data", "golden", name), encoding="utf-8") as f:
            out += [json.loads(line) for line in f]
    return out


def load_deviations():
    out = {}
    with open(os.path.join(INTEROP, "deviations-redis.jsonl"), encoding="utf-8") as f:
        for line in f:
            d = json.loads(line)
            out[(d["scenario"], d["what"])] = d
    return out


def waiting(s):
    """Why a scenario cannot run yet, or None."""
    if s["scenario"] == "v1-empty":
        return (
            "a V1 collection without keys is none to us: nothing tells it from a new one"
        )
    if s["scenario"] == "open-errors":
        return "topologies and presets come later"
    return None


def data_of(obj):
    """A bytes object or a volatile value of a recorded state."""
    if "volatile" in obj:
        return obj["observed"].encode()
    return bytes.fromhex(obj["hex"]) if "hex" in obj else obj["text"].encode("utf-8")


def state_of(recorded):
    """key -> (type, content, volatile fields)."""
    out = {}
    for k in recorded or ():
        key, kind, volatile = data_of(k["key"]), k["type"], set()
        if kind == "hash":
            content = {data_of(f["field"]): data_of(f["value"]) for f in k["fields"]}
            volatile = {
                data_of(f["field"]) for f in k["fields"] if "volatile" in f["value"]
            }
        elif kind == "set":
            content = {data_of(m) for m in k["members"]}
        elif kind == "zset":
            content = {data_of(m["member"]): m["score"].encode() for m in k["members"]}
        elif kind == "list":
            content = [data_of(m) for m in k["items"]]
        else:
            content = data_of(k["value"])
        out[key] = (kind, content, volatile)
    return out


def load_state(client, state):
    client("FLUSHALL")
    for key, (kind, content, _) in state.items():
        if kind == "hash":
            client("HSET", key, *[x for pair in content.items() for x in pair])
        elif kind == "set":
            client("SADD", key, *content)
        elif kind == "zset":
            client("ZADD", key, *[x for m, score in content.items() for x in (score, m)])
        elif kind == "list":
            client("RPUSH", key, *content)
        else:
            client("SET", key, content)


def compare_states(ours, want, wrote_before, migrated=False):
    """Complaints; ours is a dump, want a state_of(). Go's migration writes {N}:nodes,
    which nobody reads, and keywords in the order in which Redis lists a set."""
    if migrated:
        ours = {k: v for k, v in ours.items() if not k.endswith(b":nodes")}
        want = {k: v for k, v in want.items() if not k.endswith(b":nodes")}
    ours = {
        k: (
            kind,
            (
                {f: v for f, v in c.items() if not f.startswith(b"c:")}
                if kind == "hash"
                else c
            ),
        )
        for k, (kind, c) in ours.items()
    }
    if not wrote_before and not ours:
        fresh = {k: c for k, (kind, c, v) in want.items()}
        if all(
            k.endswith(b":trie") and c[b"keywords"] == b"[]" for k, c in fresh.items()
        ):
            return []
    bad = []
    for key in sorted(set(ours) | set(want)):
        if key not in ours or key not in want:
            bad.append("%s %r" % ("missing" if key in want else "too much", key))
            continue
        kind, content, volatile = want[key]
        if ours[key][0] != kind:
            bad.append("%r is a %s" % (key, ours[key][0]))
        elif kind != "hash":
            if ours[key][1] != content:
                bad.append("%r: %r, not %r" % (key, ours[key][1], content))
        else:
            bad += compare_hash(key, ours[key][1], content, volatile, migrated)
    return bad


def compare_hash(key, got, want, volatile, migrated=False):
    bad = []
    outputs = key.endswith(b":outputs")
    for field in sorted(set(got) | set(want)):
        a, b = got.get(field), want.get(field)
        if a is None or b is None:
            bad.append(
                "%r: field %r %s"
                % (key, field, "missing" if a is None else "too much: %r" % a)
            )
        elif field in volatile:
            if not canonical(a):
                bad.append("version %r" % a)
        elif a == b:
            continue
        elif outputs or field in (b"keywords", b"prefixes"):
            try:
                a, b = read_array(a), read_array(b)
            except Exception as e:
                bad.append("%r %r: %s" % (key, field, e))
                continue
            if (field == b"prefixes" or migrated) and not outputs:
                a, b = sorted(a), sorted(b)
            elif outputs:
                a, b = set(a), set(b)
            if a != b:
                bad.append("%r %r: %r, not %r" % (key, field, a, b))
        else:
            bad.append("%r %r: %r, not %r" % (key, field, a, b))
    return bad


def compare_result(op, answer, want):
    """None, or what is wrong with an answer of ours."""
    if "error" in want:
        if answer.good:
            return "no error but %r" % (answer.value,)
        expected = STATUS.get(want["error"])
        if READ_ONLY in want["error"]:
            expected = EREADONLY
        if expected is not None and answer.status not in (expected, 0):
            return "status %d (%s), not %d" % (answer.status, answer.text, expected)
        return None
    if not answer.good:
        return "error %d: %s" % (answer.status, answer.text)
    got, want = answer.value, want["ok"]
    if (
        isinstance(got, dict)
        and "pairs" in got
        and isinstance(want, dict)
        and "pairs" not in want
    ):
        got = {k if isinstance(k, str) else json.dumps(k): v for k, v in got["pairs"]}
    if op == "info":
        got, want = ({k: d[k] for k in ("keywords", "nodes")} for d in (got, want))
    elif op == "migrate":
        got, want = (
            {k: d["result"][k] for k in ("keywords", "prefixes", "outputs_keys")}
            for d in (got, want)
        )
    elif op in ("add_many", "remove_many"):
        got = {k: v for k, v in got.items() if k != "counts"}
        got["failed"] = [{k: f[k] for k in ("keyword", "error")} for f in got["failed"]]
    return (
        None
        if got == want
        else "%s, not %s" % (json.dumps(got)[:600], json.dumps(want)[:600])
    )


class Replay:
    def __init__(self, tap, server, deviations):
        self.tap, self.server, self.deviations = tap, server, deviations
        self.client, self.listener = server.client(), servers.Listener(server.address)
        self.used, self.record = set(), []
        self.program, self.go = driver(server.addr), peer(server.addr)

    def expect(self, scenario, what):
        """The deviation of this point, or None."""
        d = self.deviations.get((scenario, what))
        if d is not None:
            self.used.add((scenario, what))
        return d

    def judge(self, scenario, what, complaint, ours):
        """Passes if nothing is wrong, or if it is wrong as the deviation says."""
        d = self.expect(scenario, what)
        if complaint and os.environ.get("RECORD"):
            self.record.append(
                {
                    "scenario": scenario,
                    "what": what,
                    "ours": ours,
                    "reason": d["reason"] if d else "?",
                }
            )
        if d is None:
            if complaint:
                self.bad.append("%s: %s" % (what, complaint))
        elif not complaint:
            self.bad.append("%s: a deviation is noted, and there is none" % what)
        elif d["ours"] != ours:
            self.bad.append(
                "%s: %s, not the deviation %s"
                % (what, json.dumps(ours), json.dumps(d["ours"]))
            )

    def run(self, s):
        scenario, name = s["scenario"], data_of(s["name"])
        self.bad = []
        self.client("FLUSHALL")
        self.client("SCRIPT", "FLUSH")
        self.listener.take()
        program, handles, state, wrote = self.program, {}, {}, False
        self.migrating = any(step["op"] == "migrate" for step in s["steps"])
        poked = any(step["op"] == "redis" for step in s["steps"]) or self.migrating
        for i, step in enumerate(s["steps"]):
            op, what = step["op"], "%d %s" % (i, step["op"])
            before = (
                self.client.hash(b"{" + name + b"}:trie").get(b"version")
                if op in WRITES and not poked
                else None
            )
            if "state_after" in step:
                state = state_of(step["state_after"])
            if op in ("v1_write", "v1_remove"):
                load_state(self.client, state)
                wrote = True
            elif op == "redis":
                self.client(*[raw(x) for x in step["args"]])
                wrote = True
            elif op == "wait_ms":
                pass
            elif op == "open":
                members = {k: step[k] for k in ("case_sensitive",) if k in step}
                answer = program(
                    "open", id=step["handle"], name=help.wire(name), **members
                )
                handles[step["handle"]] = answer.good
                self.judge(
                    scenario,
                    what,
                    compare_result(
                        op,
                        answer,
                        (
                            dict(step["result"], ok=answer.value)
                            if "ok" in step["result"]
                            else step["result"]
                        ),
                    ),
                    answer.get("status"),
                )
                if poked and not wrote and "state_after" in step:
                    load_state(self.client, state)  # as if Go had opened it first
            else:
                self.step(scenario, what, program, step)
            if op in WRITES and "state_after" in step:
                wrote = True
            self.messages(scenario, what, step, name)
            if op != "open" or not poked:
                self.state(scenario, what, state, wrote)
            if before is not None and "state_after" in step:
                if self.client.hash(b"{" + name + b"}:trie").get(b"version") == before:
                    self.judge(
                        scenario, what + " version", "the version stays", "the same"
                    )
        for handle in handles:
            program("close", id=handle)
        self.reads(s, name)
        self.tap.none(self.bad, "%s: %s" % (scenario, s["about"][:100]))

    def step(self, scenario, what, program, step):
        op = step["op"]
        if op in ("suggest", "suggest_index", "schema_version"):
            return
        members = {
            k: step[k]
            for k in (
                "keyword",
                "keywords",
                "mode",
                "text",
                "kind",
                "whole_word",
                "keep",
                "dry_run",
                "keep_old_keys",
            )
            if k in step
        }
        answer = program(op, id=step["handle"], **members)
        want = step["result"]
        if scenario.startswith("preset") and op == "info":
            want = (
                {"ok": dict(want["ok"], nodes=answer.value["nodes"])}
                if answer.good
                else want
            )
        self.judge(
            scenario,
            what,
            compare_result(op, answer, want),
            answer.status if not answer.good else answer.value,
        )

    def messages(self, scenario, what, step, name):
        got = self.listener.take()
        want = len(step.get("published", ()))
        if (
            step["op"] in ("migrate", "rollback")
            and "ok" in step["result"]
            and not step.get("dry_run")
        ):
            want = 1  # Go tells nobody, and cached clients go on serving
        odd = [m for m in got if not message_ok(m, name)]
        complaint = None
        if odd:
            complaint = "messages of another form: %r" % odd
        elif len(got) != want:
            complaint = "%d messages, not %d" % (len(got), want)
        self.judge(scenario, what + " messages", complaint, len(got))

    def state(self, scenario, what, state, wrote):
        complaints = compare_states(self.client.dump(), state, wrote, self.migrating)
        ours = (
            {
                k.decode("utf-8", "replace"): shown(c)
                for k, (_, c) in self.client.dump().items()
            }
            if complaints
            else None
        )
        self.judge(scenario, what + " state", "; ".join(complaints), ours)

    def reads(self, s, name):
        """A Go process and a fresh handle of ours give the recorded answers."""
        if not s.get("reads"):
            return
        scenario, sensitive, bad = s["scenario"], bool(s["case_sensitive"]), []
        modes = {"plain": {}, "cached": {"cache": True}, "speed": {"preset": "speed"}}
        for mode in s.get("reader_open_errors") or {}:
            modes.pop(mode, None)
        for mode, options in modes.items():
            opened = self.go(
                "open", id=mode, name=help.wire(name), case_sensitive=sensitive, **options
            )
            if not opened.good:
                bad.append("the peer cannot open as %s: %s" % (mode, opened.text))
        for r in s["reads"]:
            for mode in modes:
                if mode not in r["modes"] or r["op"] == "info" and mode == "speed":
                    continue
                members = {
                    k: r[k] for k in ("text", "input", "kind", "whole_word") if k in r
                }
                answer = self.go(r["op"], id=mode, **members)
                if (
                    r["op"] == "suggest"
                    and self.migrating
                    and answer.good
                    and "ok" in r["result"]
                ):
                    answer["ok"], r["result"]["ok"] = sorted(answer["ok"]), sorted(
                        r["result"]["ok"]
                    )
                complaint = compare_result(r["op"], answer, r["result"])
                if complaint:
                    bad.append(
                        "%s (%s) of %r: %s" % (r["op"], mode, r.get("text"), complaint)
                    )
        self.judge(
            scenario,
            "reads of the peer",
            "; ".join(bad),
            self.answers(self.go, "plain", s) if bad else None,
        )
        for mode in modes:
            self.go("close", id=mode)
        self.program("open", id="r", name=help.wire(name), case_sensitive=sensitive)
        bad = our_reads(self.program, "r", s)
        self.judge(
            scenario,
            "reads of ours",
            "; ".join(bad),
            self.answers(self.program, "r", s) if bad else None,
        )
        self.program("close", id="r")

    @staticmethod
    def answers(program, handle, s):
        """What find gives of each text, and the counts: a deviation of reads."""
        out = {
            r["text"]: program("find", id=handle, text=r["text"])
            for r in s["reads"]
            if r["op"] == "find" and isinstance(r.get("text"), str)
        }
        out = {k: v.value if v.good else {"status": v.status} for k, v in out.items()}
        info = program("info", id=handle)
        out["info"] = (
            {k: info.value[k] for k in ("keywords", "nodes")}
            if info.good
            else {"status": info.status}
        )
        return out


def our_reads(program, handle, s, mode="speed"):
    """Answers of ours that are not those recorded for a mode that goes by keywords."""
    bad = []
    for r in s["reads"]:
        if mode not in r["modes"] or r["op"] in ("suggest", "suggest_index", "info"):
            if r["op"] != "info" or "plain" not in r["modes"]:
                continue
        members = {k: r[k] for k in ("text", "kind", "whole_word") if k in r}
        complaint = compare_result(
            r["op"], program(r["op"], id=handle, **members), r["result"]
        )
        if complaint:
            bad.append("our %s of %r: %s" % (r["op"], r.get("text"), complaint))
    return bad


def shown(content):
    """A stored value as a deviation spells it: versions and fields of ours left out."""
    if isinstance(content, dict):
        return {
            k.decode("utf-8", "replace"): v.decode("utf-8", "replace")
            for k, v in sorted(content.items())
            if k != b"version" and not k.startswith(b"c:")
        }
    if isinstance(content, (set, list)):
        return sorted(x.decode("utf-8", "replace") for x in content)
    return content.decode("utf-8", "replace")


def main():
    tap = begin()
    server = servers.Server()
    replay = Replay(tap, server, load_deviations())
    only = os.environ.get("ONLY")
    for s in load_scenarios():
        if only and s["scenario"] not in only.split(","):
            continue
        why = waiting(s)
        if why:
            tap.skip(s["scenario"], why)
        else:
            replay.run(s)
    tap.equal(replay.program.close(), 0, "the driver ends well")
    replay.go.close()
    if os.environ.get("RECORD"):
        with open(os.environ["RECORD"], "w", encoding="utf-8") as f:
            f.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d in replay.record)
    if not only:
        tap.none(
            sorted(set(replay.deviations) - replay.used), "every deviation noted was met"
        )
    tap.end()


if __name__ == "__main__":
    main()
