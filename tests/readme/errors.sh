#!/bin/sh
# The README's error table is what `doorbell reproduce` prints, without the column of seconds; and every picture shows
# what was simulated. A figure whose measured points are not at hand is left out of the comparison.
# usage: errors.sh DOORBELL README
set -eu
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT
report=$("$1" reproduce 2>"$notes")
left_out=$(sed -n 's/^\([^ ]*\): measured points left out.*/^\1 /p' "$notes")
without() { if [ -n "$left_out" ]; then grep -v "$left_out"; else cat; fi; }
printed=$(echo "$report" | sed '/^$/,$d; /^figure/!s/ *[0-9.]*$//; s/ *seconds$//' | without)
shown=$(sed -n '/<!-- errors -->/,/<!-- \/errors -->/p' "$2" | sed '/^<!--/d; /^```/d' | without)
if [ "$printed" != "$shown" ]; then
  echo "README.md shows another table than doorbell reproduce prints:"
  echo "$printed"
  exit 1
fi
if echo "$report" | grep -A 100 '^Above the axis'; then exit 1; fi
