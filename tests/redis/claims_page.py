# SPDX-License-Identifier: Apache-2.0
"""The page of round trips: the Go library's figures, and how the table is set."""

# What the Go library does: round trips, bytes up, bytes down at about 1,000 words
# (recorded through a proxy like this one, release 1.5.2). None: not recorded.
GO = {
    "open, new collection": (2, 383, 324),
    "open, existing collection": (1, 270, 320),
    "find, cold": (1, 35, 37155),
    "find, unchanged": (1, 35, 37155),
    "find_index, unchanged": (1, 35, 37155),
    "find_matches, unchanged": (1, 35, 37155),
    "contains, unchanged": (1, 35, 37155),
    "find, changed elsewhere": (1, 35, 37155),
    "find, empty text": (0, 0, 0),
    "info": (1, 31, 85690),
    "add, current snapshot": (3, 117764, 85698),
    "add, nothing known": (3, 117764, 85698),
    "add, script unknown to the server": (4, None, None),
    "add, word already there": (1, 31, 85925),
    "add, blank": (0, 0, 0),
    "add_many of 1,000, current snapshot": (3, 229180, 85933),
    "add_many of 1,000, nothing known": (3, 229180, 85933),
    "add_many of 1,000, all there": (1, 31, 164731),
    "add_many into an empty collection": (3, None, None),
    "remove, current snapshot": (3, 229014, 164739),
    "remove, nothing known": (3, 229014, 164739),
    "remove, word not there": (1, 31, 164600),
    "remove_many of 1,000": (3, 117738, 164608),
    "flush": (2, 288, 39),
    "add, one lost race": (5, None, None),
}
# The same at 100,000 words: bytes up and down.
GO_BIG = {
    "find, cold": (35, 7505408),
    "find, unchanged": (35, 7505408),
    "find_index, unchanged": (35, 7505408),
    "find_matches, unchanged": (35, 7505408),
    "contains, unchanged": (35, 7505408),
    "find, changed elsewhere": (35, 7505408),
    "find, empty text": (0, 0),
    "info": (31, 5840463),
    "add, current snapshot": (12468991, 5840471),
    "add, nothing known": (12468991, 5840471),
    "add, word already there": (31, 5840550),
    "add, blank": (0, 0),
    "add_many of 1,000, current snapshot": (12591723, 5840558),
    "add_many of 1,000, nothing known": (12591723, 5840558),
    "add_many of 1,000, all there": (31, 5889992),
    "remove, word not there": (31, 5889992),
    "flush": (288, 39),
}
HEAD = """# Round trips and bytes, Redis V2

Printed by `make round-trips` from what `tests/redis/claims.py` counted. Each line was
counted three ways: by `acor_cost_get()`, by a proxy between library and server, and by
the server itself. Beside it the Go library's release 1.5.2, counted by a proxy too, at
about 1,000 and at 100,000 English words; a dash where that was not recorded. The
handshake (AUTH, SELECT) is left out on both sides. Our words have 10 letters.

| operation | words | round trips | up | down | Go: round trips | Go: up | Go: down |
|---|---|---|---|---|---|---|---|"""

TAIL = """
## What one added word costs the server

Mean of ten adds of a word of 10 letters with a current snapshot. The appended word is
small on the wire; the server still writes both arrays anew, and so do its log and its
replicas, which are sent the script's effects.

| words | server time, ms | with AOF and replica | AOF bytes | bytes to a replica |
|---|---|---|---|---|"""

TIMES = """
## Times, as ratios

Printed by `bench/rtt` in the same run: the best of so many calls, as a multiple of the
fastest PING on a plain connection at the same time, and of the server's own time for
that call (its command statistics; a dash where that is a few microseconds). To measure
another server, with words of one's own: `bench/rtt URL --words FILE`. Opening includes
the connection; what is opened has the collection on the server and builds its engine.

| operation | words | in PINGs | in the server's own time | server, ms | best of |
|---|---|---|---|---|---|"""

GO_TIMES = """
For scale, the Go library's own times, recorded once on a shared machine, in milliseconds
at 1,000, 10,000 and 100,000 English words: add of one word 11, 158, 1,355; add_many of
1,000 words 21, 166, 1,386, and 12 into an empty collection; open and first find 15, 158,
771 with its preset for speed. They are not from the run above, so only their growth
compares.
"""


def page(rows, measured, times=()):
    out = HEAD.splitlines()

    def number(x):
        return "–" if x is None else format(x, ",")

    done = set()
    for title, size, trips, up, down, go in rows:
        if (title, size) in done:
            continue
        done.add((title, size))
        if go and size == "100,000":
            go = (go[0],) + GO_BIG.get(title, (None, None))
        elif not go or size not in (None, "1,000"):
            go = (go[0] if go else None, None, None)
        out.append(
            "| %s |"
            % " | ".join(
                [title, size or "–", str(trips), number(up), number(down)]
                + [number(x) for x in go]
            )
        )
    out += TAIL.splitlines()
    for size, usec, logged, aof, repl in measured:
        out.append(
            "| %s | %.2f | %.2f | %s | %s |"
            % (
                format(size, ","),
                usec / 1000,
                logged / 1000,
                format(aof, ","),
                format(repl, ","),
            )
        )
    if times:
        out += TIMES.splitlines()
    for r in times:
        own = r["of_server"]
        out.append(
            "| %s | %s | %s | %s | %.2f | %d |"
            % (
                r["operation"],
                format(r["words"], ","),
                format(round(r["pings"], 1 if r["pings"] < 100 else None), ","),
                "–" if own is None else "%.1f" % own,
                r["server_us"] / 1000,
                r["repeats"],
            )
        )
    return "\n".join(out) + "\n" + (GO_TIMES if times else "")
