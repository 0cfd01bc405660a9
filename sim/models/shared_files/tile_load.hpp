// Processes that each read one tile of a picture that is stored row by row.
#pragma once

#include <cstdint>
#include <optional>

#include "core/process.hpp"
#include "models/common/load.hpp"
#include "models/shared_files/shared_file_system.hpp"

namespace doorbell::model {

/// The calls that read one tile: row by row, or in stretches that hold several rows and what lies between them.
class TileWalk {
 public:
  explicit TileWalk(const TileLoad& load);

  struct Call {
    std::int64_t offset = 0;  ///< From the tile's first byte.
    Bytes size;
  };
  /// None after the last.
  [[nodiscard]] std::optional<Call> next();

  [[nodiscard]] std::int64_t piece() const { return piece_; }            ///< Bytes of a row of the tile,
  [[nodiscard]] std::int64_t row() const { return row_; }                ///< and of the picture.
  [[nodiscard]] Bytes bytes() const { return Bytes{piece_ * height_}; }  ///< Of the whole tile.

 private:
  std::int64_t height_;
  std::int64_t piece_;
  std::int64_t row_;
  std::int64_t stretch_;
  std::int64_t end_;
  std::int64_t at_ = 0;
};

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
