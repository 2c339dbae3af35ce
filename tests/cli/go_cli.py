# SPDX-License-Identifier: Apache-2.0
"""What the Go program answered, line by line, on a fresh store of our own:
exit status, standard output, first line of standard error."""
import json
import os
import re
import subprocess
import sys
import tempfile

ACOR = os.environ["ACOR"]
HERE = os.path.dirname(os.path.abspath(__file__))
LATER = ("migrate", "migrate-rollback")
REDIS = ("-addr", "-addrs", "-master-name", "-ring-addrs", "-password", "-db")
count = 0
failed = 0


def report(name, problem=None, skip=None):
    global count, failed
    count += 1
    failed += problem is not None
    print("%s %d - %s%s" % ("not ok" if problem else "ok", count, name, " # SKIP " + skip if skip else ""))
    for line in (problem or "").splitlines():
        print("# " + line)


def lines(name):
    with open(os.path.join(HERE, "data", name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def version():
    header = os.path.join(os.environ["top_srcdir"], "include", "acor", "version.h")
    with open(header, encoding="utf-8") as f:
        return re.search(r'ACOR_VERSION_STRING "(.*)"', f.read()).group(1)


def run(args, stdin, env):
    p = subprocess.run([ACOR] + args, input=stdin.encode(), capture_output=True, env=env)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


def cannot_run(want):
    """Why a line cannot be run yet, or None."""
    args = want["args"]
    later = [a for a in args if a in LATER]
    if later and want["exit"] != 2:
        return later[0] + " comes later"
    if want["exit"] == 2 or "topology" in want["stderr"] or want["stderr"].startswith("redis "):
        return None
    if any(a.split("=")[0] in REDIS for a in args):
        return "needs Redis"
    return None


def compare(want, got):
    status, out, err = got
    problems = []
    if status != want["exit"]:
        problems.append("exit status %d, not %d" % (status, want["exit"]))
    if "stdout" in want and out != want["stdout"]:
        problems.append("standard output %r, not %r" % (out, want["stdout"]))
    first, _, rest = err.partition("\n")
    if "stderr_contains" in want:
        if want["stderr_contains"] not in err:
            problems.append("standard error %r lacks %r" % (err, want["stderr_contains"]))
    elif "stderr" in want:
        usage = want.get("usage_follows", False)
        if usage and want["stderr"] == "":
            first, rest = "", err
        if first != want["stderr"].rstrip("\n"):
            problems.append("standard error begins with %r, not %r" % (first, want["stderr"]))
        if usage and not rest.startswith("Usage:"):
            problems.append("no usage text")
    return "\n".join(problems) or None


def main():
    different = {}
    for line in lines("deviations.jsonl"):
        line["stdout"] = line["stdout"].replace("@VERSION@", version())
        different[json.dumps(line["args"])] = line
    used = set()
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, XDG_DATA_HOME=folder, HOME=folder)
        os.chdir(folder)
        stores = 0
        for want in [{"reset": True}] + lines("cli.jsonl"):
            if want.get("reset"):
                stores += 1
                env["ACOR_URL"] = "sqlite:%s/%d.db" % (folder, stores)
                continue
            check(want, different, used, env)
        for vector in lines("cli-vectors.jsonl"):
            env["ACOR_URL"] = "sqlite:%s/%s.db" % (folder, vector["id"])
            args = vector["options"]["args"]
            want = dict({"stderr": ""} if "stdout" in vector["expected"] else {}, **vector["expected"])
            if "stderr_contains" in want:
                want.pop("stderr", None)
            check(dict(want, args=args), different, used, env, vector["id"] + " ")
    unused = set(different) - used
    report("every deviation is one", "not met: " + ", ".join(sorted(unused)) if unused else None)
    print("1..%d" % count)
    return failed != 0


def check(want, different, used, env, prefix=""):
    args = want["args"]
    name = prefix + " ".join(json.dumps(a, ensure_ascii=False) for a in args)
    name = name.replace("#", "\\#") or "no arguments"
    key = json.dumps(args)
    if key in different:
        used.add(key)
        report(name + ": " + different[key]["reason"], compare(different[key], run(args, "", env)))
        return
    why = cannot_run(dict({"stderr": want.get("stderr_contains", "")}, **want))
    if why:
        report(name, skip=why)
        return
    report(name, compare(want, run(args, want.get("stdin", ""), env)))


sys.exit(main())
