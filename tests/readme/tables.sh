#!/bin/sh
# Every row of the tables that docs/tables.py prints for a page is in it.
# usage: tables.sh DOORBELL PAGE...
set -eu
doorbell=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
failed=0
for page in "$@"; do
  name=$(basename "$page" .md)
  (cd "$(dirname "$page")/.." && python3 docs/tables.py "$name" "$doorbell") >"$rows"
  grep -q '^|' "$rows"
  while read -r row; do
    [ -z "$row" ] || grep -qxF -- "$row" "$page" || { echo "$name.md lacks $row"; failed=1; }
  done <"$rows"
done
exit $failed
