#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pybench.py ENGINE DICT TEXT [options]: pyahocorasick (C) or ahocorasick_rs; see README.md.

A timed pass makes the library deliver every match to Python and drops it; counting and the
checksum come after, outside the clock.  Text and keywords are str, as users have them, and
ends are turned back into byte positions for the checksum.  No case folding in either
library: --nocase lower-cases the text inside the timed pass.
"""
import argparse, collections, importlib.metadata, json, sys, time

C1, C2, M = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, (1 << 64) - 1


def rss(key="VmRSS:"):
    for line in open("/proc/self/status"):
        if line.startswith(key):
            return int(line.split()[1]) * 1024
    return 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("engine", choices=["pyahocorasick", "ahocorasick_rs"])
    ap.add_argument("dict")
    ap.add_argument("text")
    ap.add_argument("--messages", action="store_true")
    ap.add_argument("--nocase", action="store_true")
    ap.add_argument("--step", action="store_true")
    ap.add_argument("--mode", default="overlapping")
    ap.add_argument("--repeat", type=int, default=3)
    a = ap.parse_args()
    pats = [p for p in open(a.dict, encoding="utf-8").read().split("\n") if p]
    if a.nocase:
        pats = sorted({p.lower() for p in pats})
    text = open(a.text, encoding="utf-8", newline="").read()
    msgs = [m for m in text.split("\n") if m] if a.messages else [text]
    longest = a.mode == "leftmost-longest"
    lens = [len(p.encode()) for p in pats]
    r0 = rss()
    t = time.thread_time()
    if a.engine == "pyahocorasick":
        import ahocorasick
        eng = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for i, p in enumerate(pats):
            eng.add_word(p, i)
        eng.make_automaton()
        scan = eng.iter_long if longest else eng.iter
        found = lambda m: ((e + 1, i) for e, i in scan(m))
        sink = collections.deque(maxlen=0)
        drain = lambda m: sink.extend(scan(m))
        memory = lambda: eng.get_stats()["total_size"]
    else:
        import ahocorasick_rs
        kind = ahocorasick_rs.MatchKind.LeftmostLongest if longest else ahocorasick_rs.MatchKind.Standard
        eng = ahocorasick_rs.AhoCorasick(pats, matchkind=kind)
        drain = lambda m: eng.find_matches_as_indexes(m, overlapping=not longest)
        found = lambda m: ((e, i) for i, s, e in drain(m))
        memory = lambda: None
    build = time.thread_time() - t
    r1 = rss()

    def one():
        t = time.thread_time()
        if a.nocase:
            for m in msgs:
                drain(m.lower())
        else:
            for m in msgs:
                drain(m)
        return time.thread_time() - t

    best = 1e9
    if a.step:
        print("ready", flush=True)
        for _ in sys.stdin:
            s = min(one() for _ in range(a.repeat))
            best = min(best, s)
            print(f"{s:.9f}", flush=True)
    else:
        best = min(one() for _ in range(a.repeat))
    n = c = size = 0
    for m in msgs:
        raw = m.encode()
        size += len(raw)
        if len(raw) == len(m):
            at = None
        else:
            at = [i for i, b in enumerate(raw) if b & 0xC0 != 0x80] + [len(raw)]
        for e, i in found(m.lower() if a.nocase else m):
            n += 1
            c += ((at[e] if at else e) + C1) * (lens[i] + C2)
    print(json.dumps({"engine": a.engine, "version": importlib.metadata.version(a.engine),
                      "patterns": len(pats), "build_s": round(build, 6), "memory_bytes": memory(),
                      "rss_delta": r1 - r0, "peak_delta": rss("VmHWM:") - r0, "bytes": size,
                      "messages": len(msgs), "seconds_best": best, "gbps": size / best / 1e9,
                      "matches": n, "checksum": f"{c & M:016x}"}))


if __name__ == "__main__":
    main()
