// How requests reach the memory of other machines. Plain data, as scenario.hpp. Mechanisms and names follow RDMAbox
// (Bae et al. 2021, sections 4 to 7).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/remote_memory/registration.hpp"

namespace doorbell::model {

/// How requests become WQEs. `doorbell`: those at hand are chained. `merge`: adjacent ones become one WQE (batching on
/// MR). `hybrid`: both.
enum class Batching { single, doorbell, merge, hybrid };
/// What takes completions. `busy`: a thread per queue that polls for ever. `event`: an interrupt per completion.
/// `event_batch`: an interrupt, and then up to `budget` completions. `adaptive`: an interrupt, and then completions
/// until `max_retry` polls have found none. `timer`: an interrupt, and then polling for a fixed time.
enum class CompletionMode { busy, event, event_batch, adaptive, timer };
/// `one_sided`: READ and WRITE. `two_sided`: SEND to a daemon, which copies and answers.
enum class Protocol { one_sided, two_sided };

template <> struct EnumNames<Batching> {
  static constexpr std::array<std::string_view, 4> values{"single", "doorbell", "merge", "hybrid"};
};
template <> struct EnumNames<CompletionMode> {
  static constexpr std::array<std::string_view, 5> values{"busy", "event", "event_batch", "adaptive", "timer"};
};
template <> struct EnumNames<Protocol> {
  static constexpr std::array<std::string_view, 2> values{"one_sided", "two_sided"};
};

/// Who takes completions, and how.
struct CompletionHandling {
  CompletionMode mode = CompletionMode::adaptive;
  int budget = 32;
  int max_retry = 4;
  Time timer = std::chrono::microseconds{10};
  int shared_queues = 0;
  int threads_per_queue = 1;
};
template <class V> void describe(V& v, CompletionHandling& s) {
  v.optional("mode", s.mode, {.doc = "busy, event, event_batch, adaptive or timer."});
  v.optional("budget", s.budget, {.doc = "Most completions of one poll or event batch.", .min = 1, .max = 65536});
  v.optional("max_retry", s.max_retry,
             {.doc = "adaptive: polls in a row that find nothing before the handler leaves.", .min = 0, .max = 1e6});
  v.optional("timer", s.timer, {.doc = "timer: how long the handler polls after an event.", .max = 1});
  v.optional("shared_queues", s.shared_queues,
             {.doc = "Completion queues that all queue pairs share; 0: one for each queue pair.", .max = 4096});
  v.optional("threads_per_queue", s.threads_per_queue,
             {.doc = "Polling threads of each completion queue of the host (busy).", .min = 1, .max = 256});
}

/// Threads that serve each completion queue.
[[nodiscard]] inline int handlers_of_queue(const CompletionHandling& handling) {
  return handling.mode == CompletionMode::busy ? handling.threads_per_queue : 1;
}

/// How a daemon's threads take requests: likewise, each from a queue of its own.
[[nodiscard]] inline CompletionHandling handling_of_daemon(CompletionHandling handling) {
  handling.threads_per_queue = 1;
  return handling;
}

/// What a request or an answer of the two-sided protocol carries beside data.
constexpr Bytes two_sided_header{64};

/// How requests reach remote memory.
struct RemoteAccess {
  int peers = 1;
  int replicas = 1;
  int unreachable = 0;
  bool copy_on_disk = false;
  int queue_pairs = 1;
  Bytes stripe{1 << 20};
  Batching batching = Batching::hybrid;
  Bytes largest_merge{131072};
  int chain = 32;
  Bytes window{0};
  Registration registration = Registration::map;
  Bytes copy_up_to{0};
  AddressSpace space = AddressSpace::kernel;
  Protocol protocol = Protocol::one_sided;
  int server_copies = 0;
  CompletionHandling completion;
};
[[nodiscard]] inline DataPlacement placement_of(const RemoteAccess& access) {
  return {access.registration, access.copy_up_to, access.space};
}
/// Whether a peer answers.
[[nodiscard]] inline bool answers(const RemoteAccess& access, int peer) { return peer >= access.unreachable; }
/// How many do.
[[nodiscard]] inline int answering_peers(const RemoteAccess& access) { return access.peers - access.unreachable; }
/// Machines that hold what `peer` is the first replica of, and answer; in the order in which they are asked.
[[nodiscard]] inline std::vector<int> holders_of(const RemoteAccess& access, int peer) {
  std::vector<int> holders;
  for (int replica = 0; replica < std::min(access.replicas, access.peers); ++replica) {
    const int holder = (peer + replica) % access.peers;
    if (answers(access, holder)) holders.push_back(holder);
  }
  return holders;
}
/// Share of the blocks that no machine holds any more.
[[nodiscard]] inline double lost_share(const RemoteAccess& access) {
  int lost = 0;
  for (int peer = 0; peer < access.peers; ++peer) lost += holders_of(access, peer).empty() ? 1 : 0;
  return static_cast<double>(lost) / access.peers;
}
/// Whether anything ever goes to the disk of the host.
[[nodiscard]] inline bool uses_disk(const RemoteAccess& access) {
  return access.copy_on_disk || lost_share(access) > 0;
}
/// Completion queues that the host has.
[[nodiscard]] inline int completion_queues(const RemoteAccess& access) {
  const int shared = access.completion.shared_queues;
  return shared > 0 ? shared : access.peers * access.queue_pairs;
}
/// What it says of a device whose peers are a group of machines, and which READs and WRITEs.
template <class V> void describe_one_sided(V& v, RemoteAccess& s) {
  v.optional("replicas", s.replicas, {.doc = "Machines that each write goes to.", .min = 1, .max = 16});
  v.optional(
      "unreachable", s.unreachable,
      {.doc = "Peers that do not answer any more, the first ones: requests go to the other replicas, or, where no "
              "replica is left, to the disk of the host.",
       .min = 0,
       .max = 256});
  v.optional("copy_on_disk", s.copy_on_disk,
             {.doc = "A write is done when the disk of the host has it, too. Reads go there only when no replica is "
                     "left."});
  v.optional("queue_pairs", s.queue_pairs, {.doc = "Queue pairs to each of them.", .min = 1, .max = 256});
  v.optional("stripe", s.stripe,
             {.doc = "Adjacent bytes that one machine holds. A request that is longer goes to the one that holds its "
                     "beginning.",
              .min = 4096,
              .max = 1LL << 40});
  v.optional("batching", s.batching, {.doc = "single, doorbell, merge or hybrid."});
  v.optional("largest_merge", s.largest_merge,
             {.doc = "Most bytes of a WQE made of several requests.", .min = 4096, .max = 1 << 26});
  v.optional("chain", s.chain, {.doc = "Most WQEs of one doorbell.", .min = 1, .max = 4096});
  v.optional("window", s.window,
             {.doc = "Bytes in flight beyond which requests wait in the merge queue; 0 B: no limit.",
              .min = 0,
              .max = 1LL << 40});
  describe_placement(v, s);
  v.optional("completion", s.completion, {.doc = "Handling of completions."});
}
template <class V> void describe(V& v, RemoteAccess& s) {
  v.optional("peers", s.peers, {.doc = "Machines that lend memory.", .min = 1, .max = 256});
  describe_one_sided(v, s);
  v.optional("protocol", s.protocol, {.doc = "one_sided or two_sided."});
  v.optional("server_copies", s.server_copies,
             {.doc = "two_sided: times that the daemon copies the data.", .min = 0, .max = 16});
}

/// The device that each machine of a group has.
struct RemoteDeviceGroup {
  std::string peers;    ///< The machines that lend memory.
  RemoteAccess access;  ///< One-sided, to as many peers as that group has machines.
  Bytes of_loads{0};    ///< At its beginning, where no program works.
};
template <class V> void describe(V& v, RemoteDeviceGroup& s) {
  v.field("peers", s.peers, {.doc = "Name of the machines that lend memory."});
  describe_one_sided(v, s.access);
}

}  // namespace doorbell::model
