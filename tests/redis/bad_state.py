#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stored states nobody should leave and servers that will not serve: what can be
healed is healed by the next write, what cannot is a named error that changes
nothing, and every failure comes within the time-out."""

import os
import time

from help import (
    ECORRUPT,
    EINVAL,
    ELIMIT,
    EMODE,
    EOUTCOME,
    EREADONLY,
    EREPLY,
    ESCHEMA,
    ETIMEOUT,
    begin,
    canonical,
    driver,
    faults_of_state,
    keys_of,
    peer,
    servers,
    timed,
)

GOOD_TRIE = {
    "keywords": '["he","she"]',
    "prefixes": '["","h","he","s","sh","she"]',
    "version": "42",
}
GOOD_OUTPUTS = {"he": '["he"]', "she": '["she","he"]'}


class Bench:
    def __init__(self, tap):
        self.tap, self.server = tap, servers.Server()
        self.client, self.listener = self.server.client(), servers.Listener(
            self.server.address
        )
        self.ours = driver(self.server.addr)
        self.n = 0

    def lay(self, trie=(), outputs=(), drop=()):
        """A collection in a state of one's own; a fresh handle on it."""
        self.n += 1
        name = "bad-%d" % self.n
        t, o = (k.decode() for k in keys_of(name.encode()))
        fields = {k: v for k, v in dict(GOOD_TRIE, **dict(trie)).items() if k not in drop}
        self.client("HSET", t, *[x for pair in fields.items() for x in pair])
        states = {
            k: v for k, v in dict(GOOD_OUTPUTS, **dict(outputs)).items() if k not in drop
        }
        if states:
            self.client("HSET", o, *[x for pair in states.items() for x in pair])
        self.ours("open", id="a", name=name, timeout_ms=2000)
        self.listener.take()
        return name.encode()

    def refuses(self, name, title, status, words_in=(), ops=None):
        """Reads and writes fail by name, and nothing changes."""
        before, bad = self.client.dump(), []
        for op, members in ops or (
            ("find", {"text": "she"}),
            ("add", {"keyword": "new"}),
            ("remove", {"keyword": "he"}),
            ("add_many", {"keywords": ["x"]}),
            ("info", {}),
            ("export", {}),
        ):
            answer = self.ours(op, id="a", **members)
            if answer.good or answer.status not in (
                status if isinstance(status, tuple) else (status,)
            ):
                bad.append("%s: %s" % (op, answer))
            elif not all(w in answer.text for w in words_in):
                bad.append("%s does not say %r: %s" % (op, words_in, answer.text))
        if self.client.dump() != before:
            bad.append("the state changed")
        if self.listener.take():
            bad.append("it told somebody")
        self.tap.none(bad, title)

    def heals(self, name, title, keywords=("he", "she")):
        """A write goes through and leaves a sound state."""
        answer = self.ours("add", id="a", keyword="new")
        got = self.ours("export", id="a").value
        bad = faults_of_state(self.client, name)
        if answer.value != 1 or got != list(keywords) + ["new"]:
            bad.append("%s, then %r" % (answer, got))
        go = peer(self.server.addr)
        go("open", id="g", name=name.decode())
        if go("find", id="g", text="new").value != ["new"]:
            bad.append("Go does not find it")
        if go("add", id="g", keyword="by go").value != 1:
            bad.append("Go cannot write any more")
        go.close()
        self.tap.none(bad, title)


