#!/bin/sh
# Checks Doorbell: format and clang-tidy, unit tests under sanitizers, then every test of the release build.
set -eu
cd "$(dirname "$0")"
. cmake/setup.sh

say "Packages"
# shellcheck disable=SC2086  # a list of words
need $build_packages clang-format clang-tidy python3

say "Release build in build/release"
build release

say "Format and clang-tidy"
build dev lint

say "Build with address and undefined-behaviour sanitizers in build/asan"
build asan

say "Unit tests under sanitizers, with a quarter of the fuzzers' runs and without the longest simulations"
# Together these would take as long as all others, which go through the same code.
longest="RemoteMemoryAnalysis.NoRunBeatsTheDisk:StorageAnalysis.NoSimulationBeatsIt:StorageAnalysis.MeetsTheSimulation*"
longest="$longest:PageFaults.*:WindowBound.NoRunBeatsIt:DriveAccess.NoSimulationBeatsTheBound:Verbs/LongMessages.*"
longest="$longest:DeviceAccess.ThreadsThatWaitForPagesBound:DeviceAccess.FaultsAddToARequest:SteadyState.SequencerOf*"
longest="$longest:Transfers.NoMorePassesThanCan*:OthersOnDevice.AWindowIsNotTheRemedy:RunPoints.AnApplicationThatHasRun*"
longest="$longest:CalibrateCommand.TellsByWhichFactor*:CalibrateCommand.MayAsk*:SensitivityCommand.VariesWhatIsAssumed"
longest="$longest:SensitivityCommand.RefusesWhatLeaves*:SensitivityCommand.Compares*:SensitivityCommand.ValuesMayHold*"
longest="$longest:ReproduceCommand.TellsByItsStatus*:FioSets.*:MeasuredSets.*:PcieBenchSets.A*"
DOORBELL_FUZZ_RUNS=500 GTEST_FILTER="-$longest" ctest --preset asan --label-regex unit --parallel "$jobs"

say "Same results from both builds, for any number of jobs"
# Figures that between them use every kind of scenario; all figures would take the sanitizers half an hour.
figures="kalia16/table4 kalia16/fig10 kalia16/fig11b kalia16/fig13b kalia16/fig14 gmblock/fig3_10 gmblock/fig5_6"
figures="$figures rdmabox/fig01 pciebench/iommu hostnet/write_queue"
for run in "release 1" "release 3" "asan 3"; do
  # shellcheck disable=SC2086  # a preset and a number of jobs
  set -- $run
  # Without measurements: each build knows those that were there when it was configured.
  # shellcheck disable=SC2086  # a list of words
  "build/$1/doorbell" reproduce $figures --data . --format json --jobs "$2" >"build/results.json"
  # How long each figure took is no result.
  grep -v '"seconds"' build/results.json >"build/results-$1-$2.json"
  test -s "build/results-$1-$2.json"
  cmp build/results-release-1.json "build/results-$1-$2.json"
done
echo "Identical."

say "All tests of the release build"
ctest --preset release --parallel "$jobs"
