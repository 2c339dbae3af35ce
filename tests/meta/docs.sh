#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the documents say is so: every public function stands in section 3, the
# pages lint clean, the README's C compiles and runs, the versions agree.
# shellcheck source=tests/meta/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$top_srcdir"
sh "$meta/functions.sh" . >"$tmp/functions"
while read -r f; do
    page=$(grep -l -E "^\\.Fo $f\$" man/*.3 || :)
    times=$(cat man/*.3 | grep -c -E "^\\.Fo $f\$" || :)
    case $times in
    0) echo "no synopsis of $f" ;;
    1) grep -q -E "^\\.Fn $f( |\$)" "$page" || echo "no words on $f in $page" ;;
    *) echo "$times synopses of $f" ;;
    esac
done <"$tmp/functions" >"$tmp/bad"
quiet "every public function stands in section 3, once" "$tmp/bad"

# A synopsis has the parameters that the header has.
awk -f tests/meta/strip.awk include/acor/*.h | sed 's/^[^:]*:[0-9]*://' | grep -v '^ *#' | tr '\n' ' ' |
    tr ';' '\n' | sed -n 's/.*ACOR_API\( ACOR_NODISCARD\)\{0,1\} *\(.*acor_[a-z0-9_]*(.*)\) *$/\2/p' |
    sed 's/[ (),]//g' | sort >"$tmp/prototypes"
awk '
    /^\.Ft / { sub(/^\.Ft /, ""); text = $0 }
    /^\.Fo / { text = text $2; on = 1 }
    /^\.Fa / && on { sub(/^\.Fa /, ""); text = text $0 }
    /^\.Fc/ { gsub(/[ "]/, "", text); print text; on = 0 }' man/*.3 | sort >"$tmp/synopses"
status=0
diff "$tmp/prototypes" "$tmp/synopses" >"$tmp/bad" || status=1
ok "$status" "the synopses are the headers' prototypes" "$tmp/bad"

for page in man/*.[137]; do
    tr -s ' \\\n\t' ' ' <Makefile.am | grep -q -F " $page " || echo "$page is not installed"
    sed -n 's/^\.Xr \(acor[a-z_]*\) \([0-9]\).*/\1.\2/p' "$page" | while read -r other; do
        [ -e "man/$other" ] || echo "$page speaks of $other, which is not there"
    done
    [ "$page" = man/acor.3 ] || grep -q "^\.Xr acor 3" "$page" || echo "$page does not lead to acor(3)"
done >"$tmp/bad"
quiet "the pages are installed and lead to each other" "$tmp/bad"

sed -n 's/^\.F[on] \(acor_[a-z0-9_]*\).*/\1/p' man/*.[37] | sort -u | comm -23 - "$tmp/functions" >"$tmp/bad"
quiet "the manual names no function that is not there" "$tmp/bad"

awk '/^ *ACOR_[A-Z]+ = -?[0-9]+,?/ { print $1 }' include/acor/status.h >"$tmp/statuses"
while read -r s; do
    grep -q -w "$s" man/acor.3 || echo "$s"
done <"$tmp/statuses" >"$tmp/bad"
quiet "every status stands in acor(3)" "$tmp/bad"

# What the program offers, as it says itself.
acor=$top_builddir/src/acor
"$acor" help >"$tmp/help"
awk '/^Commands:/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }' "$tmp/help" >"$tmp/commands"
while read -r c; do
    grep -q -E "^\\..*Cm (.* )?$c( |\$)" man/acor.1 || echo "no words on $c"
    "$acor" help "$c" >>"$tmp/help"
done <"$tmp/commands" >"$tmp/bad"
quiet "every command stands in acor(1)" "$tmp/bad"
sed -n -E 's/^ *(-[A-Za-z0-9], )?--([a-z-]+).*/\2/p' "$tmp/help" | sort -u >"$tmp/options"
while read -r o; do
    grep -q -E "^\\.It Fl (.* )?-?$o( |\$|=)" man/acor.1 || echo "no words on --$o"
done <"$tmp/options" >"$tmp/bad"
quiet "every option stands in acor(1)" "$tmp/bad"
try "there are commands and options" test -s "$tmp/commands" -a -s "$tmp/options"

for page in man/*.[137]; do
    if command -v mandoc >/dev/null 2>&1; then
        # That the pages are not installed yet is no fault of theirs.
        mandoc -T lint "$page" 2>&1 |
            grep -v -e 'referenced manual not found' -e 'mandoc\.db' >"$tmp/bad" || true
        quiet "$page lints clean" "$tmp/bad"
    else
        skip "$page lints clean" "no mandoc"
    fi
done

# In the build's folder, as libtool takes no path with a blank in it.
link() {
    # shellcheck disable=SC2086,SC2317 # the compiler may come with options; called by try
    (cd "$top_builddir" && sh ./libtool --silent --tag=CC --mode=link ${CC:-cc} -o "$1" "$1.o" src/libacor.la)
}

# The README's programs.
awk -v dir="$tmp" '
    /^```c$/ { on = 1; n++; next }
    /^```/ { on = 0 }
    on { print > (dir "/readme" n ".c") }' README.md
n=0
for c in "$tmp"/readme*.c; do
    [ -e "$c" ] || continue
    n=$((n + 1))
    # shellcheck disable=SC2086,SC2317 # the compiler may come with options; called by try
    try "C example $n of README.md compiles" ${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror \
        -Iinclude -fsyntax-only "$c"
    if [ "${SANITIZED:-no}" != no ]; then
        skip "C example $n of README.md runs" "needs the sanitizers' own flags"
    elif grep -q 'int main(' "$c"; then
        # shellcheck disable=SC2086
        ${CC:-cc} -Iinclude -c -o "$tmp/example$n.o" "$c"
        try "C example $n of README.md links" link "$tmp/example$n"
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
numbers=$(sed -n -E 's/^#define ACOR_VERSION_(MAJOR|MINOR|PATCH) //p' include/acor/version.h | paste -s -d . -)
try "the version's numbers are its text" test "$version" = "$numbers"
try "the build has this version" grep -q -F "#define PACKAGE_VERSION \"$version\"" "$top_builddir/config.h"
try "NEWS has this version" grep -q -F "$version" NEWS
finish