def arrays(b):
    for what, value in (
        ("text", "not json"),
        ("an object", '{"a":1}'),
        ("a number", "5"),
        ("a string", '"he"'),
        ("an open array", '["he"'),
        ("a number inside", '["he",5]'),
        ("an array inside", '["he",["she"]]'),
        ("something behind", '["he"] x'),
        ("a broken escape", '["\\u12"]'),
        ("blanks", "  "),
        ("a raw control character", '["a\x01"]'),
        ("two arrays", '["he"]["she"]'),
        ("a comma at the end", '["he",]'),
    ):
        name = b.lay({"keywords": value})
        b.refuses(
            name,
            "keywords are %s: an error that names key and field" % what,
            ECORRUPT,
            (name.decode(), "keywords"),
        )
        before = b.ours("flush", id="a")
        b.tap.ok(
            before.good and not faults_of_state(b.client, name),
            "  flush makes it usable again",
            before,
        )
    for what, value in (
        ("text", "not json"),
        ("an object", "{}"),
        ("null", "null"),
        ("nothing", ""),
        ("an entry short", '["","h","he"]'),
        ("without the root", '["h","he","s","sh","she"]'),
        ("an entry too many", '["","h","he","s","sh","she","q"]'),
        ("twice the same", '["","h","he","s","sh","she","she"]'),
    ):
        name = b.lay({"prefixes": value})
        b.tap.equal(
            b.ours("find", id="a", text="ushe").value,
            ["she", "he"],
            "prefixes are %s: reads go on" % what,
        )
        b.heals(name, "  and the next write repairs them")
    # As long as the right one, but what is cut off to append to it is not the bracket.
    name = b.lay({"prefixes": '["","h","he","s","sh","sh"] '})
    b.ours("add", id="a", keyword="new")
    found = [f for f in faults_of_state(b.client, name) if f.startswith("arrays")]
    b.tap.none(
        found, "prefixes as long, with a blank behind: still an array after an append"
    )
    # Of the same length and wrong: not seen until a removal rewrites the array.
    name = b.lay({"prefixes": '["","h","he","s","sh","shx"]'})
    b.ours("remove", id="a", keyword="he")
    b.tap.none(
        faults_of_state(b.client, name),
        "prefixes with another entry as long: a removal repairs them",
    )
    name = b.lay({"keywords": ""})
    b.heals(name, "keywords are nothing, as if they were missing", ())
    name = b.lay(drop={"prefixes"})
    b.heals(name, "prefixes missing: repaired")
    name = b.lay(drop={"keywords"})
    b.heals(name, "keywords missing: an empty dictionary, written whole", ())
    name = b.lay({"keywords": "null"})
    b.heals(name, "keywords are null: an empty dictionary", ())
    name = b.lay({"keywords": '["she","he","she","he"]'})
    b.heals(name, "duplicates are dropped by the next write", ("she", "he"))
    name = b.lay({"keywords": ' [ "he" , "\\u0073he" ]\n'})
    b.heals(name, "white space and escapes are read")
    name = b.lay({"keywords": '["he","she"]' + " " * 7})
    b.heals(name, "blanks behind the array")
    name = b.lay({"keywords": '["he","",null,"she"]'})
    b.heals(name, "empty entries are dropped by the next write")
    name = b.lay({"keywords": '["\\ud800x","\\ud83d\\ude00"]'})
    b.heals(name, "a lone surrogate is U+FFFD", ("\ufffdx", "\U0001f600"))
    name = b.lay({"keywords": '["\ufeffhe","she "]', "prefixes": '[""]'})
    b.tap.equal(
        b.ours("export", id="a").value,
        ["\ufeffhe", "she "],
        "keywords that were not trimmed are read as they stand",
    )


def outputs(b):
    for what, states, drop in (
        ("a value that is no JSON", {"he": "x"}, ()),
        ("an empty value", {"he": ""}, ()),
        ("a foreign state", {"zz": '["zz"]'}, ()),
        ("a state missing", {}, {"she"}),
        ("an empty array", {"q": "[]"}, ()),
        ("all missing", {}, {"he", "she"}),
    ):
        name = b.lay({}, states, drop)
        b.tap.equal(
            b.ours("find", id="a", text="ushe").value,
            ["she", "he"],
            "outputs with %s: reads go on" % what,
        )
        answer = b.ours("add", id="a", keyword="new")
        bad = faults_of_state(b.client, name)
        # As many states with other content cannot be seen without reading all of them.
        if what in ("a value that is no JSON", "an empty value"):
            bad = [x for x in bad if "outputs of b'he'" not in x]
            b.ours("remove", id="a", keyword="he")
            bad += faults_of_state(b.client, name)
        b.tap.none(
            bad if answer.value == 1 else [answer], "  and the next writes repair them"
        )
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("DEL", keys_of(name)[1])
    b.heals(name, ":outputs evicted under a warm handle: repaired by the next write")
    name = b.lay()
    b.client("PEXPIRE", keys_of(name)[1], 1)
    time.sleep(0.02)
    b.heals(name, ":outputs expired: repaired by the next write")
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("HDEL", keys_of(name)[1], "she")
    b.heals(name, "one state cut out under a warm handle: repaired by the next write")
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("DEL", keys_of(name)[0])
    b.tap.equal(
        b.ours("find", id="a", text="she").value,
        [],
        ":trie evicted under a warm handle: it is empty now",
    )
    b.heals(name, "  the next write leaves a sound state, the old outputs gone", ())
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("DEL", keys_of(name)[0])
    b.heals(name, ":trie evicted, and a warm handle writes without asking", ())
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("HSET", keys_of(name)[0], "keywords", '["he"]')
    answer = b.ours("add", id="a", keyword="new")
    b.tap.ok(
        answer.value == 1
        and b.ours("export", id="a").value == ["he", "new"]
        and not faults_of_state(b.client, name),
        "keywords cut down, version unchanged: an append does not land on it",
        answer,
        faults_of_state(b.client, name),
    )


