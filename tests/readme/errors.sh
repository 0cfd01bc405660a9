#!/bin/sh
# The README's error table is what `doorbell reproduce` prints, without the column of seconds; docs/claims.md are its
# claims; and every picture shows what was simulated. A figure whose measured points are not at hand is left out of the
# comparison, and so are the sums that it is part of.
# usage: errors.sh DOORBELL README
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
report=$("$1" reproduce --out "$work" 2>"$work/notes")
left_out=$(sed -n 's/^\([^ ]*\): measured points left out.*/\1/p' "$work/notes" | tr '\n' ' ')
without() {
  awk -v names="$left_out" '
    BEGIN { split(names, ids, " "); for (i in ids) { gone[ids[i]] = 1; sub(/\/.*/, "", ids[i]); gone[ids[i]] = 1 } }
    $1 == "target" || $1 == "numbers" || $1 == "claims" { if (!skipped) print; next }
    { skipped = ($1 in gone); if (!skipped) print }'
}
printed=$(echo "$report" | awk '/^$/ { if (++gap == 2) exit } !gap { sub(/ +seconds$/, ""); sub(/ +[0-9.]*$/, "") } { print }' | without)
shown=$(sed -n '/<!-- errors -->/,/<!-- \/errors -->/p' "$2" | sed '/^<!--/d; /^```/d' | without)
if [ "$printed" != "$shown" ]; then
  echo "README.md shows another table than doorbell reproduce prints:"
  echo "$printed"
  exit 1
fi
docs=$(dirname "$2")/docs
compared() { sed 's/^| \([^ ]*\) |/\1 |/' "$1" | without; }
sh "$docs/claims.sh" "$work/results.json" >"$work/claims.md"
compared "$docs/claims.md" >"$work/shown"
compared "$work/claims.md" >"$work/printed"
if ! diff "$work/shown" "$work/printed"; then
  echo 'docs/claims.md shows other claims than doorbell reproduce finds (see docs/claims.sh).'
  exit 1
fi
if echo "$report" | grep -A 100 '^Above the axis'; then exit 1; fi
