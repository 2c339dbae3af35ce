#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/rtt at 1,000 words: what it counts is what docs/round-trips.md says. Times
are printed and not judged."""

import json
import os
import subprocess
import tempfile

from help import TOP, begin, servers, words

# operation, words -> round trips, most bytes up, most bytes down
WANT = {
    ("add_many of 1,000", 0): (1, 140000, 100),
    ("open and first find", 1000): (1, 600, 15000),
    ("find, unchanged", 1000): (1, 400, 127),
    ("add, current snapshot", 1000): (1, 1024, 100),
    ("remove, current snapshot", 1000): (1, 100000, 100),
    ("add_many of 1,000", 1000): (1, 250000, 100),
}


def program():
    build = os.environ.get("builddir") or os.path.join(TOP, "build-test", "tests")
    return os.path.join(os.path.dirname(os.path.abspath(build)), "bench", "rtt")


def rtt(*args):
    wrapper = os.environ.get("ACOR_TEST_WRAPPER", "").split()
    return subprocess.run(
        wrapper + [program()] + list(args), capture_output=True, text=True, timeout=120
    )


def counts(tap, rows):
    found = {(r["operation"], r["words"]): r for r in rows}
    tap.equal(set(found), set(WANT), "rtt measures what it should")
    for key, (trips, up, down) in WANT.items():
        r = found.get(key, {})
        tap.ok(
            r.get("round_trips") == trips
            and 0 < r["up"] <= up
            and 0 < r["down"] <= down
            and r["repeats"] >= 12,
            "%s at %d words: %d round trip, at most %d bytes up and %d down"
            % (key + (trips, up, down)),
            r,
        )


def main():
    tap = begin()
    server = servers.Server()
    url, client = "redis://" + server.addr, server.client()
    done = rtt(url, "--sizes", "1000", "--json")
    if tap.equal(done.returncode, 0, "rtt runs on an empty database"):
        counts(tap, json.loads(done.stdout))
    else:
        tap.note(done.stderr)
    tap.equal(client("DBSIZE"), 0, "and leaves nothing behind")

    client("SET", "somebody's", "key")
    done = rtt(url, "--sizes", "1000")
    tap.ok(
        done.returncode == 2 and "not empty" in done.stderr and not done.stdout,
        "a database that is not empty is refused",
        done,
    )
    tap.equal(client.dump(), {b"somebody's": ("string", b"key")}, "and stays as it is")

    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("\n".join(words(1050)) + "\n")
        f.flush()
        done = rtt(url, "--force", "--sizes", "50", "--words", f.name)
        tap.ok(
            done.returncode == 0 and "| add, current snapshot | 50 | 1 |" in done.stdout,
            "with --force it runs, with words of one's own, and prints a table",
            done,
        )
        tap.note(done.stdout)
        done = rtt(url, "--force", "--sizes", "51", "--words", f.name)
        tap.ok(
            done.returncode == 2 and "too few words" in done.stderr,
            "too few words are refused",
            done,
        )
    tap.equal(client.dump(), {b"somebody's": ("string", b"key")}, "and others' keys stay")
    done = rtt("redis://127.0.0.1:%d" % servers.free_port(), "--sizes", "1000")
    tap.ok(done.returncode == 2 and "127.0.0.1" in done.stderr, "no server: named", done)
    for bad in (("sqlite:x",), (), (url, "--sizes", "0"), (url, "--what")):
        tap.equal(rtt(*bad).returncode, 2, "refused: rtt %s" % " ".join(bad[-2:]).replace(url, "URL"))
    tap.end()


if __name__ == "__main__":
    main()
