#include "models/shared_files/tile_load.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "models/shared_files_machine.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

SharedFilesScenario tiles() {
  SharedFilesScenario shared = small_cluster();
  shared.stream.reset();
  shared.mount.direct = false;
  shared.mount.read_ahead = 512_KiB;
  shared.mount.nodes = 2;
  shared.tiles = TileLoad{.columns = 2, .rows = 4, .width = 512, .height = 64, .element = 32_B};
  return shared;
}

TEST(TileWalk, GoesRowByRowOrInStretchesThatBeginWithTheTile) {
  TileLoad load{.columns = 4, .rows = 1, .width = 128, .height = 3, .element = 32_B};  // rows of 4 KiB, 16 KiB apart
  const auto calls_of = [&] {
    std::vector<std::pair<std::int64_t, std::int64_t>> calls;
    TileWalk walk{load};
    while (const auto call = walk.next()) calls.emplace_back(call->offset / 1024, call->size.count / 1024);
    return calls;
  };
  using Calls = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(calls_of(), (Calls{{0, 4}, {16, 4}, {32, 4}}));
  load.sieve = 24_KiB;  // ends in the gap after the second row
  EXPECT_EQ(calls_of(), (Calls{{0, 24}, {32, 4}}));
  load.sieve = 1024_KiB;
  EXPECT_EQ(calls_of(), (Calls{{0, 36}}));
  EXPECT_EQ(TileWalk{load}.bytes(), 12_KiB);
}

TEST(TileLoad, EveryByteOfThePictureIsReadOnce) {
  const SharedFilesScenario shared = tiles();
  const RunResult result = run_of(shared);
  EXPECT_EQ(result.operations, 8U);
  EXPECT_NEAR(result.bandwidth.bytes_per_second * to_seconds(result.simulated), 32 * 512 * 64 * 8, 1);
}

TEST(TileLoad, TellsTheTimeUntilTheLastTileIsThere) {
  const RunResult result = run_of(tiles());
  ASSERT_EQ(result.levels.size(), 1U);
  EXPECT_EQ(result.levels[0].name, "completion, s");
  EXPECT_NEAR(result.levels[0].value, to_seconds(result.simulated), 1e-9);
  EXPECT_LE(to_seconds(result.latency.p99), result.levels[0].value);
}

TEST(TileLoad, SievingReadsTheGapsToo) {
  SharedFilesScenario shared = tiles();
  shared.mount.direct = true;  // so that neighbours do not profit
  const double pieces = to_seconds(run_of(shared).simulated);
  shared.tiles->sieve = 512_KiB;
  const double stretches = to_seconds(run_of(shared).simulated);
  // Twice the bytes, but in large requests.
  EXPECT_LT(stretches, pieces);
}

}  // namespace
}  // namespace doorbell::model
