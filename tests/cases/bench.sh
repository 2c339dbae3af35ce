#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmark program counts what a brute-force search in Python counts, in
# every mode: matches and the order-independent checksum.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/../meta/tap.sh"

bench=$top_builddir/bench/acor-bench
if [ -z "$PYTHON3" ]; then
    skip_all "no python3"
fi

cat >"$tmp/dict" <<'EOF'
he
she
his
hers
a
aa
aaa
Straße
中文
文字
EOF
printf '%s\n' 'ushers and his aaaa sHE' '' 'HERS straße Straße' '中文字中文 he' 'tail' >"$tmp/text"

cat >"$tmp/count.py" <<'EOF'
# SPDX-License-Identifier: Apache-2.0
import sys
dict_path, text_path, *options = sys.argv[1:]
nocase, longest = "nocase" in options, "longest" in options
fold = (lambda b: bytes(c | 32 if 65 <= c <= 90 else c for c in b)) if nocase else (lambda b: b)
words = {fold(w) for w in open(dict_path, "rb").read().split(b"\n") if w}
text = fold(open(text_path, "rb").read())
parts = [m for m in text.split(b"\n") if m] if "messages" in options else [text]
n = total = 0
for p in parts:
    found = [(s, s + len(w)) for w in words for s in range(len(p)) if p.startswith(w, s)]
    if longest:
        kept, free = [], 0
        for s, e in sorted(found, key=lambda m: (m[0], -m[1])):
            if s >= free:
                kept.append((s, e))
                free = e
        found = kept
    for s, e in found:
        n += 1
        total += (e + 0x9E3779B97F4A7C15) * (e - s + 0xC2B2AE3D27D4EB4F)
print(n, "%016x" % (total % (1 << 64)))
EOF

# agree NAME COUNT-OPTIONS BENCH-OPTIONS...
agree() {
    name=$1 options=$2
    shift 2
    # shellcheck disable=SC2086
    "$PYTHON3" "$tmp/count.py" "$tmp/dict" "$tmp/text" $options >"$tmp/want"
    "$bench" "$tmp/dict" "$tmp/text" "$@" --repeat 2 </dev/null >"$tmp/out" 2>&1
    sed -n 's/.*"matches":\([0-9]*\),"checksum":"\([0-9a-f]*\)".*/\1 \2/p' "$tmp/out" >"$tmp/got"
    diff "$tmp/want" "$tmp/got" >"$tmp/bad" || cat "$tmp/out" >>"$tmp/bad"
    quiet "$name" "$tmp/bad"
}

agree "whole text" "" --engine speed
agree "ignoring case" "nocase" --nocase --engine balanced
agree "line by line" "messages" --messages --engine memory
agree "leftmost-longest" "longest" --mode leftmost-longest --serial
agree "all at once" "messages nocase longest" --messages --nocase --mode leftmost-longest

# The stepping protocol: ready, a time for each line, then the numbers.
printf '\n\n' | "$bench" "$tmp/dict" "$tmp/text" --step --repeat 1 >"$tmp/out" 2>&1
{
    [ "$(sed -n 1p "$tmp/out")" = ready ] || echo "the first line is not ready"
    sed -n 2,3p "$tmp/out" | grep -v -E '^[0-9]+\.[0-9]{9}$' || true
    [ "$(wc -l <"$tmp/out")" -eq 4 ] || echo "not four lines"
    "$PYTHON3" - "$tmp/out" <<'EOF'
import json, sys
r = json.loads(open(sys.argv[1]).read().split("\n")[3])
names = """engine version patterns build_s memory_bytes rss_delta peak_delta bytes messages
seconds_best gbps matches checksum""".split()
for n in names:
    if n not in r:
        print("no member", n)
EOF
} >"$tmp/bad" 2>&1
quiet "a step for each line, then one line of JSON" "$tmp/bad"

{
    for bad in '--engine fast' '--form none' '--mode first' '--what' '--repeat 0'; do
        # shellcheck disable=SC2086
        if "$bench" "$tmp/dict" "$tmp/text" $bad >"$tmp/out" 2>&1; then
            echo "$bad is taken"
        fi
    done
    "$bench" "$tmp/dict" "$tmp/text" --form none 2>&1 | grep -q 'there is: ' ||
        echo "a wrong form does not say which there are"
} >"$tmp/bad"
quiet "what it does not know is an error" "$tmp/bad"
finish
