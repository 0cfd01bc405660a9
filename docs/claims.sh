#!/bin/sh
# Prints claims.md from what `reproduce` has found; readme.errors (tests/readme) compares the two.
# usage, from the project's root, after ./run.sh: sh docs/claims.sh build/figures/results.json >docs/claims.md
set -eu
export LC_ALL=C
cat <<'END'
# What the sources say in words, and what comes out

Every claim of a source's text is an expression over the simulated points (`plots/*/*.json`, "claims"). This page is made
from the results of `./run.sh`, by `docs/claims.sh`. *Stated* and *here* are the claim's number, if it has one; whether
it then holds is a matter of its expression, which allows for what the text leaves open ("up to", "about", rounded
numbers). Where no number is stated, *here* is a number that the simulation gives, or whether the expression is true.
*Fitted*: a parameter was chosen so that it holds.
END
awk '
  function value(line) {
    sub(/^ *"[a-z_]*": /, "", line)
    sub(/,$/, "", line)
    if (line ~ /^"/) {
      line = substr(line, 2, length(line) - 2)
      gsub(/\\"/, "\"", line)
      return line
    }
    return line ~ /^-?[0-9]/ ? sprintf("%.3g", line) : line
  }
  /^      "id": / { figure = value($0); next }
  /^      "claims": / { in_claims = 1; next }
  /^      \]/ { in_claims = 0; next }
  !in_claims { next }
  /^          "id": / { id = value($0) }
  /^          "text": / { text = value($0) }
  /^          "stated": / { stated = value($0) }
  /^          "simulated": / { here = value($0) }
  /^          "holds": / { holds = value($0) }
  /^          "set": / {
    source = figure
    sub(/\/.*/, "", source)
    if (source != last) {
      printf "\n## %s\n\n| Figure | Claim | | Stated | Here | Holds |\n|---|---|---|---|---|---|\n", source
      last = source
    }
    if (here == "true") here = "so"
    if (here == "false") here = "not so"
    printf "| %s | `%s` | %s | %s | %s | %s%s |\n", figure, id, text, stated, here, holds == "true" ? "yes" : "**no**",
      value($0) == "fit" ? ", fitted" : ""
  }' "$1"
