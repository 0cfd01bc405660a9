#!/bin/sh
# Every `doorbell run` and `doorbell analyze` of the pages' console blocks that is shown with its output prints the lines
# shown, as those of the README do (tour.sh).
# usage: docs.sh DOORBELL PAGE...
set -eu
tour=$(cd "$(dirname "$0")" && pwd)/tour.sh
doorbell=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A page's blocks without commands that are others, or shown alone.
shown_with_output() {
  awk '
    function end_command() {
      if (command ~ /^\$ build\/release\/doorbell (run|analyze) / && output != "")
        printf "```console\n%s%s```\n", command, output
      command = output = ""
    }
    $0 == "```console" { inside = 1; next }
    !inside { next }
    /^```$/ { end_command(); inside = 0; continued = 0; next }
    /^\$ / && !continued { end_command() }
    /^\$ / || continued { command = command $0 "\n"; continued = /\\$/; next }
    { output = output $0 "\n" }' "$1"
}

failed=0
for page in "$@"; do
  [ -e "$work/scenarios" ] || ln -s "$(cd "$(dirname "$page")/.." && pwd)/scenarios" "$work/scenarios"
  name=$(basename "$page")
  shown_with_output "$page" >"$work/$name"
  sh "$tour" "$doorbell" "$work/$name" || { echo "docs/$name shows something else."; failed=1; }
done
cat "$work"/*.md | grep -q . || { echo 'No commands found.'; failed=1; }
exit $failed
