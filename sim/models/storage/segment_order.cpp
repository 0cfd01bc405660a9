#include "models/storage/segment_order.hpp"

#include <algorithm>
#include <numeric>

namespace doorbell::model {

std::vector<std::size_t> segment_order(IoScheduler scheduler, std::size_t segments) {
  std::vector<std::size_t> order(segments);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (scheduler == IoScheduler::anticipatory) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace doorbell::model
