// How block requests of shared files lie on the disks of an array.
#pragma once

#include <vector>

#include "analytic/bounds.hpp"
#include "analytic/file_traffic.hpp"
#include "models/shared_files/shared_files_routes.hpp"

namespace doorbell::analytic {

/// Of requests of one size. Calls past the page cache go through their files from the beginning, and requests begin
/// where that brings them, up to a fixed number of them; others begin anywhere, and count as spread evenly over as many
/// disks as they can meet.
class ArraySpread {
 public:
  ArraySpread(const model::SharedFilesScenario& scenario, const FileTraffic& traffic, Bytes size);

  /// Means over the requests: of the disks that one meets ...
  [[nodiscard]] double disks() const;
  /// ... of its bytes on that disk which has most of them, where these are more than `beyond` ...
  [[nodiscard]] double largest(Bytes beyond = Bytes{0}) const;
  /// ... and of the time in which all disks together move its data along a route: those that still have some move the
  /// same amount.
  [[nodiscard]] Seconds moving(const model::SharedFilesRoutes& routes,
                               const model::SharedFilesRoutes::Route& route) const;

 private:
  using Pieces = std::vector<double>;  ///< Bytes on each disk that has any, ascending.

  void add(std::int64_t begin, std::int64_t size);
  void follow_calls(const model::SharedFilesScenario& scenario, Bytes call, std::int64_t size);

  std::int64_t chunk_;
  std::int64_t disks_;
  std::vector<Pieces> requests_;
};

}  // namespace doorbell::analytic
