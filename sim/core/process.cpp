#include "core/process.hpp"

namespace doorbell::core::detail {

void destroy_processes(ProcessLink*& head) {
  // Destroying a frame takes it off the list; its locals may start or end others.
  while (head != nullptr) head->coroutine.destroy();
}

}  // namespace doorbell::core::detail
