// One operation on its way: the WQE in the send queue, then the request, then its response.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/quantity.hpp"
#include "models/nic/operation_plan.hpp"

namespace doorbell::model {

class Endpoint;
class RdmaNic;
struct QueuePair;
struct RelayedRequest;

struct Message {
  Message* next = nullptr;  ///< In the send queue, or in the pool.
  const OperationPlan* plan = nullptr;
  QueuePair* queue_pair = nullptr;  ///< Of the requester.
  RdmaNic* responder = nullptr;
  Endpoint* destination = nullptr;    ///< Who collects a SEND or a WRITE; null when nobody does.
  RelayedRequest* relayed = nullptr;  ///< For which the operation, or what it answers, was posted; null for most.
  std::uint64_t wqe = 0;              ///< Its number among those of the queue pair.
  Bytes wqe_begin{0};                 ///< Its place in the send queue, as WqeReads counts.
  std::uint64_t ticket = 0;           ///< Of the WQE in the NIC's cache.
  std::uint64_t read_state = 0;       ///< Ticket of a READ's state in the NIC.
  std::int64_t address = 0;           ///< Of what it touches at the responder.
  std::uint64_t flight = 0;    ///< Of a device on remote memory; comes back with the answer. Of programs: see asleep().
  Bytes answer_size{0};        ///< Of the answer to a request of a remote-memory daemon.
  Time posted{0};              ///< When the work that this belongs to began: for an answer, its request.
  Time visible{0};             ///< When the receiving core can see it.
  std::uint32_t number = 0;    ///< Of the operation in its thread, modulo 2^32.
  std::uint32_t response = 0;  ///< Of the response among those of its queue pair, modulo 2^32.
  std::uint32_t unfinished = 0;  ///< Number of its operation, of which parts follow; or 0.
  bool signaled = false;
  bool by_mmio = false;             ///< A SEND or WRITE whose WQE the core has written into the NIC.
  bool is_reply = false;            ///< On its way back as response or ACK.
  bool refusal = false;             ///< Says that a request has found no RECV.
  bool answers = false;             ///< Answers a request that was collected.
  bool wrote = false;               ///< A request whose data are kept, in memory, on a drive, or by other machines.
  bool part = false;                ///< Of a longer message, and not its last.
  std::uint8_t responder_port = 0;  ///< By which the request comes to the responder, and the response leaves it.

  /// For how long the work that a program's message belongs to has waited for threads that slept. These have no
  /// flights, and a field more would cost every operation time.
  [[nodiscard]] Time asleep() const { return Time{static_cast<std::int64_t>(flight)}; }
  void add_sleep(Time time) { flight += static_cast<std::uint64_t>(time.count()); }

  [[nodiscard]] Bytes wqe_end() const { return wqe_begin + plan->wqe_place; }
};

/// What the message takes on its way through the network.
[[nodiscard]] inline const PacketCost& packet(const Message& message) {
  return message.is_reply ? message.plan->reply : message.plan->request;
}

/// Whether the message is one of several packets, be it the last.
[[nodiscard]] inline bool is_packet_of_several(const Message& message) {
  return message.part || message.plan->parts > 1;
}

/// Recycles messages, in blocks: none is allocated once the largest number in flight has been reached.
class MessagePool {
 public:
  [[nodiscard]] Message* take() {
    if (free_ == nullptr) grow();
    Message* message = free_;
    free_ = message->next;
    *message = Message{};
    return message;
  }
  void give_back(Message* message) {
    message->next = free_;
    free_ = message;
  }

 private:
  void grow() {
    constexpr std::size_t block = 1024;
    blocks_.push_back(std::make_unique<Message[]>(block));
    for (std::size_t i = 0; i < block; ++i) give_back(&blocks_.back()[i]);
  }

  std::vector<std::unique_ptr<Message[]>> blocks_;
  Message* free_ = nullptr;
};

/// One of the packets before the last one, which is `message` itself.
[[nodiscard]] inline Message& take_part(MessagePool& pool, const Message& message) {
  Message& part = *pool.take();
  part = message;
  part.part = true;
  part.plan = message.plan->part.get();
  return part;
}

}  // namespace doorbell::model
