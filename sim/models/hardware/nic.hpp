// The RDMA NIC: processing units, NIC-wide pipelines, WQE fetch, completions and atomics.
#pragma once

#include <algorithm>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

struct NicParameters {
  int processing_units = 0;
  Time pu_wqe{0};
  Time pu_doorbell{0};
  Time tx_message{0};
  Time tx_line{0};
  Time tx_read_request{0};
  Bytes long_read;
  Time tx_displaced{0};
  Time tx_response{0};
  Time rx_message{0};
  Time rx_recv{0};
  Time rx_dma{0};
  Time rx_lookup{0};
  Bandwidth data_path;
  Bytes wqe_slot;
  Bytes wqe_stride;
  Bytes ud_wqe_header;
  Bytes connected_wqe_header;
  int max_fetch = 0;
  Bytes wqe_fetch_unit;
  int mmio_wqes = 0;
  Bytes wqe_read_ahead;
  int wqe_cache = 0;
  int qp_contexts = 0;
  Bytes qp_context;
  int translations = 0;
  int state_fetches = 1;
  int read_states = 1;
  int read_state_fetches = 1;
  int tx_queue = 0;
  int max_outstanding_reads = 0;
  int read_growth = 16;
  Time turnaround{0};
  int wqe_cache_ways = 0;
  Bytes wqe_cache_place;
  Bytes recv_wqe;
  int recv_prefetch = 0;
  int recv_ahead = 0;
  Bytes cqe;
  Bytes inline_receive;
  Time rx_inline{0};
  Time latency{0};
  Time read_response_latency{0};
};
template <class V> void describe(V& v, NicParameters& s) {
  v.field("processing_units", s.processing_units,
          {.doc = "Parallel engines; a queue pair always uses the same one.", .min = 1, .max = 1024});
  v.field("pu_wqe", s.pu_wqe, {.doc = "Time a processing unit needs per send WQE.", .max = 1e-5});
  v.field("pu_doorbell", s.pu_doorbell,
          {.doc = "Time a processing unit needs per doorbell, beside waiting for the WQEs.", .max = 1e-5});
  v.field("tx_message", s.tx_message, {.doc = "NIC-wide outbound pipeline, per message.", .max = 1e-5});
  v.field("tx_line", s.tx_line,
          {.doc = "NIC-wide outbound pipeline, added for each slot of a WQE after its first.", .max = 1e-5});
  v.field("tx_read_request", s.tx_read_request,
          {.doc = "NIC-wide outbound pipeline, added for a READ request.", .max = 1e-5});
  v.field("long_read", s.long_read,
          {.doc = "The request of a READ for more than this takes the outbound pipeline twice as long; 0 B: none does.",
           .min = 0,
           .max = 1 << 30});
  v.field("tx_displaced", s.tx_displaced,
          {.doc = "NIC-wide outbound pipeline, for each read of WQEs that the WQE cache has displaced.", .max = 1e-5});
  v.field("tx_response", s.tx_response,
          {.doc = "NIC-wide outbound pipeline, per packet of a response to a READ, and per response to an atomic.",
           .max = 1e-5});
  v.field("rx_message", s.rx_message, {.doc = "NIC-wide inbound pipeline, per message.", .max = 1e-5});
  v.field("rx_recv", s.rx_recv,
          {.doc = "NIC-wide inbound pipeline, added for what takes a RECV: SENDs, and WRITEs with immediate data.",
           .max = 1e-5});
  v.field("rx_dma", s.rx_dma, {.doc = "NIC-wide inbound pipeline, per DMA that a message starts.", .max = 1e-5});
  v.field("rx_lookup", s.rx_lookup,
          {.doc = "NIC-wide inbound pipeline: finding what a response, or the ACK of a signaled WQE, belongs to. It "
                  "goes on while the pipeline starts its DMAs.",
           .max = 1e-5});
  v.field("data_path", s.data_path,
          {.doc = "Rate at which payload passes each pipeline, beside the time per message.", .min = 1e8, .max = 1e13});
  v.field("wqe_slot", s.wqe_slot, {.doc = "WQEs are padded to multiples of this.", .min = 16, .max = 1024});
  v.field(
      "wqe_stride", s.wqe_stride,
      {.doc = "WQEs lie this far apart in the send queue, or further where they are longer.", .min = 16, .max = 4096});
  v.field("ud_wqe_header", s.ud_wqe_header,
          {.doc = "WQE header of UD operations (Kalia et al. 2016, Table 1).", .min = 0, .max = 256});
  v.field("connected_wqe_header", s.connected_wqe_header,
          {.doc = "WQE header of RC and UC operations (Kalia et al. 2016, Table 1).", .min = 0, .max = 256});
  v.field(
      "max_fetch", s.max_fetch,
      {.doc = "Most WQEs of a queue pair that the NIC reads by one DMA; a longer list of one doorbell is still one.",
       .min = 1,
       .max = 65536});
  v.field("wqe_fetch_unit", s.wqe_fetch_unit,
          {.doc = "WQEs are read in units of this size and alignment; of the last one what has been announced.",
           .min = 64,
           .max = 4096});
  v.field("mmio_wqes", s.mmio_wqes,
          {.doc = "SENDs and WRITEs by MMIO that the NIC keeps until they have left, on RC until they are "
                  "acknowledged. One that finds no room is read "
                  "from the send queue, and all after it until its queue pair has none left.",
           .min = 1,
           .max = 1e9});
  v.field(
      "wqe_read_ahead", s.wqe_read_ahead,
      {.doc =
           "Most that is read at a time of WQEs that found no room, from the fetch unit of the first on. What has not "
           "been announced by then is of no use. A queue pair begins with one fetch unit, reads twice as much "
           "after a read of which all was of use, and half as much after one of which half or more was not.",
       .min = 64,
       .max = 65536});
  v.field("wqe_cache", s.wqe_cache,
          {.doc = "READs and atomics that the NIC keeps; one that has been displaced is read again when it is needed.",
           .min = 1,
           .max = 1e9});
  v.field(
      "qp_contexts", s.qp_contexts,
      {.doc =
           "Contexts that the NIC keeps, of queue pairs that send and of those that answer or acknowledge; others are "
           "read by DMA when they are needed.",
       .min = 1,
       .max = 1e9});
  v.field("qp_context", s.qp_context,
          {.doc = "What is read of a context that is not in the NIC.", .min = 1, .max = 4096});
  v.field(
      "translations", s.translations,
      {.doc = "Translations of pages (MTT entries) that the NIC keeps for regions that others READ and WRITE; others "
              "are read by DMA when they are needed.",
       .min = 1,
       .max = 1e9});
  v.field("state_fetches", s.state_fetches,
          {.doc = "Contexts and translations that the NIC can be reading at a time.", .min = 1, .max = 65536});
  v.field("read_states", s.read_states,
          {.doc = "READs, its own and those it answers, whose state the NIC keeps. Of a READ that later ones have "
                  "displaced the WQE is read again when the response comes.",
           .min = 1,
           .max = 1e9});
  v.field("read_state_fetches", s.read_state_fetches,
          {.doc = "WQEs that the NIC can be reading again for responses at a time.", .min = 1, .max = 65536});
  v.field(
      "tx_queue", s.tx_queue,
      {.doc =
           "Messages, or packets of long ones, that may wait for their payload, the outbound pipeline or a port before "
           "processing units stop; packets of long READ responses that may do so besides, and short responses that "
           "take the room of as many full packets. Where more replies than that wait for a port, as many requests may.",
       .min = 1,
       .max = 65536});
  v.field("max_outstanding_reads", s.max_outstanding_reads,
          {.doc = "READs and atomics that a queue pair can have in flight (max_rd_atomic), and that its peer can be "
                  "answering (max_dest_rd_atomic). Between NICs that differ the smaller number counts.",
           .min = 1,
           .max = 65536});
  v.field(
      "read_growth", s.read_growth,
      {.doc =
           "After a queue pair was idle it sends the READs of one call, and waits for them; from round to round this "
           "many times more may go out together, until the limit is reached. 0: READs do not wait for one another.",
       .min = 0,
       .max = 65536});
  v.field("turnaround", s.turnaround,
          {.doc = "After its last WQE a queue pair that awaits ACKs (RC) is not served again for so long: what is "
                  "announced meanwhile waits, and goes out together.",
           .max = 1e-5});
  v.field("wqe_cache_ways", s.wqe_cache_ways,
          {.doc = "Places of a set of the WQE cache; 0: one set of all places.", .min = 0, .max = 65536});
  v.field(
      "wqe_cache_place", s.wqe_cache_place,
      {.doc = "Bytes of a place of the WQE cache. A WQE takes one, when it comes and when it is read again; that also "
              "serves the WQEs that lie in one place with it.",
       .min = 16,
       .max = 4096});
  v.field("recv_wqe", s.recv_wqe, {.doc = "Bytes of a RECV WQE (Kalia et al. 2016, Table 1).", .min = 8, .max = 256});
  v.field("recv_prefetch", s.recv_prefetch, {.doc = "RECV WQEs read by one DMA.", .min = 1, .max = 1024});
  v.field("recv_ahead", s.recv_ahead,
          {.doc = "RECV WQEs that the NIC holds or has asked for, or one DMA of them if that is more.",
           .min = 1,
           .max = 1 << 20});
  v.field("cqe", s.cqe, {.doc = "Bytes of a completion queue entry.", .min = 8, .max = 256});
  v.field("inline_receive", s.inline_receive,
          {.doc = "Largest payload that a RECV can take in its CQE; 0 B where the NIC cannot.", .min = 0, .max = 4096});
  v.field("rx_inline", s.rx_inline,
          {.doc = "NIC-wide inbound pipeline, added when payload is put into a CQE.", .max = 1e-5});
  v.field("latency", s.latency, {.doc = "Fixed pipeline latency of a message through the NIC, each way.", .max = 1e-4});
  v.field("read_response_latency", s.read_response_latency,
          {.doc = "Added when the response to a READ arrives, which must find its WQE.", .max = 1e-4});
}

