#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a text for measurements: gen-text.py WORDLIST BYTES SEED > out

Lines of about 60 to 100 bytes, mixing words of the list (as they are, with a
capital, in capitals) with made-up ones, in sentences. The same arguments give
the same bytes.
"""
import random
import sys

ONSETS = ["b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l",
          "m", "n", "p", "pl", "qu", "r", "s", "sh", "st", "t", "tr", "v", "w", "z"]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "oo", "ou", "y"]
CODAS = ["", "", "", "n", "r", "s", "t", "ck", "ld", "mp", "ng", "nt", "rk", "x"]


def made_up(rng):
    """A word that looks like one and mostly is none."""
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS)
                   for _ in range(rng.choice((1, 2, 2, 3))))


def a_word(rng, words):
    """One word, in one of the forms texts have them in."""
    kind = rng.random()
    if kind < 0.3:
        return made_up(rng)
    if kind < 0.33:
        return str(rng.randrange(10000))
    word = rng.choice(words)
    if kind < 0.45:
        return word[:1].upper() + word[1:]
    if kind < 0.48:
        return word.upper()
    return word


def lines(rng, words):
    """Lines without end."""
    left = 0  # words until the sentence ends
    while True:
        line = ""
        goal = rng.randint(60, 92)
        while len(line) < goal:
            word = a_word(rng, words)
            if left == 0:
                left = rng.randint(5, 18)
                word = word[:1].upper() + word[1:]
            left -= 1
            if left == 0:
                word += rng.choice(".....?!")
            elif rng.random() < 0.08:
                word += ","
            line += (" " if line else "") + word
        yield line + "\n"


def main(argv):
    if len(argv) != 4 or not argv[2].isdigit() or not argv[3].isdigit():
        sys.exit("usage: gen-text.py WORDLIST BYTES SEED > out")
    with open(argv[1], encoding="utf-8", errors="replace") as f:
        words = [w for w in (line.strip() for line in f) if w]
    if not words:
        sys.exit("gen-text.py: %s: no words" % argv[1])
    left = int(argv[2])
    out = sys.stdout.buffer
    for line in lines(random.Random(int(argv[3])), words):
        data = line.encode()
        if len(data) > left:
            break
        out.write(data)
        left -= len(data)
    out.flush()


if __name__ == "__main__":
    main(sys.argv)
