// Runs an installed scenario through the installed library: the whole of what a program of one's own needs.
#include <cstdio>

#include "models/machine_graph.hpp"  // whose Boost.Graph must come along
#include "models/run.hpp"
#include "scenario/load.hpp"

int main() {
  const auto points = doorbell::scenario::load(DATA_DIR "/scenarios/kalia16/table4_ud_send_batch.json");
  const doorbell::model::RunResult result = doorbell::model::run(points.front().scenario);
  std::printf("%.1f million operations per second; %s\n", result.throughput.millions(),
              result.bottleneck.sentence.c_str());
  return result.throughput.millions() > 1 ? 0 : 1;
}
