// The requests that one thread has passed on to other machines by one step, and what has come back.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"
#include "models/programs/relay.hpp"

namespace doorbell::model {

class RelayState;
class Thread;

/// A request that waits for its operations.
struct RelayedRequest {
  RelayState* state = nullptr;
  Message* request = nullptr;
  Time began{0};
  int needed = 0;     ///< Operations that must still be seen done before it goes on.
  int under_way = 0;  ///< Operations not yet seen done.
};

/// A machine that requests are relayed to.
struct RelayPeer {
  std::vector<Thread*> threads;                   ///< Of the program that receives; those that can be reached.
  std::size_t next_thread = 0;                    ///< Where they take turns.
  std::vector<QueuePair*> queue_pairs;            ///< Connected to it; not empty.
  std::size_t turn = 0;                           ///< Of their rotation.
  core::RingQueue<RelayedRequest*> waiting = {};  ///< To be posted.
};

class RelayState {
 public:
  RelayState(const Relay& relay, std::vector<RelayPeer> peers) : relay_{relay}, peers_{std::move(peers)} {}
  RelayState(const RelayState&) = delete;
  RelayState& operator=(const RelayState&) = delete;

  [[nodiscard]] const Relay& relay() const { return relay_; }
  [[nodiscard]] std::size_t peers() const { return peers_.size(); }

  /// Takes a request over; its operations go to peer `first` and those behind it.
  void add(Message* request, std::size_t first, Time now);

  /// Operations to one peer that are posted by one call.
  struct List {
    RelayPeer* peer = nullptr;
    QueuePair* queue_pair = nullptr;
    int operations = 0;
  };
  /// What is to be posted next, at most `batch` operations; none when all has been.
  [[nodiscard]] std::optional<List> next(int batch);

  // What comes back; the thread sees it at a time of its own.
  /// An operation is done that nobody answers. What is not signaled is seen with the next CQE of its queue pair.
  void completed(const Message& message);
  void answered(const Message& message) {
    seen_.push({message.relayed, message.visible, leaves_recv_cqe(message.plan->operation), message.asleep()});
  }
  /// When the thread can see the first of these; Time::max() without any.
  [[nodiscard]] Time earliest() const { return seen_.empty() ? Time::max() : seen_.front().visible; }

  /// One operation that is done.
  struct Done {
    bool polled = false;         ///< It has a CQE of its own.
    Message* request = nullptr;  ///< The request that goes on, if it does.
    Time began{0};               ///< Of that.
    Time visible{0};             ///< Since when the operation could be seen.
    Time asleep{0};              ///< For how long that operation waited for threads that slept.
  };
  /// Takes an operation that can be seen at `now`.
  [[nodiscard]] std::optional<Done> take(Time now);

 private:
  struct Seen {
    RelayedRequest* relayed = nullptr;
    Time visible{0};
    bool polled = false;
    Time asleep{0};
  };

  Relay relay_;
  std::vector<RelayPeer> peers_;
  std::size_t posting_ = 0;  // the peer whose operations are posted
  core::RingQueue<Seen> seen_;
  std::deque<RelayedRequest> requests_;  // a deque, because operations point into it
  std::vector<RelayedRequest*> free_;
};

}  // namespace doorbell::model
