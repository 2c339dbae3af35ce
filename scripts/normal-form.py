#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reading of the text rules, for measurements: standard input
trimmed (with --keywords: blank lines and repeated ones left out) and in lower
case, code point by code point.
"""
import sys


def lower(char):
    """The simple mapping: one code point to one."""
    small = char.lower()
    return small if len(small) == 1 else small[0] if char == "\u0130" else char


def main():
    table = {i: lower(chr(i)) for i in range(0x110000)
             if not 0xD800 <= i < 0xE000 and lower(chr(i)) != chr(i)}
    sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if "--keywords" in sys.argv:
        words = (line.strip().translate(table) for line in sys.stdin)
        sys.stdout.writelines(w + "\n" for w in dict.fromkeys(words) if w)
    else:
        sys.stdout.writelines(line.translate(table) for line in sys.stdin)


if __name__ == "__main__":
    main()
