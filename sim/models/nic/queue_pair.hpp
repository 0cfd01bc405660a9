// The state of one queue pair: the send queue as core and NIC see it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/nic/message.hpp"
#include "models/nic/receiver_not_ready.hpp"
#include "models/nic/response_order.hpp"

namespace doorbell::model {

class Endpoint;
class ProcessingUnit;
struct Program;

/// WQEs that one doorbell or one MMIO post announces to the processing unit.
struct PostedWork {
  Time arrival{0};
  const OperationPlan* plan = nullptr;  ///< Of the last one; all go by the same method.
  int wqes = 0;
  Bytes unread_to{0};    ///< Up to where the NIC must read them from the send queue, if it does.
  Bytes end{0};          ///< Of the last one in the send queue.
  bool late = false;     ///< `arrival` is when the context has come, or the queue pair has rested.
  bool fetched = false;  ///< The WQEs have been in the NIC: written by MMIO, or read after a doorbell.
  int in_hand = 0;       ///< WQEs that the processing unit itself has read: these cannot be displaced.
  bool started = false;  ///< The processing unit has already spent its time per call.
  int calls = 1;
};

/// A completion of a signaled WQE.
struct Completion {
  std::uint64_t wqe = 0;
  Time visible{0};
};

struct QueuePair {
  std::uint32_t id = 0;
  int port = 0;
  int depth = 0;
  RdmaNic* nic = nullptr;
  ProcessingUnit* unit = nullptr;
  Endpoint* owner = nullptr;
  const Program* program = nullptr;  ///< Of the owner, if it has one.
  bool leads_to_thread = false;      ///< To a queue pair of one: SENDs are among what goes over it.
  std::size_t source = 0;            ///< Number of the owner among those who post.

  // Core side.
  std::uint64_t posted = 0;
  Bytes posted_to{0};                       ///< In the send queue, as WqeReads counts.
  std::uint64_t reclaimed = 0;              ///< WQEs known to be complete.
  std::optional<std::uint64_t> signaled;    ///< The last WQE posted that is signaled.
  bool polled_for_room = false;             ///< As its posting step says.
  bool told_by_cqes = false;                ///< Likewise.
  core::RingQueue<Completion> completions;  ///< CQEs written and not yet polled.
  /// An operation for a relayed request that is done, which only a later CQE tells.
  struct Unseen {
    std::uint64_t wqe = 0;
    RelayedRequest* relayed = nullptr;
  };
  core::RingQueue<Unseen> unseen;
  core::RingQueue<Message*> untold;  ///< Operations that have finished, which only a later CQE tells.

  // NIC side.
  /// A message that must not overtake the payloads before it, which the NIC still reads.
  struct InOrder {
    Message* message = nullptr;
    std::uint64_t after = 0;  ///< Reads of payload that must be done.
  };
  Message* first = nullptr;  ///< Oldest WQE not yet processed.
  Message* last = nullptr;
  core::RingQueue<PostedWork> work;  ///< Announced and not yet begun.
  std::optional<PostedWork> held;    ///< Begun; waits for a READ or atomic to come back, or behind refused requests.
  bool from_memory = false;          ///< WQEs that come by MMIO are read until none is left.
  Bytes read_ahead{0};               ///< Read at a time of WQEs by MMIO that found no room, one fetch unit at least.
  bool scheduled = false;            ///< In the queue of its processing unit, or in its hands.
  Time rests_until{0};               ///< Not served before; READs under way keep it waiting in a way of their own.
  std::uint64_t gathers_begun = 0;   ///< Reads of payload, by message or by part of one.
  std::uint64_t gathers_done = 0;
  core::RingQueue<InOrder> behind;    ///< Processed, and waiting for those.
  int in_flight = 0;                  ///< READs and atomics under way.
  int reads = 0;                      ///< READs among them.
  int most_in_flight = 0;             ///< As the connection to the responder of the last one was set up.
  bool closed = false;                ///< Not served until no READ is under way.
  std::optional<std::uint32_t> met;   ///< Number among those with atomics for the responder, in order of their first.
  int round = 1;                      ///< READs that may go out together.
  int sent_in_round = 0;              ///< READs sent since none was under way.
  Bytes read_again_to{0};             ///< WQEs up to here have been read again together with an earlier one.
  Bytes reply_reads_to{0};            ///< The same for responses, the read being under way or done.
  Bytes replies_read_to{0};           ///< Done.
  core::RingQueue<Message*> replies;  ///< Responses that wait for the unit that an earlier one reads again.
  ResponseOrder responses;            ///< At the responder.
  int recvs_used = 0;                 ///< Of the receive queue at the other end, and not posted again.
  core::RingQueue<Message*> unread;   ///< Responses whose payload the responder has not begun to read.
  core::TimeWeighted held_back;       ///< 1 while WQEs wait until READs or atomics before them are back.
  Time in_unit{0};                    ///< For which its WQEs were fetched and processed, since the warm-up.
  Time requests_late_to{0};   ///< At the responder: when all that waited for a context, or came behind such, are ready.
  Time responses_late_to{0};  ///< The same at the requester.
  int requests_accepted = 0;  ///< By the responder's receive pipeline, in order of arrival, and not yet served.
  int replies_accepted = 0;   ///< The same at the requester.
  int on_way = 0;             ///< RC: requests that the unit has handed over and the responder has not looked at.
  RefusedRequests refused;

  /// Polls a CQE. A response whose WQE is being read again may have been overtaken by later ones.
  void poll_completion() { reclaimed = std::max(reclaimed, completions.pop().wqe + 1); }

  /// Its processing unit passes it over.
  [[nodiscard]] bool is_aside() const { return held || closed || refused.waits; }

  /// To be called when `held`, `closed`, `work` or `refused.waits` may have become another.
  void note_held_back(Time now) { held_back.set(now, !refused.waits && (held || (closed && !work.empty())) ? 1 : 0); }

  /// Gives the WQE of `message`, whose plan is known, its number and its place.
  void append(Message* message) {
    message->wqe = posted++;
    message->wqe_begin = posted_to;
    posted_to = message->wqe_end();
    message->next = nullptr;
    (first == nullptr ? first : last->next) = message;
    last = message;
  }
  Message* take() {
    Message* message = first;
    first = message->next;
    return message;
  }
  /// Before all that wait.
  void put_back(Message* message) {
    if (first == nullptr) last = message;
    message->next = first;
    first = message;
  }
  /// A READ or atomic was discarded by the responder and is under way no more.
  void taken_back(const Message& message) {
    --in_flight;
    if (!message.plan->is_read()) return;
    --reads;
    --sent_in_round;
  }
};

}  // namespace doorbell::model
