#!/bin/sh
# Doorbell's event core against ns-3, SystemC, SimGrid and SimPy from Debian packages, in one run.
#
#   bench/compare.sh [build directory] [repetitions]
#
# Installs nothing: says which packages are missing and leaves those peers out. Every number is millions of events per
# second of user CPU time, the median of the repetitions (5), which are interleaved, so that what else the machine does
# strikes all alike. Takes about ten minutes.
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=${1:-$source/build/bench}
repetitions=${2:-5}

for package in libns3-dev libsystemc-dev libsimgrid-dev python3-simpy3; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = 'install ok installed' ] || echo "missing: $package (sudo apt install $package)" >&2
done

cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DDOORBELL_BUILD_BENCH=ON -DDOORBELL_BUILD_TESTS=OFF >&2
cmake --build "$build" --target bench_programs >&2
programs=$build/bench
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# measure ENGINE PROGRAM VARIANT INCREMENTS PENDING EVENTS: appends "ENGINE INCREMENTS PENDING rate"; silent if absent.
measure() {
  case $2 in
    *.py) set -- "$1" "/usr/bin/python3 $source/bench/$2" "$3" "$4" "$5" "$6" ;;
    *) [ -x "$programs/$2" ] || return 0; set -- "$1" "$programs/$2" "$3" "$4" "$5" "$6" ;;
  esac
  # shellcheck disable=SC2086
  rate=$($2 "$3" "$4" "$5" "$6" 2>/dev/null | tail -n 1)
  case $rate in
    *[0-9].[0-9]*) echo "$1 $4 $5 $rate" >>"$results" ;;
  esac
}

repetition=0
while [ "$repetition" -lt "$repetitions" ]; do
  repetition=$((repetition + 1))
  echo "repetition $repetition of $repetitions" >&2
  for pending in 16 256 4096 65536 1000000; do
    for increments in exponential constant; do
      measure doorbell hold_doorbell callback $increments $pending 5000000
      measure doorbell-process hold_doorbell coroutine $increments $pending 5000000
      measure ns3 hold_ns3 PriorityQueue $increments $pending 2000000
      [ $pending -gt 65536 ] || measure systemc hold_systemc method $increments $pending 500000
      [ $pending -gt 65536 ] || measure simgrid hold_simgrid timer $increments $pending 400000
      [ $pending -gt 4096 ] || measure simgrid-actor hold_simgrid actor $increments $pending 200000
      [ $pending -gt 65536 ] || measure simpy hold_simpy.py process $increments $pending 200000
    done
  done
  # The slowest at a million are measured once, since they take long to fill.
  if [ "$repetition" -eq 1 ]; then
    measure systemc hold_systemc method exponential 1000000 500000
    measure simgrid hold_simgrid timer exponential 1000000 400000
    measure simpy hold_simpy.py process exponential 1000000 200000
  fi
  measure doorbell hold_doorbell callback mixed 4096 5000000
  measure ns3 hold_ns3 PriorityQueue mixed 4096 2000000
  measure tandem-doorbell tandem_doorbell callback exponential 16 1000000
  measure tandem-doorbell-process tandem_doorbell process exponential 16 500000
  measure tandem-doorbell-reserved tandem_doorbell reserved exponential 16 2000000
  measure tandem-ns3 tandem_ns3 PriorityQueue exponential 16 300000
  measure tandem-systemc tandem_systemc method exponential 16 100000
  measure tandem-simgrid tandem_simgrid timer exponential 16 50000
  measure tandem-simgrid-actor tandem_simgrid actor exponential 16 30000
  measure tandem-simpy tandem_simpy.py process exponential 16 10000
done

sort -k1,3 -k4n "$results" | awk '
  function flush() { if (n) { print key, v[int((n + 1) / 2)] } n = 0 }
  { k = $1 " " $2 " " $3; if (k != key) { flush(); key = k } v[++n] = $4 }
  END { flush() }' | sort -k2,2 -k3,3n -k1,1 | awk '
  { rate[$1, $2, $3] = $4; order[++n] = $1 " " $2 " " $3 }
  END {
    target["ns3"] = 6; target["systemc"] = 9; target["simgrid"] = 25; target["simgrid-actor"] = 25; target["simpy"] = 70
    printf "%-26s %-12s %8s %10s %8s  %s\n", "engine", "increments", "pending", "M/s", "ratio", "target"
    for (i = 1; i <= n; ++i) {
      split(order[i], f, " ")
      us = f[1] ~ /^tandem/ ? rate["tandem-doorbell", f[2], f[3]] : rate["doorbell", f[2], f[3]]
      r = rate[f[1], f[2], f[3]]; ratio = us / r; wish = ""
      if (f[3] == 4096 && f[2] == "exponential" && f[1] in target)
        wish = sprintf(">= %d: %s", target[f[1]], ratio >= target[f[1]] ? "met" : "MISSED")
      if (f[3] == 1000000 && f[1] in target) wish = sprintf(">= 2: %s", ratio >= 2 ? "met" : "MISSED")
      if (f[1] == "doorbell-process") wish = sprintf("<= 1.25: %s", ratio <= 1.25 ? "met" : "MISSED")
      printf "%-26s %-12s %8d %10.3f %8.2f  %s\n", f[1], f[2], f[3], r, ratio, wish
    }
  }'
