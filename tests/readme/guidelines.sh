#!/bin/sh
# The numbers of docs/guidelines.md that are simulated are what its commands print, to the digits shown. Its first paragraph
# says what the number of a row is. A few comparisons take minutes: of these only the gain is looked at, by two runs, unless
# the last argument is "all".
# usage: guidelines.sh DOORBELL GUIDELINES [all]
set -eu
export LC_ALL=C
slow='fig07|rcswarm|rdmabox'
[ "${3:-}" != all ] || slow='^$'
doorbell=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
page=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
ln -s "$doorbell" bin/doorbell
ln -s "$(dirname "$page")/../scenarios" scenarios
PATH=$work/bin:$PATH

# Names the file with what a command prints; each command is run once.
printed() {
  file=$(printf '%s' "$1" | cksum | tr ' ' -)
  [ -e "$file" ] || sh -c "$1" >"$file" </dev/null || echo "Failed: $1" >&2
  echo "$file"
}

# A column of a run's only line of CSV; nothing if there are more lines.
column() {
  case $1 in *--format*) command=$1 ;; *) command="$1 --format csv" ;; esac
  awk -F, -v name="$2" '
    /^#/ { next }
    !columns { for (columns = 1; columns <= NF && $columns != name; ++columns); next }
    { value = $columns; ++lines }
    END { if (lines == 1) print value }' "$(printed "$command")"
}
throughput() { column "$1" 'throughput (M/s)'; }

quotient() { awk -v a="$1" -v b="$2" 'BEGIN { if (a != "" && b > 0) printf "%.9g\n", a / b }'; }

# A value in the way that a number is shown: as many decimals, a percentage or not, with its sign and unit.
like() {
  awk -v shown="$1" -v value="$2" 'BEGIN {
    number = shown
    gsub(/[^0-9.]/, "", number)
    if (value == "" || number == "") { print value == "" ? "nothing" : value; exit }
    decimals = index(number, ".") ? length(number) - index(number, ".") : 0
    sub(/[0-9.]+/, sprintf("%." decimals "f", shown ~ /%/ ? 100 * value : value), shown)
    print shown
  }'
}

simulated() {
  first=$(echo "$1" | cut -d '`' -f 2)
  between=$(echo "$1" | cut -d '`' -f 3)
  second=$(echo "$1" | cut -d '`' -f 4)
  case $1 in
    'Claim '*)
      awk -v id="\"$first\"," '
        $2 == id { found = 1 }
        found && $1 == "\"simulated\":" { print $2 + 0; exit }' "$(printed "$second")" ;;
    'Counter '*) quotient "$(column "$second" "rate $first (1/s)")" "$(throughput "$second")" | awk '{ print $1 / 1e6 }' ;;
    *)
      case $second in --point*) second="${first%--point*}$second" ;; esac
      ratio=$(quotient "$(throughput "$first")" "$(throughput "$second")")
      case $between in *half*) quotient "$ratio" 0.5 ;; *) echo "$ratio" ;; esac ;;
  esac
}

# What `sensitivity` prints, without its line breaks: gain, range and runs.
compared() {
  tr -s '\n ' '  ' <"$(printed "$1")" | awk '{
    gain = range = runs = "nothing"
    if (match($0, / [0-9.]+ times: /)) { gain = substr($0, RSTART + 1); sub(/ .*/, "", gain) }
    if (match($0, /If one of them is off: [0-9.]+ times to [0-9.]+ times/)) {
      range = substr($0, RSTART + 23, RLENGTH - 23)
      gsub(/ times/, "", range)
    }
    if (match($0, /is better in [0-9]+ of [0-9]+ runs/)) {
      split(substr($0, RSTART, RLENGTH), word)
      runs = word[4] " of " word[6]
    }
    if (match($0, /, worse in [0-9]+/) && gain < 1) runs = substr($0, RSTART + 11, RLENGTH - 11) " of " word[6] " (loses)"
    print gain ", " range ", " runs
  }'
}

# The gain alone, by a run of each design.
gain() {
  one=$(echo "$1" | sed 's/ --with .*//; s/ --against .*//; s/ sensitivity / run /')
  case $1 in
    *--against*) other="doorbell run ${1#*--against }" ;;
    *) other=$(echo "$1" | sed 's/ sensitivity / run /; s/ --with / --set /g') ;;
  esac
  quotient "$(throughput "$other")" "$(throughput "$one")"
}

failed=0
checked=0
same() {
  checked=$((checked + 1))
  [ "$2" = "$3" ] || { echo "guidelines.md: $1: shown $2, found $3"; failed=1; }
}
trimmed() { echo "$1" | sed 's/^ *//; s/ *$//'; }
table=
while IFS='|' read -r before name second third fourth fifth rest; do
  if [ -z "$name" ] || [ -n "$before" ]; then continue; fi
  name=$(trimmed "$name")
  shown=$(trimmed "$second")
  case $name in
    Where | Question) table=$name; continue ;;
    ---*) continue ;;
  esac
  if [ "$table" = Where ]; then
    same "$name" "$shown" "$(like "$shown" "$(simulated "$(trimmed "$fourth")")")"
    continue
  fi
  command=$(echo "$fifth" | cut -d '`' -f 2)
  if echo "$command" | grep -Eq -- "$slow"; then
    same "$name" "$shown" "$(like "$shown" "$(gain "$command")")"
  else
    same "$name" "$shown, $(trimmed "$third"), $(trimmed "$fourth")" "$(compared "$command")"
  fi
done <"$page"
[ "$checked" -gt 0 ] || { echo 'guidelines.md: no tables found'; exit 1; }
exit $failed
