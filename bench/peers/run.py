#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the peer benchmark: every engine of a cell built once, then timed in turn, round by round.

    run.py CACHE [--quick] [--ours NAME=CMD ...] [--only REGEX] [--core N] [--json FILE] [--cli]

CACHE is the folder that make-data.py and build.sh filled.  CMD is a program with the protocol
of README.md, arguments of its own allowed, e.g. --ours 'speed=./acor-bench --engine speed'.
Programs that do not know --step are simply started once a round.  Prints a Markdown table
(best of all rounds, its ratio to the best peer, and the median of the rounds' ratios), checks
that all counts and checksums of a cell agree, and exits 1 where they do not or ours failed.
"""
import argparse, json, os, re, select, shlex, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
RS = ["ac-dfa", "ac-cnfa", "daac", "daac-nopf"]
HS = ["hyperscan", "vectorscan", "vectorscan-new"]
PY = ["pyahocorasick"]

# name, dictionary, text, engines, options, in the quick run
CELLS = [
    ("5 names", "en5", "en", RS + HS + PY, [], False),
    ("100 words", "en100", "en", RS + ["ac-nnfa"] + HS + PY, [], True),
    ("5k words", "en5k", "en", RS + ["ac-nnfa", "daac-pgo"] + HS + PY, [], False),
    ("15k words", "en15k", "en", RS + ["ac-nnfa", "daac-pgo"] + HS + PY, [], True),
    ("43k words", "en43k", "en", RS + HS + PY, [], False),
    ("128k words, dense", "en128k", "en", RS + ["ac-nnfa", "daac-pgo"] + HS + PY, [], True),
    ("656k words, dense", "en656k", "en", ["ac-dfa", "ac-cnfa", "daac", "daac-nopf", "hyperscan", "vectorscan-new"] + PY, [], False),
    ("121k domains, prose", "domains", "en", RS + HS + PY, [], False),
    ("121k domains, mail log", "domains", "mail", RS + HS + PY, [], True),
    ("1M Polish, Polish", "pl1m", "pl", ["ac-cnfa", "daac", "daac-nopf", "daacc", "hyperscan"] + PY, [], False),
    ("1M random, prose", "rand1m", "en", ["ac-cnfa", "daac", "daac-nopf", "hyperscan"] + PY, [], False),
    ("337k Chinese, Chinese", "zh337k", "zh", ["ac-cnfa", "daac", "daacc", "daacc-nopf", "hyperscan", "vectorscan-new"] + PY, [], True),
    ("146k Russian, Russian", "ru146k", "ru", ["ac-cnfa", "daac", "daacc", "daacc-nopf", "hyperscan", "vectorscan-new"] + PY, [], False),
    ("15k words, one letter", "en15k", "adv-one", RS + HS, [], False),
    ("15k words, all keywords", "en15k", "adv-kw", RS + HS, [], False),
    ("15k words, all near misses", "en15k", "adv-miss", RS + HS, [], False),
    ("64 nested a..a, 64 matches/byte", "deep", "deep", RS + HS, [], False),
    ("15k words, ignoring case", "en15k", "en", RS + HS, ["--nocase"], False),
    ("5 names, leftmost-longest", "en5", "en", RS, ["--mode", "leftmost-longest"], False),
    ("15k words, leftmost-longest", "en15k", "en", RS, ["--mode", "leftmost-longest"], False),
    ("128k dense, leftmost-longest", "en128k", "en", RS, ["--mode", "leftmost-longest"], False),
    ("337k Chinese, leftmost-longest", "zh337k", "zh", ["ac-cnfa", "daac", "daacc"], ["--mode", "leftmost-longest"], False),
    ("messages, 1k", "w1k", "msg-en", RS + HS + PY, ["--messages"], False),
    ("messages, 10k", "w10k", "msg-en", RS + HS + PY, ["--messages"], True),
    ("messages, 100k", "w100k", "msg-en", RS + HS + PY, ["--messages"], False),
    ("64 KB messages, 1k", "w1k", "msg-64k", RS + HS + PY, ["--messages", "--repeat", "30"], False),
    ("64 KB messages, 10k", "w10k", "msg-64k", RS + HS + PY, ["--messages", "--repeat", "30"], False),
    ("64 KB messages, 100k", "w100k", "msg-64k", RS + HS + PY, ["--messages", "--repeat", "30"], False),
    ("16-byte messages, 10k", "w10k", "msg-16", RS + HS + PY, ["--messages"], False),
    ("Chinese messages, 10k", "zh10k", "msg-zh", RS + ["daacc"] + HS + PY, ["--messages"], False),
]


class Engine:
    """One engine's process in one cell: build, then one timed step on demand."""

    def __init__(self, name, cmd, args, core, ours):
        self.name, self.ours, self.times, self.result, self.dead = name, ours, [], None, None
        self.cmd = ["taskset", "-c", str(core)] + cmd + args
        self.plain = False
        self.p = None

    def line(self, limit):
        """One line of the program's output, or None after limit seconds."""
        end = time.monotonic() + limit
        while b"\n" not in self.buf:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.p.stdout], [], [], left)[0]:
                return None
            got = os.read(self.p.stdout.fileno(), 65536)
            if not got:
                return self.buf.decode() or None
            self.buf += got
        line, self.buf = self.buf.split(b"\n", 1)
        return line.decode()

    def start(self, limit):
        self.buf = b""
        self.p = subprocess.Popen(self.cmd + ([] if self.plain else ["--step"]), stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        first = self.line(limit)
        if first == "ready":
            return
        if first and first.startswith("{") and not self.plain:     # does not know --step
            self.plain = True
            self.stop()
            return
        self.stop()
        err = self.p.stderr.read().decode(errors="replace").strip().split("\n")[-1]
        self.dead = err[:90] or f"no answer in {limit:.0f} s"

    def step(self, limit):
        if self.plain:
            out = subprocess.run(self.cmd, capture_output=True, timeout=limit)
            self.result = json.loads(out.stdout)
            self.times.append(self.result["seconds_best"])
            return
        try:
            self.p.stdin.write(b"\n")
            line = self.line(limit)
        except BrokenPipeError:
            line = None
        if line is None:
            self.dead = "failed or too slow in a pass"
            self.stop()
        else:
            self.times.append(float(line))

    def finish(self, limit):
        if self.p and not self.plain and not self.dead:
            self.p.stdin.close()
            line = self.line(limit)
            if line:
                self.result = json.loads(line)
            else:
                self.dead = "no result"
        self.stop()

    def stop(self):
        if self.p and self.p.poll() is None:
            self.p.kill()
        if self.p:
            self.p.wait()


def command(name, cache):
    if name in HS:
        os.makedirs(f"{cache}/hsdb", exist_ok=True)
        return [f"{cache}/bin/{name}"], ["--db-cache", f"{cache}/hsdb"]
    if name in PY or name == "ahocorasick_rs":
        return [f"{cache}/venv/bin/python", f"{HERE}/pybench.py", name], []
    more = ["--corpus", f"{cache}/en-train.txt"] if name == "daac-pgo" else []
    return [f"{cache}/bin/rs-bench", name], more


def run_cell(cell, a, ours, budget):
    name, dic, txt, names, opts, _ = cell
    opts = list(opts)
    if "--repeat" not in opts:
        opts += ["--repeat", "1"]
    base = [f"{a.cache}/{dic}.dic", f"{a.cache}/{txt}.txt"] + opts
    engines = []
    for n in names:
        cmd, more = command(n, a.cache)
        if a.quick and n in PY + ["ac-nnfa", "daac-nopf", "daacc-nopf", "vectorscan"]:
            continue                              # never the best peer: more rounds for the others
        if os.path.exists(cmd[0]) and not (a.skip and re.search(a.skip, n)):
            engines.append(Engine(n, cmd, base + more, a.core, False))
    engines += [Engine(n, shlex.split(c), list(base), a.core, True) for n, c in ours]
    for e in engines:
        e.start(a.build_limit)
    t0, rounds = time.monotonic(), 0
    while rounds < 3 or (rounds < a.rounds and time.monotonic() - t0 < budget):
        order = engines[rounds % len(engines):] + engines[:rounds % len(engines)]
        for e in order:
            # One pass of a very slow engine, three of a slow one will do.
            slow = min(e.times, default=0) > (0.1 if rounds < 3 else 0.04) * budget
            if not e.dead and (e.ours or not slow):
                e.step(120)
        rounds += 1
    for e in engines:
        e.finish(120)
    return engines, rounds


def judge(engines):
    """Engines whose count or checksum differs from the majority's."""
    got = {}
    for e in engines:
        if e.result:
            got.setdefault((e.result["matches"], e.result.get("checksum")), []).append(e.name)
    if len(got) < 2:
        return []
    best = max(got.values(), key=len)
    return [n for names in got.values() if names is not best for n in names]


def unit(n):
    return "-" if n is None else f"{n / 1048576:.1f} MB" if n >= 104858 else f"{n / 1024:.1f} KB"


def build(s):
    return f"{s:.1f} s" if s >= 10 else f"{s:.2f} s" if s >= 0.1 else f"{1000 * s:.1f} ms"


def report(cell, engines, rounds, out):
    ok = [e for e in engines if e.result and e.times]
    bad = judge(engines)
    peers = [e for e in ok if not e.ours]
    top = min(peers or ok, key=lambda e: min(e.times), default=None)
    msgs = "--messages" in cell[4]
    if ok:
        r = ok[0].result
        per = f"{r['matches'] / r['messages']:.2f} a message" if msgs else f"{r['matches'] / r['bytes']:.5f}/byte"
        print(f"\n### {cell[0]}\n\n{r['patterns']} keywords, {r['bytes'] / 1e6:.1f} MB, {r['matches']} matches ({per}), "
              f"{rounds} rounds{', DISAGREEMENT: ' + ', '.join(bad) if bad else ''}\n")
    print("| engine | GB/s |" + (" ns/message |" if msgs else "") + " to best peer | median | memory | B/keyword | RSS | peak build | build |")
    print("|---|---|" + ("---|" if msgs else "") + "---|---|---|---|---|---|---|")
    for e in sorted(ok, key=lambda e: min(e.times)):
        r, best = e.result, min(e.times)
        pairs = [t / o for t, o in zip(top.times, e.times)]
        ratio = f"{min(top.times) / best:.2f} | {statistics.median(pairs):.2f}"
        ns = f" {1e9 * best / r['messages']:.0f} |" if msgs else ""
        mem = r["memory_bytes"]
        each = f"{mem / r['patterns']:.1f}" if mem else "-"
        mark = "**" if e is top else ""
        print(f"| {e.name} {r['version']} | {mark}{r['bytes'] / best / 1e9:.3f}{mark} |{ns} {ratio} | {unit(mem)} | {each} | "
              f"{unit(r.get('rss_delta'))} | {unit(r.get('peak_delta'))} | {build(r['build_s'])} |")
    for e in engines:
        if e.dead:
            print(f"| {e.name} | {e.dead} |")
    sys.stdout.flush()
    out.append({"cell": cell[0], "dict": cell[1], "text": cell[2], "options": cell[4], "rounds": rounds,
                "disagree": bad, "best_peer": top.name if top else None,
                "engines": [{**e.result, "engine": e.name, "ours": e.ours, "seconds_best": min(e.times),
                             "gbps": e.result["bytes"] / min(e.times) / 1e9, "times": e.times} for e in ok],
                "failed": {e.name: e.dead for e in engines if e.dead}})
    return not bad


def summary(out, ours):
    print("\n## Summary (GB/s, best of all rounds; best peer bold)\n")
    cols = ["ac-dfa", "ac-cnfa", "daac", "daac-nopf", "daacc", "hyperscan", "vectorscan", "vectorscan-new",
            "pyahocorasick"] + [n for n, _ in ours]
    print("| cell | matches/byte | " + " | ".join(cols) + " |\n|---|---|" + "---|" * len(cols))
    for c in out:
        by = {e["engine"]: e for e in c["engines"]}
        if not by:
            continue
        any_ = next(iter(by.values()))
        row = []
        for n in cols:
            g = by.get(n)
            s = f"{g['gbps']:.3f}" if g else "-"
            row.append(f"**{s}**" if n == c["best_peer"] else s)
        print(f"| {c['cell']} | {any_['matches'] / any_['bytes']:.5f} | " + " | ".join(row) + " |")


def cli(a):
    """What users would pick today: whole commands, dictionary loading included."""
    print("\n## Command line tools: seconds for the whole command, 32 MB, best of 3\n")
    print("| keywords | text | command | seconds | output |\n|---|---|---|---|---|")
    tools = [("rg -c", "rg -a -c -F -f {d} {t}"), ("rg --count-matches", "rg -a --count-matches -F -f {d} {t}"),
             ("grep -c", "grep -a -c -F -f {d} {t}"), ("grep -o | wc -l", "grep -a -o -F -f {d} {t} | wc -l")]
    tools += [tuple(x.split("=", 1)) for x in a.extra_cli]
    for d, t in [("en100", "en"), ("en15k", "en"), ("en128k", "en"), ("domains", "mail"), ("zh337k", "zh")]:
        for name, tool in tools:
            cmd = tool.format(d=shlex.quote(f"{a.cache}/{d}.dic"), t=shlex.quote(f"{a.cache}/{t}.txt"))
            best, text = 1e9, ""
            for _ in range(3):
                t0 = time.monotonic()
                try:
                    r = subprocess.run(["taskset", "-c", str(a.core), "sh", "-c", "LC_ALL=C exec " + cmd if "|" not in cmd else "export LC_ALL=C; " + cmd],
                                       capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
                    text = r.stdout.decode().strip() or r.stderr.decode().strip()[:60]
                except subprocess.TimeoutExpired:
                    text = "over 60 s"
                    break
                best = min(best, time.monotonic() - t0)
                if best > 5:
                    break
            print(f"| {d} | {t} | {name} | {'-' if best == 1e9 else f'{best:.2f}'} | {text} |", flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("cache")
    ap.add_argument("--quick", action="store_true", help="6 cells, likely best peers only, under 3 minutes")
    ap.add_argument("--ours", action="append", default=[], metavar="NAME=CMD")
    ap.add_argument("--only", help="cells whose name matches this regular expression")
    ap.add_argument("--skip", help="peers to leave out, a regular expression")
    ap.add_argument("--core", type=int, default=1)
    ap.add_argument("--rounds", type=int, default=15, help="most rounds in a cell")
    ap.add_argument("--budget", type=float, help="seconds of rounds in a cell")
    ap.add_argument("--build-limit", type=float, default=200, help="seconds an engine may take to build")
    ap.add_argument("--json", help="write all results here")
    ap.add_argument("--cli", action="store_true", help="also time grep and ripgrep")
    ap.add_argument("--extra-cli", action="append", default=[], metavar="NAME=CMD", help="with {d} and {t} for the two files")
    a = ap.parse_args()
    a.cache = os.path.abspath(a.cache)
    ours = [tuple(o.split("=", 1)) for o in a.ours]
    budget = a.budget or (12 if a.quick else 20)
    cells = [c for c in CELLS if (not a.quick or c[5]) and (not a.only or re.search(a.only, c[0]))]
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    t0, out, good = time.monotonic(), [], True
    print(f"# Peer benchmark, {time.strftime('%Y-%m-%d %H:%M')}, {model}, core {a.core}")
    for c in cells:
        engines, rounds = run_cell(c, a, ours, budget)
        good &= report(c, engines, rounds, out) and not any(e.ours and e.dead for e in engines)
        if a.json:
            with open(a.json, "w") as f:
                json.dump(out, f, indent=1)
    summary(out, ours)
    if a.cli:
        cli(a)
    print(f"\n{time.monotonic() - t0:.0f} s in all; {'counts and checksums agree' if good else 'FAILED: see above'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
