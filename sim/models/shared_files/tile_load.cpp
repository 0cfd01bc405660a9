#include "models/shared_files/tile_load.hpp"

#include <algorithm>

namespace doorbell::model {

void TileLoadGenerator::start() {
  const int tiles = load_.columns * load_.rows;
  const int nodes = system_.scenario.mount.nodes;
  left_ = tiles;
  for (int tile = 0; tile < tiles; ++tile) core::start(system_.calendar, run(tile * nodes / tiles, tile));
}

TileWalk::TileWalk(const TileLoad& load)
    : height_{load.height},
      piece_{load.element.count * load.width},
      row_{piece_ * load.columns},
      stretch_{std::max(piece_, load.sieve.count)},
      end_{row_ * (load.height - 1) + piece_} {}

std::optional<TileWalk::Call> TileWalk::next() {
  if (at_ >= end_) return std::nullopt;
  const Call call{at_, Bytes{std::min(stretch_, end_ - at_)}};
  at_ += call.size.count;
  // On to the next byte that is the tile's.
  const std::int64_t within = at_ % row_;
  if (within >= piece_) at_ += row_ - within;
  return call;
}

core::Process TileLoadGenerator::run(int node, int tile) {
  FileClient& client = system_.clients[static_cast<std::size_t>(node)];
  TileWalk walk{load_};
  const std::int64_t first = walk.row() * load_.height * (tile / load_.columns) + walk.piece() * (tile % load_.columns);
  CachedDevice::Reader reader = client.open(tile);
  while (const auto call = walk.next())
    co_await client.read(reader, system_.locks, 0, first + call->offset, call->size);
  count(system_.calendar.now(), walk.bytes());
  --left_;
}

}  // namespace doorbell::model
