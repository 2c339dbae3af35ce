# SPDX-License-Identifier: Apache-2.0
# Reads the table of layers, then sources (paths from the top of the tree), and
# complains about includes that reach outside. One complaint a line: FILE:LINE.

function complain(text) { print FILENAME ":" FNR ": " text }

# The table: "layer: those it may include", each standing above it.
FILENAME ~ /layers\.txt$/ {
    if ($0 !~ /^[a-z]+:( [a-z]+)*$/) { complain("not a line of the table: " $0); next }
    layer = $1
    sub(/:$/, "", layer)
    for (i = 2; i <= NF; i++) {
        if (!($i in known)) complain(layer " may not include " $i ", which does not stand above it")
        allowed[layer, $i] = 1
    }
    known[layer] = 1
    allowed[layer, layer] = 1
    next
}

FNR == 1 {
    split(FILENAME, part, "/")
    mine = part[1] == "src" ? part[2] : part[1]
    if (part[1] == "src" && !(mine in known)) complain("a folder that is no layer: " mine)
}

!/^[ \t]*#[ \t]*include/ { next }

{
    name = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", name)
    quoted = substr(name, 1, 1) == "\""
    sub(/^["<]/, "", name)
    sub(/[">].*$/, "", name)
    slash = index(name, "/")
    to = slash ? substr(name, 1, slash - 1) : ""
}

name ~ /\.\./ { complain("an include goes by layer, not by ..: " name); next }

# Public headers stand on their own.
mine == "include" {
    if (quoted) complain("a public header includes <acor/...> only: " name)
    else if (to != "acor" && name != "stddef.h" && name != "stdint.h")
        complain("a public header may not include " name)
    next
}

quoted && mine == "cli" {
    if (slash && to != "cli") complain("cli may include the public headers and its own, not " name)
    next
}

quoted {
    if (!slash) complain("an include names its layer: " name)
    else if (!(to in known)) complain("no such layer: " name)
    else if (!((mine, to) in allowed)) complain(mine " may not include " name)
    next
}

# Libraries with one owner each.
name == "pthread.h" && mine != "base" { complain("pthread.h belongs to base") }
name ~ /^xxh/ && mine != "base" && mine != "store" { complain("xxHash belongs to base and store") }
name ~ /^sqlite3/ && FILENAME !~ /^src\/store\/sqlite/ { complain("SQLite belongs to src/store/sqlite*") }
(to == "hiredis" || to == "openssl") && FILENAME !~ /^src\/store\/redis\// {
    complain(to " belongs to src/store/redis/")
}
(name == "jansson.h" || name == "zlib.h") && mine != "cli" { complain(name " belongs to cli") }
(to in known) { complain("an internal include stands in quotes: " name) }
