// Remote-memory scenarios whose parts contradict one another.
#include <fmt/format.h>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

void check_remote_memory(RemoteMemoryScenario& remote, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::remote_memory;
  check_profile(examined, at / keys::hardware, remote.hardware);
  const int loads = (remote.block ? 1 : 0) + (remote.paging ? 1 : 0) + (remote.files ? 1 : 0);
  if (loads != 1) {
    examined.refuse(ErrorCode::one_load, at, "one load: \"block\", \"paging\" or \"files\"",
                    loads == 0 ? "none" : fmt::format("{}", loads));
  }
  RemoteAccess& access = remote.access;
  if (access.replicas > access.peers) {
    examined.refuse(ErrorCode::too_few_peers, at / "access" / member_name(access, access.replicas),
                    fmt::format("at most {}, the number of peers", access.peers), fmt::format("{}", access.replicas));
  }
}

}  // namespace doorbell::scenario