def versions(b):
    for value in (
        "-5",
        "0",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "007",
        "+5",
        "-0",
        " 5",
        "abc",
        "1.0",
        "1e3",
        '"5"',
        "null",
        "",
        "5\n",
        "9" * 40,
        "v" * 5000,
        "\x00",
        "a b !c",
        "1" * 31 + "x",
        "1" * 32,
        "1" * 33,
    ):
        name = b.lay({"version": value})
        shown = repr(value if len(value) < 42 else value[:8] + "...")
        if len(value) % 2:
            b.ours("find", id="a", text="x")  # half of them with a warm handle
        b.heals(name, "version %s: our write goes through" % shown)
        b.tap.ok(
            canonical(b.client("HGET", keys_of(name)[0], "version")),
            "  and leaves a canonical one",
        )
    name = b.lay(drop={"version"})
    b.heals(name, "version missing: our write goes through")
    a, c = b.lay({"version": "v" * 5000}), None
    b.ours("find", id="a", text="x")
    b.client("HSET", keys_of(a)[0], "version", "v" * 4999 + "w")
    answer = b.ours("add", id="a", keyword="new")
    b.tap.ok(
        answer.value == 1 and not faults_of_state(b.client, a),
        "long versions that differ at the end are told apart",
        answer,
        c,
    )


def types(b):
    makers = (
        ("list", ("RPUSH", "x")),
        ("string", ("SET", "x")),
        ("set", ("SADD", "x")),
        ("sorted set", ("ZADD", "1", "x")),
    )
    for kind, (command, *args) in makers:
        for which, part in ((0, "trie"), (1, "outputs")):
            name = b.lay()
            key = keys_of(name)[which]
            b.client("DEL", key)
            b.client(command, key, *args)
            b.refuses(
                name,
                "a %s where %s should be: an error that names the key" % (kind, part),
                (ESCHEMA, EREPLY),
                (key.decode(),),
            )
    name = b.lay()
    b.ours("find", id="a", text="x")
    b.client("DEL", keys_of(name)[1])
    b.client("RPUSH", keys_of(name)[1], "x")
    b.refuses(
        name,
        "outputs became a list under a warm handle: a write changes nothing",
        (ESCHEMA, EREPLY),
        (keys_of(name)[1].decode(),),
        (("add", {"keyword": "new"}), ("remove", {"keyword": "he"})),
    )


def peak_kb(process):
    with open("/proc/%d/status" % process.p.pid, encoding="ascii") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))


def own_fields(b):
    """What others may have left in the two fields that are ours."""
    for value in ("garbage", "!!!", " ", "1 " * 100000, "%d %s -", "\x00\x01"):
        name = b.lay({"c:recent": value})
        version = b.ours("add", id="a", keyword="new").value
        kept = b.client("HGET", keys_of(name)[0], "c:recent").split()
        stamp = b.client("HGET", keys_of(name)[0], "version")
        b.tap.ok(
            version == 1 and len(kept) <= 64 and kept[-1] == stamp,
            "c:recent %r: a write goes through, and its stamp is there" % value[:10],
            kept[-3:],
        )
    name = b.lay({"c:case": "maybe"})
    b.heals(name, "c:case says nothing known: as if it were not there")
    b.tap.equal(
        b.client("HGET", keys_of(name)[0], "c:case"), b"insensitive", "  and is recorded"
    )
    name = b.lay()
    b.ours("open", id="ro", name=name.decode(), read_only=True)
    before, bad = b.client.dump(), []
    for op, members in (
        ("add", {"keyword": "x"}),
        ("remove", {"keyword": "he"}),
        ("replace_all", {"keywords": []}),
        ("flush", {}),
    ):
        answer = b.ours(op, id="ro", **members)
        if answer.status != EREADONLY or b.client.dump() != before:
            bad.append("%s: %s" % (op, answer))
    b.tap.none(bad, "a handle that was opened to read only refuses every write")
    b.tap.equal(b.ours("cost", id="ro").value["round_trips"], 0, "  and asks nobody")


