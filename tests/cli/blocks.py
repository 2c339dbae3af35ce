# SPDX-License-Identifier: Apache-2.0
"""Generated lines and keywords: the program, which scans whole blocks, against
a plain search of each line, and against itself line by line."""
import json
import os
import random
import subprocess
import sys

ACOR = os.environ["ACOR"]
count = 0
failed = 0


def ok(good, name, detail=""):
    global count, failed
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, name))
    if not good:
        print("# " + detail.replace("\n", "\n# "))


def matches(line, words):
    """Every occurrence: (start, end), by end, the longest first."""
    found = []
    for end in range(1, len(line) + 1):
        for start in range(end):
            if line[start:end] in words:
                found.append((start, end))
    return found


def leftmost(found):
    kept = []
    for start, end in sorted(found, key=lambda m: (m[0], -m[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def run(args, data):
    p = subprocess.run([ACOR] + args, input=data, capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")


def records(data, words, overlapping):
    out = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.endswith(b"\r"):
            line = line[:-1]
        found = matches(line.lower(), words)
        for start, end in found if overlapping else leftmost(found):
            out.append((number, start, end))
    return out


def one(rng, case):
    letters = rng.choice([b"ab", b"abc", b"abcdefgh ", b"a\r b"])
    words = set()
    for _ in range(rng.randint(1, 12)):
        word = bytes(rng.choice(letters) for _ in range(rng.randint(1, 6))).strip()
        if word:
            words.add(word)
    lines = []
    for _ in range(rng.randint(0, 40)):
        line = bytes(rng.choice(letters + letters.upper()) for _ in range(rng.randint(0, 30)))
        lines.append(line + rng.choice([b"\n", b"\n", b"\r\n"]))
    data = b"".join(lines)
    if rng.random() < 0.5:
        data = data[:-1]
    keys = []
    for word in sorted(words):
        keys += ["-e", word.decode()]
    slow = keys + ["-e", "never\nfound"]
    for flags in (["--json"], ["--json", "--overlapping"]):
        status, out, err = run(["filter"] + flags + keys, data)
        got = []
        for text in out.decode().splitlines():
            r = json.loads(text)
            got.append((r["line"], r["byte_start"], r["byte_end"]))
            if (r["start"], r["end"]) != (r["byte_start"], r["byte_end"]):
                return "code points: " + text
        want = records(data, words, len(flags) == 2)
        if got != want or err or status != (0 if want else 1):
            return "%r %r: %r, not %r %s" % (flags, (words, data), got, want, err)
    for flags in ([], ["-n"], ["-v"], ["-vn"], ["-c"], ["-vc"], ["-o"], ["-on", "-w"], ["-w"], ["-q"],
                  ["-qv"], ["--json", "-w"], ["-o", "--overlapping"]):
        fast_answer = run(["filter"] + flags + keys, data)
        slow_answer = run(["filter"] + flags + slow, data)
        if fast_answer != slow_answer:
            return "%r %r: %r, line by line %r" % (flags, (words, data), fast_answer, slow_answer)
    return None


def small_cases(rng, rounds):
    for case in range(rounds):
        why = one(rng, case)
        if why:
            return why
    return None


def big_case(rng):
    """Lines over many blocks, so that they are cut everywhere."""
    words = [b"needle", b"pin", b"pins", b"hay stack"]
    lines = []
    for number in range(20000):
        text = bytes(rng.choice(b"abcdefghij ") for _ in range(rng.randint(0, 40)))
        if rng.random() < 0.05:
            text += rng.choice(words) + b" " + rng.choice(words)
        lines.append(text)
    data = b"\n".join(lines)
    keys = []
    for word in words:
        keys += ["-e", word.decode()]
    hits = [n for n, line in enumerate(lines, 1) if any(w in line for w in words)]
    status, out, err = run(["filter", "-n"] + keys, data)
    want = b"".join(b"%d:%s\n" % (n, lines[n - 1]) for n in hits)
    if (status, out, err) != (0, want, ""):
        return "-n differs: %d bytes, not %d %s" % (len(out), len(want), err)
    status, out, err = run(["filter", "-v"] + keys, data)
    gone = set(hits)
    want = b"".join(line + b"\n" for n, line in enumerate(lines, 1) if n not in gone)
    if out != want:
        return "-v differs: %d bytes, not %d" % (len(out), len(want))
    for flags in (["-o"], ["--json"], ["-c"], ["-vn"]):
        if run(["filter"] + flags + keys, data) != run(["filter"] + flags + keys + ["-e", "a\nb"], data):
            return "%r differs line by line" % flags
    return None


def main():
    rounds = int(sys.argv[1])
    rng = random.Random(20)
    why = small_cases(rng, rounds)
    ok(why is None, "%d generated texts: blocks, lines and a plain search agree" % rounds, why or "")
    why = big_case(rng)
    ok(why is None, "lines cut at the ends of blocks", why or "")
    print("1..%d" % count)
    return failed != 0


sys.exit(main())
