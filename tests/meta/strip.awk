# SPDX-License-Identifier: Apache-2.0
# C without comments, and with the insides of its strings and character
# constants gone; every line keeps its number.
# FNR of 1 resets, so that several files may be given.
FNR == 1 { comment = 0 }
{
    line = $0
    out = ""
    n = length(line)
    quote = ""
    for (i = 1; i <= n; i++) {
        c = substr(line, i, 1)
        two = substr(line, i, 2)
        if (comment) {
            if (two == "*/") { comment = 0; i++; out = out " " }
        } else if (quote != "") {
            if (c == "\\") i++
            else if (c == quote) { quote = ""; out = out c }
        } else if (two == "/*") {
            comment = 1
            i++
        } else if (two == "//") {
            break
        } else {
            if (c == "\"" || c == "'") quote = c
            out = out c
        }
    }
    print FILENAME ":" FNR ":" out
}
