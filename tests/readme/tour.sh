#!/bin/sh
# Every command of the README's console blocks prints the lines shown there, one after the other but for blank ones, and
# others only where the README has dots, and before the first.
# usage: tour.sh DOORBELL README
set -eu
doorbell=$1
readme=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(dirname "$readme")/scenarios" "$work/scenarios"
cd "$work"

failed=0
command=
check() {
  [ -n "$command" ] || return 0
  sh -c "$(printf '%s' "$command" | sed "s|build/release/doorbell|$doorbell|g")" >output 2>&1 || true
  missing=$(awk '
    /^$/ { next }
    FILENAME == "output" { printed[++lines] = $0; next }
    /^ *\.\.\.$/ { gap = 1; next }
    {
      if (at == 0 || gap) { while (++at <= lines && printed[at] != $0); } else { ++at }
      if (printed[at] != $0) { print; exit }
      gap = 0
    }' output expected)
  [ -z "$missing" ] || { printf '%s\n  does not print there: %s\n' "$command" "$missing"; failed=1; }
}

inside=no
continued=no
while IFS= read -r line; do
  case $line in
    '```console') inside=yes; command=; : >expected; continue ;;
    '```') [ $inside = no ] || check; inside=no; continue ;;
  esac
  [ $inside = yes ] || continue
  if [ $continued = yes ]; then
    command="$command ${line%\\}"
  else
    case $line in
      '$ '*) check; command=${line#'$ '}; command=${command%\\}; : >expected ;;
      *) printf '%s\n' "$line" >>expected; continue ;;
    esac
  fi
  case $line in *\\) continued=yes ;; *) continued=no ;; esac
done <"$readme"
exit $failed
