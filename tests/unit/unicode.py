# SPDX-License-Identifier: Apache-2.0
"""Compare "CP LOWER WORD SPACE" lines on standard input with a folder of
Unicode files; the exit status is 1 if any differs or is missing."""
import sys


def ranges(path, wanted):
    """The code points of a "first..last ; value # ..." file with these values."""
    found = set()
    with open(path, encoding="utf-8") as f:
        for line in f:
            part = line.split("#")[0].split(";")
            if len(part) == 2 and part[1].strip() in wanted:
                ends = part[0].strip().split("..")
                found.update(range(int(ends[0], 16), int(ends[-1], 16) + 1))
    return found


def main(folder):
    word = ranges(folder + "/extracted/DerivedGeneralCategory.txt",
                  {"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Mn", "Mc", "Me"}) | {ord("_")}
    space = ranges(folder + "/PropList.txt", {"White_Space"})
    lower = {}
    with open(folder + "/UnicodeData.txt", encoding="ascii") as f:
        for line in f:
            part = line.split(";")
            lower[int(part[0], 16)] = int(part[13] or part[0], 16)
    wrong = 0
    expected = 0
    for line in sys.stdin:
        cp, low, is_word, is_space = (int(x, 16) for x in line.split())
        want = (expected, lower.get(cp, cp), int(cp in word), int(cp in space))
        if (cp, low, is_word, is_space) != want:
            print("# U+%04X: lower U+%04X, word %d, space %d; by the files %r"
                  % (cp, low, is_word, is_space, want))
            wrong += 1
        expected += 1
    if expected != 0x110000:
        print("# %d lines" % expected)
    return wrong > 0 or expected != 0x110000


sys.exit(main(sys.argv[1]))
