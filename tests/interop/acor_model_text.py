# SPDX-License-Identifier: Apache-2.0
"""What the model of a Go ACOR process knows of text, JSON and matching.

Only the Python standard library is used.
"""
import json
import unicodedata


class AcorError(Exception):
    pass


# Text -----------------------------------------------------------------------

SPACES = frozenset([*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                    0x2028, 0x2029, 0x202F, 0x205F, 0x3000])
# Case pairs newer than Unicode 15.0, which the Go table does not have.
TOO_NEW = frozenset([*range(0x10D50, 0x10D66), 0xA7CB, 0xA7CC, 0xA7DA, 0xA7DC, 0xA7CE, 0xA7D2, 0xA7D4, *range(0x16EA0, 0x16EB9)])
BAD = 0xFFFD


def runes(raw):
    """[(code point, first byte, end byte)], each undecodable byte on its own."""
    out, i, n = [], 0, len(raw)
    while i < n:
        for size in (1, 2, 3, 4):
            try:
                cp = ord(raw[i:i + size].decode("utf-8"))
            except (UnicodeDecodeError, TypeError):
                continue
            out.append((cp, i, i + size))
            i += size
            break
        else:
            out.append((BAD, i, i + 1))
            i += 1
    return out


def lower_rune(cp):
    if cp == 0x130:
        return 0x69
    if cp in TOO_NEW:
        return cp
    low = chr(cp).lower()
    return ord(low) if len(low) == 1 else cp


def lower(raw):
    if raw.isascii():
        return raw.lower()
    return "".join(chr(lower_rune(cp)) for cp, _, _ in runes(raw)).encode("utf-8")


def trim(raw):
    rs = runes(raw)
    lo, hi = 0, len(rs)
    # A lone byte decodes to U+FFFD, which is not white space.
    while lo < hi and rs[lo][0] in SPACES:
        lo += 1
    while hi > lo and rs[hi - 1][0] in SPACES:
        hi -= 1
    return raw[rs[lo][1]:rs[hi - 1][2]] if lo < hi else b""


def is_word(cp):
    c = unicodedata.category(chr(cp))
    return c[0] in "LM" or c == "Nd" or cp == 0x5F


# JSON as Go spells it ---------------------------------------------------------

SHORT = {0x22: '\\"', 0x5C: "\\\\", 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}


def go_string(raw):
    out = ['"']
    for cp, a, b in runes(raw):
        if cp in SHORT:
            out.append(SHORT[cp])
        elif cp < 0x20 or cp in (0x3C, 0x3E, 0x26, 0x2028, 0x2029):
            out.append("\\u%04x" % cp)
        elif cp == BAD and b - a == 1:
            out.append("\\ufffd")
        else:
            out.append(chr(cp))
    return "".join(out) + '"'


def go_array(items):
    return ("[" + ",".join(map(go_string, items)) + "]").encode("utf-8")


def go_object(pairs):
    return ("{" + ",".join(go_string(k) + ":" + go_string(pairs[k]) for k in sorted(pairs)) + "}").encode("utf-8")


def read_array(raw):
    text = "".join(chr(cp) for cp, _, _ in runes(raw))
    try:
        value = json.loads(text)
    except ValueError as e:
        raise AcorError("unmarshal(schema=2): %s" % e)
    if value is None:
        return []
    if not isinstance(value, list) or not all(x is None or isinstance(x, str) for x in value):
        raise AcorError("unmarshal(schema=2): not an array of strings")
    return ["".join("\ufffd" if 0xD800 <= ord(ch) < 0xE000 else ch for ch in x or "").encode("utf-8") for x in value]


def read_version(raw):
    s = raw.strip(b" \t\r\n")
    body = s[1:] if s[:1] == b"-" else s
    if not body.isdigit() or (body[:1] == b"0" and body != b"0"):
        return 0
    n = int(s)
    return n if -2**63 <= n < 2**63 else 0


# Matching ---------------------------------------------------------------------


class Words:
    """All matches by end, longest first. Slow and plain."""

    def __init__(self, keywords):
        self.by_runes = {}
        for kw in keywords:
            if kw:
                self.by_runes[tuple(cp for cp, _, _ in runes(kw))] = kw
        self.lengths = sorted({len(k) for k in self.by_runes}, reverse=True)

    def scan(self, cps):
        for end in range(1, len(cps) + 1):
            for size in self.lengths:
                if size <= end:
                    kw = self.by_runes.get(tuple(cps[end - size:end]))
                    if kw is not None:
                        yield kw, end - size, end

    def states(self):
        return 1 + len({k[:i] for k in self.by_runes for i in range(1, len(k) + 1)})


def split_chunks(cps, size, overlap, boundary):
    def at(i):
        if i <= 0 or i >= len(cps):
            return False
        here, before = cps[i], cps[i - 1]
        if boundary == "line":
            return before == 10
        if boundary == "sentence":
            return before in (46, 33, 63) and here in SPACES
        return here in SPACES and before not in SPACES

    if len(cps) <= size:
        return [(0, cps)]
    out, s = [], 0
    while s < len(cps):
        e = s + size
        if e >= len(cps):
            out.append((s, cps[s:]))
            break
        cut = next((i for i in range(e, max(e - size // 2, 0), -1) if at(i)), e)
        if cut <= s:
            cut = e
        out.append((s, cps[s:cut]))
        s = cut - overlap if cut - overlap > s else cut
    return out
