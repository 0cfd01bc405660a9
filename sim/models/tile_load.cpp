#include "models/tile_load.hpp"

#include <algorithm>

namespace doorbell::model {

void TileLoadGenerator::start() {
  const int tiles = load_.columns * load_.rows;
  const int nodes = system_.scenario.mount.nodes;
  left_ = tiles;
  for (int tile = 0; tile < tiles; ++tile) core::start(system_.calendar, run(tile * nodes / tiles, tile));
}

core::Process TileLoadGenerator::run(int node, int tile) {
  FileClient& client = system_.clients[static_cast<std::size_t>(node)];
  const std::int64_t piece = load_.element.count * load_.width;
  const std::int64_t row = piece * load_.columns;
  const std::int64_t first = row * load_.height * (tile / load_.columns) + piece * (tile % load_.columns);
  const std::int64_t end = first + row * (load_.height - 1) + piece;
  // Row by row, or in stretches that hold several rows.
  const std::int64_t stretch = std::max(piece, load_.sieve.count);
  CachedDevice::Reader reader = client.open(tile);
  for (std::int64_t at = first; at < end;) {
    const std::int64_t size = std::min(stretch, end - at);
    co_await client.read(reader, system_.locks, 0, at, Bytes{size});
    at += size;
    // On to the next byte that is the tile's.
    const std::int64_t within = (at - first) % row;
    if (within >= piece) at += row - within;
  }
  count(system_.calendar.now(), Bytes{piece * load_.height});
  --left_;
}

}  // namespace doorbell::model