/// READs and atomics that a queue pair can have in flight between these NICs: it is set up with no more than either
/// allows (ibv_modify_qp: max_rd_atomic of the one, max_dest_rd_atomic of the other).
[[nodiscard]] inline int most_in_flight(const NicParameters& requester, const NicParameters& responder) {
  return std::min(requester.max_outstanding_reads, responder.max_outstanding_reads);
}

/// RC atomics: address-hashed lock buckets held across the PCIe read-modify-write (Kalia et al. 2016, section 5.4).
struct AtomicParameters {
  int address_bits = 0;
  int engines = 0;
  int queue = 0;
  Time processing{0};
};
template <class V> void describe(V& v, AtomicParameters& s) {
  v.field("address_bits", s.address_bits,
          {.doc = "Low address bits that select a lock; 0 makes one lock for all.", .min = 0, .max = 24});
  v.field("engines", s.engines,
          {.doc = "In-order engines behind the inbound pipeline; the head of each waits for its lock. 0: the pipeline "
                  "executes atomics itself, one after the other.",
           .min = 0,
           .max = 1024});
  v.field("queue", s.queue,
          {.doc = "Atomics that wait in an engine before the inbound pipeline stops.", .min = 1, .max = 1 << 20});
  v.field("processing", s.processing,
          {.doc = "Time of the inbound pipeline per atomic, beside what a READ takes.", .max = 1e-5});
}

}  // namespace doorbell::model
