#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the documents say is so: every public function stands in acor(3), the
# pages lint clean, the README's C compiles and runs, the versions agree.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$top_srcdir"
sh "$meta/functions.sh" . >"$tmp/functions"
while read -r f; do
    grep -q -E "^\\.Fo $f\$" man/acor.3 || echo "no synopsis of $f"
    grep -q -E "^\\.Fn $f( |\$)" man/acor.3 || echo "no words on $f"
done <"$tmp/functions" >"$tmp/bad"
quiet "every public function stands in acor(3)" "$tmp/bad"

sed -n 's/^\.F[on] \(acor_[a-z0-9_]*\).*/\1/p' man/*.[37] | sort -u | comm -23 - "$tmp/functions" >"$tmp/bad"
quiet "the manual names no function that is not there" "$tmp/bad"

awk '/^ *ACOR_[A-Z]+ = -?[0-9]+,?/ { print $1 }' include/acor/status.h >"$tmp/statuses"
while read -r s; do
    grep -q -w "$s" man/acor.3 || echo "$s"
done <"$tmp/statuses" >"$tmp/bad"
quiet "every status stands in acor(3)" "$tmp/bad"

for page in man/*.[137]; do
    if command -v mandoc >/dev/null 2>&1; then
        # That the pages are not installed yet is no fault of theirs.
        mandoc -T lint "$page" | grep -v 'referenced manual not found' >"$tmp/bad" || true
        quiet "$page lints clean" "$tmp/bad"
    else
        skip "$page lints clean" "no mandoc"
    fi
done

# The README's programs.
awk -v dir="$tmp" '
    /^```c$/ { on = 1; n++; next }
    /^```/ { on = 0 }
    on { print > (dir "/readme" n ".c") }' README.md
n=0
for c in "$tmp"/readme*.c; do
    [ -e "$c" ] || continue
    n=$((n + 1))
    # shellcheck disable=SC2086 # the compiler may come with options
    try "C example $n of README.md compiles" ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror \
        -Iinclude -fsyntax-only "$c"
    if [ "${SANITIZED:-no}" != no ]; then
        skip "C example $n of README.md runs" "needs the sanitizers' own flags"
    elif grep -q 'int main(' "$c"; then
        # shellcheck disable=SC2086
        try "C example $n of README.md links" sh "$top_builddir/libtool" --silent --tag=CC --mode=link \
            ${CC:-cc} -Iinclude -o "$tmp/example$n" "$c" "$top_builddir/src/libacor.la"
        try "C example $n of README.md runs" "$tmp/example$n"
    fi
done
try "README.md has C in it" test "$n" -gt 0

# Its shell example prints what stands behind each line's "# ".
awk '
    /^```sh$/ { on = 1; block = ""; next }
    /^```/ { if (on && block ~ /(^|\n)acor /) printf "%s", block; on = 0 }
    on { block = block $0 "\n" }' README.md >"$tmp/example.sh"
sed -n 's/.*  # //p' "$tmp/example.sh" | grep -v '^one file' >"$tmp/want"
if [ "${SQLITE:-yes}" = no ]; then
    skip "the shell example of README.md prints what it says" "no embedded store"
else
    mkdir "$tmp/bin" "$tmp/run"
    printf '#!/bin/sh\nexec "%s/src/acor" "$@"\n' "$top_builddir" >"$tmp/bin/acor"
    chmod +x "$tmp/bin/acor"
    status=0
    (cd "$tmp/run" && PATH="$tmp/bin:$PATH" sh ../example.sh) >"$tmp/got" 2>"$tmp/why" || status=$?
    diff -u "$tmp/want" "$tmp/got" >>"$tmp/why" || status=1
    ok "$status" "the shell example of README.md prints what it says" "$tmp/why"
fi

version=$(sed -n 's/^#define ACOR_VERSION_STRING "\(.*\)"$/\1/p' include/acor/version.h)
numbers=$(sed -n 's/^#define ACOR_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/acor/version.h | paste -s -d . -)
try "the version's numbers are its text" test "$version" = "$numbers"
try "the build has this version" grep -q -F "#define PACKAGE_VERSION \"$version\"" "$top_builddir/config.h"
try "NEWS has this version" grep -q -F "$version" NEWS
finish