def limits(b):
    """prefixes takes half the square of a keyword's length; a field takes 512 MB."""
    name = b.lay()
    ours, b.ours = b.ours, driver(b.server.addr)
    try:
        b.ours("open", id="a", name=name.decode())
        before = peak_kb(b.ours)
        for length in (40000, 300000, 2**24):
            shown = format(length, ",")
            answer, took = timed(b.ours, "add", id="a", keyword="k" * length, limit=6)
            b.tap.ok(
                answer.status == ELIMIT
                and "prefixes" in answer.text
                and "536870912" in answer.text,
                "a keyword of %s characters is refused with the limit and the reason"
                % shown,
                answer,
            )
            b.tap.ok(took < 2, "  before the work is done, not after", "%.1f s" % took)
            if b.ours.dead:
                b.ours = driver(b.server.addr)
                b.ours("open", id="a", name=name.decode())
                continue
            used = peak_kb(b.ours) - before
            # A sanitizer keeps up to 256 MB of what was given back.
            most = 200000 + (0 if os.environ.get("SANITIZED", "no") == "no" else 262144)
            b.tap.ok(used < most, "  and without building it", "%d kB" % used)
        b.tap.equal(
            b.client("HGET", keys_of(name)[0], "version"), b"42", "  nothing changed"
        )
        answer, took = timed(
            b.ours, "add_many", id="a", keywords=["fine", "k" * 40000], limit=6
        )
        b.tap.ok(
            answer.status == ELIMIT and took < 2, "the same in a batch", answer, took
        )
        b.heals(name, "and the handle goes on")
        b.ours("open", id="a", name=b.lay().decode())
        answer = b.ours("add", id="a", keyword="k" * (2**24 + 1))
        b.tap.ok(answer.status == ELIMIT, "one over 16 MiB is refused", answer)
        name = b.lay()
        answer, took = timed(b.ours, "add", id="a", keyword="k" * 3000)
        b.tap.ok(
            answer.value == 1 and not faults_of_state(b.client, name) and took < 2,
            "one of 3,000 characters is taken",
            answer,
            took,
        )
        b.ours("open", id="a", name=b.lay().decode(), timeout_ms=5000)
        answer, took = timed(b.ours, "add", id="a", keyword="k" * 20000)
        b.tap.ok(
            (answer.value == 1 or answer.status in (ETIMEOUT, EOUTCOME)) and took < 7,
            "one of 20,000, which is 200 MB of prefixes: taken, or a time-out in time",
            answer,
            took,
        )
    finally:
        b.ours.close()
        b.ours = ours


def names(b):
    ours = b.ours
    for bad in ("}x", "", "a:b", "x" * 70000):
        answer = ours("open", id="n", name=bad)
        b.tap.ok(
            answer.status == EINVAL and "name" in answer.text and len(answer.text) > 20,
            "the name %r is refused at open, with the reason" % bad[:10],
            answer,
        )
    answer = ours("open", id="n", name={"hex": "61ff"})
    b.tap.ok(answer.status in (EINVAL, -2), "a name that is not UTF-8 is refused", answer)
    for good in (
        "a}b",
        "{x}",
        "a{b",
        " my list ",
        "a b*?[c]",
        "\ub9ac\uc2a4\ud2b8",
        "a\nb",
        'q"\\',
    ):
        ours("open", id="n", name=good)
        b.listener.take()
        answer = ours("add", id="n", keyword="word")
        told = b.listener.take()
        b.tap.ok(
            answer.value == 1
            and b.client("EXISTS", b"{" + good.encode() + b"}:trie") == 1
            and [c for c, _ in told] == [b"acor:invalidate:" + good.encode()],
            "the name %r works" % good,
            answer,
            told,
        )


