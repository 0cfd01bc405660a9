// Processes that each read one tile of a picture that is stored row by row.
#pragma once

#include "core/process.hpp"
#include "models/load.hpp"
#include "models/shared_file_system.hpp"

namespace doorbell::model {

/// As MPI-Tile-IO: one process for each tile, neighbours on the same machine, every row of a tile a piece of the file.
/// With data sieving a process reads whole stretches of the file and picks its pieces (ROMIO's independent reads). An
/// operation is a tile.
class TileLoadGenerator final : public Load {
 public:
  explicit TileLoadGenerator(SharedFileSystem system) : system_{system}, load_{*system.scenario.tiles} {}

  void start() override;
  [[nodiscard]] bool ended() const override { return left_ == 0; }

 private:
  core::Process run(int node, int tile);

  SharedFileSystem system_;
  const TileLoad& load_;
  int left_ = 0;
};

}  // namespace doorbell::model
