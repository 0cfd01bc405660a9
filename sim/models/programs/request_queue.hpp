// Requests that have arrived and not been taken: a completion queue, and the RECVs behind it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ring_queue.hpp"
#include "models/machine/shared_line.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class Thread;

/// Of one thread; or of several, which then take requests from one completion queue, and RECVs from one shared receive
/// queue (SRQ), each under a lock.
class RequestQueue {
 public:
  explicit RequestQueue(const SharedLineParameters& line) : completions_{line}, receives_{line} {}

  /// One more thread takes requests from here; its queue pairs come with so many RECVs.
  void join(std::uint64_t recvs) {
    ++threads_;
    recvs_ += recvs;
  }
  [[nodiscard]] bool shared() const { return threads_ > 1; }

  /// Uses up a RECV. False if there is none.
  [[nodiscard]] bool take_recv() {
    if (recvs_ == 0) return false;
    --recvs_;
    return true;
  }
  void add_recvs(std::uint64_t recvs) { recvs_ += recvs; }

  void push(Message& message) { messages_.push(&message); }
  [[nodiscard]] Message* pop() { return messages_.pop(); }
  [[nodiscard]] std::size_t size() const { return messages_.size(); }
  /// When a core can see the first request; Time::max() without any.
  [[nodiscard]] Time earliest() const { return messages_.empty() ? Time::max() : messages_.front()->visible; }
  /// How many of the first `at_most` requests a core can see at `now`.
  [[nodiscard]] int visible(Time now, int at_most) const;

  /// A thread waits for requests from now on, behind those that wait already.
  void wait(Thread& thread) { waiting_.push_back(&thread); }
  void stop_waiting(Thread& thread) { std::erase(waiting_, &thread); }
  /// Who is to take a request that can be seen at `when`, if somebody waits: of those that still poll the one that has
  /// waited longest, else the one that has slept longest. Null when nobody waits.
  [[nodiscard]] Thread* next_waiting(Time when) const;

  /// The lock of the completion queue, and of the receive queue.
  [[nodiscard]] SharedLine& completions() { return completions_; }
  [[nodiscard]] SharedLine& receives() { return receives_; }
  [[nodiscard]] const SharedLine& completions() const { return completions_; }
  [[nodiscard]] const SharedLine& receives() const { return receives_; }

 private:
  int threads_ = 0;
  std::uint64_t recvs_ = 0;
  core::RingQueue<Message*> messages_;
  std::vector<Thread*> waiting_;
  SharedLine completions_;
  SharedLine receives_;
};

}  // namespace doorbell::model
