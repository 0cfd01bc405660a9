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
  const int loads =
      (remote.block ? 1 : 0) + (remote.paging ? 1 : 0) + (remote.records ? 1 : 0) + (remote.files ? 1 : 0);
  if (loads != 1) {
    examined.refuse(ErrorCode::one_load, at, "one load: \"block\", \"paging\", \"records\" or \"files\"",
                    loads == 0 ? "none" : fmt::format("{}", loads));
  }
  RemoteAccess& access = remote.access;
  if (access.replicas > access.peers) {
    examined.refuse(ErrorCode::too_few_peers, at / "access" / member_name(access, access.replicas),
                    fmt::format("at most {}, the number of peers", access.peers), fmt::format("{}", access.replicas));
  }
  if (access.unreachable > access.peers) {
    examined.refuse(ErrorCode::too_few_peers, at / "access" / member_name(access, access.unreachable),
                    fmt::format("at most {}, the number of peers", access.peers),
                    fmt::format("{}", access.unreachable));
  }
  if (uses_disk(access) && !remote.hardware.disk) {
    examined.refuse(ErrorCode::no_disk, at / keys::hardware,
                    access.copy_on_disk ? "a profile with a disk for the copies of writes"
                                        : "a profile with a disk for blocks of which no replica is left",
                    "none");
  }
}

}  // namespace doorbell::scenario
