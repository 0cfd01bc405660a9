#!/bin/sh
# The README's error table is what `doorbell reproduce` prints, without the column of seconds; and every picture shows
# what was simulated.
# usage: errors.sh DOORBELL README
set -eu
report=$("$1" reproduce)
printed=$(echo "$report" | sed '/^$/,$d; /^figure/!s/ *[0-9.]*$//; s/ *seconds$//')
shown=$(sed -n '/<!-- errors -->/,/<!-- \/errors -->/p' "$2" | sed '/^<!--/d; /^```/d')
if [ "$printed" != "$shown" ]; then
  echo "README.md shows another table than doorbell reproduce prints:"
  echo "$printed"
  exit 1
fi
if echo "$report" | grep -A 100 '^Above the axis'; then exit 1; fi