def first_version(b):
    c = b.client
    for i, extra in enumerate(({}, {"root only": True})):
        name = "one-%d" % i
        if not extra:
            c("SADD", "{%s}:keyword" % name, "she", "he")
        c(
            "ZADD",
            "{%s}:prefix" % name,
            0,
            "",
            *([] if extra else [1, "s", 1, "sh", 1, "she", 1, "h", 1, "he"])
        )
        before = c.dump()
        b.ours("open", id="a", name=name)
        got = b.ours("find", id="a", text="ushe")
        b.tap.ok(
            sorted(got.value or []) == ([] if extra else ["he", "she"]),
            "a V1 collection is recognised and read (%s)" % (extra or "two words"),
            got,
        )
        bad = []
        for op, members in (
            ("add", {"keyword": "x"}),
            ("remove", {"keyword": "he"}),
            ("add_many", {"keywords": ["x"]}),
            ("remove_many", {"keywords": ["he"]}),
            ("replace_all", {"keywords": ["x"]}),
            ("replace_all", {"keywords": []}),
            ("flush", {}),
        ):
            for again in ("warm", "cold"):
                if again == "cold":
                    b.ours("open", id="a", name=name)
                answer = b.ours(op, id="a", **members)
                if answer.good or answer.status != EREADONLY or "V1" not in answer.text:
                    bad.append("%s (%s): %s" % (op, again, answer))
        if c.dump() != before:
            bad.append("the keys changed")
        b.tap.none(
            bad,
            "  every write is refused with the reason, and nothing is created beside it",
        )
    # V1 appears under a handle that knew nothing was there.
    b.ours("open", id="late", name="one-late")
    b.ours("find", id="late", text="x")
    c("SADD", "{one-late}:keyword", "she")
    c("ZADD", "{one-late}:prefix", 0, "")
    answer = b.ours("add", id="late", keyword="x")
    b.tap.ok(
        answer.status == EREADONLY and not c("EXISTS", "{one-late}:trie"),
        "one that appears between look and write is not shadowed",
        answer,
    )
    # A V2 collection beside old V1 keys is V2.
    name = b.lay()
    c("SADD", b"{" + name + b"}:keyword", "old")
    b.heals(name, "V2 beside kept V1 keys is V2")


def modes(b):
    c = b.client
    b.ours("open", id="s", name="cased", case_sensitive=True)
    b.ours("add", id="s", keyword="He")
    b.tap.equal(
        c("HGET", "{cased}:trie", "c:case"),
        b"sensitive",
        "the first write records the case mode",
    )
    b.ours("open", id="i", name="cased")
    for op, members in (
        ("find", {"text": "he"}),
        ("add", {"keyword": "x"}),
        ("remove", {"keyword": "he"}),
        ("flush", {}),
        ("info", {}),
        ("replace_all", {"keywords": ["x"]}),
    ):
        answer = b.ours(op, id="i", **members)
        b.tap.ok(answer.status == EMODE, "%s in the other mode is refused" % op, answer)
    b.ours("open", id="x", name="cased", case_sensitive=None)
    b.tap.equal(
        b.ours("find", id="x", text="He he").value,
        ["He"],
        "opened as stored: case-sensitive",
    )
    b.ours("flush", id="s")
    b.tap.equal(c("HGET", "{cased}:trie", "c:case"), b"sensitive", "our flush keeps it")
    name = b.lay(
        {"keywords": '["he","She"]', "prefixes": '["","h","he","S","Sh","She"]'},
        {"She": '["She","he"]'},
        {"she"},
    )
    b.refuses(
        name,
        "an insensitive client may not write where Go stored capitals",
        EMODE,
        (),
        (("add", {"keyword": "x"}), ("remove", {"keyword": "he"})),
    )
    b.tap.equal(
        b.client("HGET", keys_of(name)[0], "c:case"), None, "  and records nothing"
    )
    b.ours("open", id="a", name=name.decode(), case_sensitive=True)
    b.heals(name, "  a sensitive one may", ("he", "She"))


def main():
    tap = begin()
    b = Bench(tap)
    for part in (
        arrays,
        outputs,
        versions,
        types,
        own_fields,
        limits,
        names,
        first_version,
        modes,
    ):
        part(b)
    tap.equal(b.ours.close(), 0, "the client ends well")
    tap.end()


if __name__ == "__main__":
    main()
