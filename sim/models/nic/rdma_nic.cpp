#include "models/nic/rdma_nic.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "models/nic/endpoint.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/nic/state_fetch.hpp"

namespace doorbell::model {
namespace {

/// Time of one read of a context, without queueing.
Time context_fetch_time(const HardwareProfile& profile) {
  const TlpTrain completions = completion_tlps(profile.pcie, profile.nic.qp_context);
  return state_fetch_time(profile) + occupancy(profile.pcie, completions);
}

}  // namespace

RdmaNic::RdmaNic(core::Calendar& calendar, const HardwareProfile& profile, const Fabric& fabric, MessagePool& pool,
                 std::uint32_t rank)
    : calendar_{calendar},
      profile_{&profile},
      pool_{pool},
      priority_{rank},
      dma_{calendar, profile.pcie, profile.root_complex, core::Priority{rank + 1}},
      mmio_buffer_{profile.nic.mmio_wqes},
      wqe_cache_{profile.nic.wqe_cache, profile.nic.wqe_cache_ways},
      wqe_reads_{profile},
      state_fetches_{static_cast<std::size_t>(profile.nic.state_fetches)},
      fetch_of_context_{dma_read_cost(profile.pcie, profile.root_complex.read_latency, profile.nic.qp_context)},
      read_states_{profile.nic.read_states, profile.nic.read_state_fetches, state_fetch_time(profile)},
      atomics_{calendar, *this, profile.atomics},
      receive_pipeline_{calendar, *this, profile.port.ports, core::Priority{rank + 5}},
      recvs_{dma_, profile.nic},
      not_ready_{calendar, *this, pool, core::Priority{rank}},
      requests_{calendar, *this, pool, profile.nic.tx_queue, profile.port.ports, core::Priority{rank}} {
  for (int i = 0; i < profile.nic.processing_units; ++i) units_.emplace_back(calendar, *this, core::Priority{rank + 3});
  for (int i = 0; i < profile.port.ports; ++i) {
    responses_.emplace_back(*this, profile.pcie.read_tags, profile.nic.tx_queue, profile.port.mtu);
    ports_.push_back(std::make_unique<NetworkPort>(calendar, *this, profile.port, fabric.switch_latency, i,
                                                   core::Priority{rank + 4}, priority_));
  }
}

void RdmaNic::limit_contexts(std::uint64_t seed, std::string_view name) {
  contexts_.emplace(profile_->nic.qp_contexts, state_fetches_, context_fetch_time(*profile_), seed,
                    std::string{name} + "/contexts");
}

void RdmaNic::limit_translations(std::uint64_t seed, std::string_view name) {
  translations_.emplace(profile_->nic.translations, state_fetches_, state_fetch_time(*profile_), seed,
                        std::string{name} + "/translations");
}

/// When the translations of all pages that a request touches are there.
Time RdmaNic::translated(const Message& message, Time when) {
  const std::int64_t page = message.plan->page.count;
  if (page == 0) return when;
  const std::int64_t bytes = std::max<std::int64_t>(1, message.plan->operation.payload.count);
  Time ready = when;
  for (std::int64_t at = message.address / page * page; at < message.address + bytes; at += page) {
    ready = std::max(ready, looked_up(*translations_, static_cast<std::uint64_t>(at), when, wqe_reads_.of_slot()));
  }
  return ready;
}

/// When the NIC knows again what a response belongs to.
Time RdmaNic::read_state_ready(const Message& response, Time when) {
  if (read_states_.holds(response.read_state)) return when;
  const Time delay = delay_of_fetch(when);
  fetch_state(wqe_reads_.of_slot());
  return read_states_.restored(when, delay);
}

Time RdmaNic::looked_up(TableCache& table, std::uint64_t key, Time when, const DmaReadCost& read) {
  const std::uint64_t misses = table.misses();
  const Time ready = table.ready(key, when, delay_of_fetch(when));
  if (table.misses() != misses) fetch_state(read);
  return ready;
}

/// A fetch takes a fixed time, and as long as it waits for other reads; this read stands for what it takes of the link.
void RdmaNic::fetch_state(const DmaReadCost& read) {
  struct Nothing {
    static void call(void*, std::uint64_t) {}
  };
  dma_.read_again(read, {&Nothing::call, this, 0});
}

/// What waits for the link now has gone on by the time that the fetch begins.
Time RdmaNic::delay_of_fetch(Time when) { return std::max(Time{0}, calendar_.now() + dma_.read_delay() - when); }

ProcessingUnit& RdmaNic::unit_of(std::uint32_t queue_pair) { return units_[queue_pair % units_.size()]; }

NetworkPort& RdmaNic::port_of(const Message& message) {
  const bool requester = message.queue_pair->nic == this;
  return *ports_[requester ? static_cast<std::size_t>(message.queue_pair->port) : message.responder_port];
}

void RdmaNic::send(Message& message) {
  const Time ready =
      transmit_pipeline_.reserve(calendar_.now(), packet(message).transmit, message.is_reply ? "reply" : "request") +
      profile_->nic.latency;
  RdmaNic& peer = message.is_reply ? *message.queue_pair->nic : *message.responder;
  port_of(message).send(message, peer.port_of(message), ready);
}

std::optional<Time> RdmaNic::transmit(Message& message, ProcessingUnit& unit) {
  NetworkPort& port = port_of(message);
  const Time service = packet(message).transmit;
  if (message.plan->is_read()) message.read_state = read_states_.begin();
  if (message.plan->acknowledged) ++message.queue_pair->on_way;
  if (!requests_.accept(message, unit)) return std::nullopt;
  if (!port.has_place()) {
    port.park(unit);
    return std::nullopt;
  }
  return room_after(service, port);
}

Time RdmaNic::room_after(Time service, NetworkPort& port) {
  const Time pipeline_room = transmit_pipeline_.busy_until() - service * profile_->nic.tx_queue;
  return std::max({calendar_.now(), pipeline_room, port.room_for(NetworkPort::Side::requests)});
}

void RdmaNic::respond(Message& message) {
  message.is_reply = true;
  message.queue_pair->responses.ready(message, [this](Message& response) { send(response); });
}

void RdmaNic::sent(Message& message, Time when) {
  if (message.part || message.is_reply || message.plan->acknowledged) return;
  const bool awaited = message.plan->completes_when_sent;
  if (!awaited) message.queue_pair->owner->transmitted(message, when);
  if (!message.signaled && !awaited) return;
  // The message goes on to its receiver and may be gone by then, so a token of its own completes the WQE.
  Message* token = pool_.take();
  token->plan = message.plan;
  token->queue_pair = message.queue_pair;
  token->wqe = message.wqe;
  token->relayed = message.relayed;
  token->number = message.number;
  token->unfinished = message.unfinished;
  token->posted = message.posted;
  token->signaled = message.signaled;
  calendar_.at<&RdmaNic::local_completion>(when, priority_, *this, reinterpret_cast<std::uintptr_t>(token));
}

void RdmaNic::local_completion(std::uint64_t argument) {
  Message& token = *reinterpret_cast<Message*>(argument);
  if (token.plan->completes_when_sent) return finish(token, calendar_.now());
  complete(*token.queue_pair, token.wqe, token.plan->cqe);
  pool_.give_back(&token);
}

Time RdmaNic::complete(QueuePair& queue_pair, std::uint64_t wqe, const WriteCost& cqe) {
  const Time visible = dma_.write(cqe).visible;
  queue_pair.completions.push({wqe, visible});
  queue_pair.owner->completion_written(queue_pair);
  return visible;
}

Time RdmaNic::receive_service(const Message& message) const {
  const bool writes_cqe = message.is_reply && message.signaled && !message.part;
  return packet(message).receive + (writes_cqe ? message.plan->reply_cqe : Time{0});
}

void RdmaNic::received(Message& message, Time when) {
  // A datagram's receiver uses its own queue pair, which serves all senders and stays in the NIC. Unreliable WRITEs
  // need little of theirs: as many as 256 queue pairs do not slow them down (Kalia et al., SIGCOMM 2014, Fig. 6).
  const bool needs_context = message.is_reply || message.plan->acknowledged;
  const bool read = message.plan->is_read();
  const bool response = read && message.is_reply;
  const Time arrived = when + profile_->nic.latency + (response ? profile_->nic.read_response_latency : Time{0});
  const Time context = needs_context ? context_ready(*message.queue_pair, arrived) : arrived;
  Time& late_to = message.is_reply ? message.queue_pair->responses_late_to : message.queue_pair->requests_late_to;
  // The port announces messages before they arrive: one that does after the last late one must still not be before it
  // in the pipeline.
  const bool late = context > arrived || late_to >= calendar_.now();
  Time ready = context;
  if (read && !message.is_reply) read_states_.begin();
  if (response && !message.part) ready = std::max(ready, read_state_ready(message, arrived));
  // Once per message, and not again for each of its parts.
  if (translations_ && !message.is_reply && !message.part) ready = std::max(ready, translated(message, arrived));
  if (late) {
    // Late messages of a queue pair stay in order; behind others of it that are not late, the pipeline keeps them.
    late_to = ready = std::max(ready, late_to);
    calendar_.at<&RdmaNic::context_read>(ready, priority_, *this, reinterpret_cast<std::uintptr_t>(&message));
  } else {
    receive_pipeline_.accept(static_cast<std::size_t>(port_of(message).index()), message, ready);
  }
}

void RdmaNic::context_read(std::uint64_t argument) {
  Message& message = *reinterpret_cast<Message*>(argument);
  receive_pipeline_.accept_late(static_cast<std::size_t>(port_of(message).index()), message);
}

bool RdmaNic::deliver(Message& message) {
  if (message.is_reply) {
    deliver_reply(message);
    return true;
  }
  if (message.plan->acknowledged && !message.part) --message.queue_pair->on_way;
  return deliver_request(message);
}

void RdmaNic::free_buffer(Message& message, Time when) { port_of(message).release(packet(message).network, when); }

bool RdmaNic::deliver_request(Message& message) {
  const OperationPlan& plan = *message.plan;
  if (plan.operation.transport == Transport::rc && message.queue_pair->refused.refused) {
    free_buffer(message, calendar_.now());
    not_ready_.discard(message);
    return true;
  }
  if (plan.gets_response()) {
    free_buffer(message, calendar_.now());
    if (plan.remote_write) {
      message.queue_pair->responses.await_turn(message);
      return atomics_.submit(message);
    }
    if (!plan.remote_read) {
      message.queue_pair->responses.await_turn(message);
      respond(message);
      return true;
    }
    ResponsePayloads& responses = responses_[static_cast<std::size_t>(port_of(message).index())];
    for (int packets = plan.parts; packets > 0; --packets) {
      Message& part = packets > 1 ? take_part(pool_, message) : message;
      part.queue_pair->responses.await_turn(part);
      responses.read(part);
    }
    return true;
  }
  if (message.part) {
    const WriteCost& payload = plan.payload_at(message.address);
    const HostDma::Written written = dma_.write(payload);
    free_buffer(message, written.left - payload.service);
    pool_.give_back(&message);
    return true;
  }

  if (plan.recv_prefetch && !recvs_.has_one()) {
    waits_for_recv_ = &message;
    struct Arrived {
      static void call(void* self, std::uint64_t argument) { static_cast<RdmaNic*>(self)->recvs_arrived(argument); }
    };
    recvs_.await({&Arrived::call, this, 0});
    return false;
  }
  Endpoint* destination = message.destination;
  const bool lost = plan.recv_prefetch && destination != nullptr && !destination->take_recv(message);
  if (lost) {
    free_buffer(message, calendar_.now());
    if (plan.acknowledged) {
      not_ready_.refuse(message);
      return true;
    }
  } else {
    write_request(message);
  }
  if (plan.acknowledged) {
    Message* ack = pool_.take();
    *ack = message;
    ack->queue_pair->responses.await_turn(*ack);
    respond(*ack);
  }
  if (destination == nullptr || lost) {
    pool_.give_back(&message);
  } else {
    destination->deliver(message);
  }
  return true;
}

/// Payload and completion of a SEND or WRITE.
void RdmaNic::write_request(Message& message) {
  const OperationPlan& plan = *message.plan;
  if (plan.recv_prefetch) recvs_.take(*plan.recv_prefetch);
  HostDma::Written written{calendar_.now(), calendar_.now()};
  Time first_left = calendar_.now();
  for (int i = 0; i < plan.deliver.count; ++i) {
    const WriteCost& cost = i == 0 ? plan.payload_at(message.address) : plan.deliver.items[1];
    written = dma_.write(cost);
    if (i == 0) first_left = written.left - cost.service;
  }
  message.visible = written.visible;
  // Until the link takes the write, the packet stays in the port's buffer: this is what pushes back on senders.
  free_buffer(message, first_left);
}

void RdmaNic::recvs_arrived(std::uint64_t) {
  if (deliver_request(*std::exchange(waits_for_recv_, nullptr))) receive_pipeline_.resume(false);
}

void RdmaNic::deliver_reply(Message& message) {
  if (!message.plan->returned_payload) free_buffer(message, calendar_.now());
  if (message.refusal) return not_ready_.answered(message);
  if (message.part) {
    static_cast<void>(write_returned(message));
    pool_.give_back(&message);
    return;
  }
  // A response must know where its data goes: the WQE says, and if it has been displaced it is read once more.
  if (message.plan->returned_payload && !wqe_cache_.holds(message.ticket)) {
    QueuePair& queue_pair = *message.queue_pair;
    if (message.wqe_end() <= queue_pair.replies_read_to) return finish_reply(message);
    if (message.wqe_end() <= queue_pair.reply_reads_to) {
      queue_pair.replies.push(&message);
      return;
    }
    queue_pair.reply_reads_to = std::min(wqe_reads_.end_of_place(message.wqe_end()), queue_pair.posted_to);
    read_displaced(wqe_reads_.between(message.wqe_begin, message.wqe_end(), queue_pair.posted_to),
                   continue_with<&RdmaNic::finish_replies>(*this, message));
    return;
  }
  finish_reply(message);
}

/// The payload of a response, which stays in the port's buffer until the link takes it, like that of a request. Returns
/// when a core can see it.
Time RdmaNic::write_returned(Message& message) {
  const WriteCost& payload = *message.plan->returned_payload;
  const HostDma::Written written = dma_.write(payload);
  free_buffer(message, written.left - payload.service);
  return written.visible;
}

void RdmaNic::read_displaced(const DmaReadCost& cost, Continuation done) {
  wqe_cache_.occupy();
  static_cast<void>(transmit_pipeline_.reserve(calendar_.now(), profile_->nic.tx_displaced, "displaced"));
  ++displaced_reads_;
  dma_.read_again(cost, done);
}

void RdmaNic::finish_replies(Message& message) {
  QueuePair& queue_pair = *message.queue_pair;
  core::RingQueue<Message*>& waiting = queue_pair.replies;
  const Bytes end = std::min(wqe_reads_.end_of_place(message.wqe_end()), queue_pair.reply_reads_to);
  queue_pair.replies_read_to = end;
  finish_reply(message);
  while (!waiting.empty() && waiting.front()->wqe_end() <= end) finish_reply(*waiting.pop());
}

void RdmaNic::finish_reply(Message& message) {
  QueuePair& queue_pair = *message.queue_pair;
  Time visible = calendar_.now();
  if (message.plan->returned_payload) {
    visible = write_returned(message);
  } else if (message.by_mmio) {
    mmio_buffer_.acknowledged();
  }
  if (message.plan->gets_response()) queue_pair.unit->release(message);
  finish(message, visible);
}

void RdmaNic::finish(Message& message, Time visible) {
  QueuePair& queue_pair = *message.queue_pair;
  // Its owner may have taken the CQE by then.
  if (message.signaled) visible = complete(queue_pair, message.wqe, message.plan->cqe);
  message.visible = visible;
  queue_pair.owner->completed(message);
}

void RdmaNic::measure(Time from, Time until) {
  dma_.measure(from, until);
  state_fetches_.measure(from, until);
  read_states_.fetches().measure(from, until);
  if (contexts_) contexts_->measure();
  if (translations_) translations_->measure();
  atomics_.measure(from);
  requests_.measure(from);
  displaced_reads_ = 0;
  transmit_pipeline_.measure(from, until);
  receive_pipeline().measure(from, until);
  for (ProcessingUnit& unit : units_) unit.measure();
  for (const auto& port : ports_) port->measure(from, until);
}

void RdmaNic::trace(core::TraceWriter& writer, std::string_view machine) {
  dma_.trace(writer, machine);
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    if (units_[unit].used()) units_[unit].trace({&writer, machine, "processing unit " + std::to_string(unit)});
  }
  transmit_pipeline_.trace({&writer, machine, "NIC transmit pipeline"});
  receive_pipeline_.server().trace({&writer, machine, "NIC receive pipeline"});
  for (auto& port : ports_) {
    const std::string name = "port " + std::to_string(port->index());
    port->transmitter().trace({&writer, machine, name + " sends"});
    port->receiver().trace({&writer, machine, name + " receives"});
  }
}

}  // namespace doorbell::model
