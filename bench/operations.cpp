// Simulated RDMA operations per second of CPU time: the Spec-S0 sequencer on ten cores, every TLP accounted for.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "models/run.hpp"
#include "scenario/load.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: operations scenarios/kalia16/fig07_spec_s0.json\n");
    return 2;
  }
  const auto points = doorbell::scenario::load(
      arguments[1],
      {.sets = {"programs.worker.threads=10", "measure.warmup=10 us", "measure.duration=10 ms"}, .seed = {}});
  std::array<double, 5> rates{};
  double events_per_operation = 0;
  for (double& rate : rates) {
    const std::clock_t began = std::clock();
    const doorbell::model::RunResult result = doorbell::model::run(points.front().scenario);
    const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    rate = static_cast<double>(result.operations) / seconds;
    events_per_operation = static_cast<double>(result.events) / static_cast<double>(result.operations);
  }
  std::sort(rates.begin(), rates.end());
  std::printf("SENDs per CPU second   %.2f M (median of 5)\n", rates[2] / 1e6);
  std::printf("events per SEND        %.2f\n", events_per_operation);
  std::printf("CPU time per event     %.1f ns\n", 1e9 / (rates[2] * events_per_operation));
}
