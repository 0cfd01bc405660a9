// PCI Express: what transactions cost on the link. The link itself is `host_dma`.
#pragma once

#include <array>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Paper section 2.1 and Fig. 2a; PCI Express Base Specification 3.0, sections 2.2 (TLPs), 2.6 (credits), 3.4 (DLLPs).
struct PcieParameters {
  int lanes = 0;
  Bandwidth lane_bandwidth;
  Bytes request_header;
  Bytes completion_header;
  Bytes read_completion_boundary;
  Bytes combined_completions{0};
  Bytes max_payload;
  Bytes max_read_request;
  Bytes dllp;
  double tlps_per_ack = 0;
  double tlps_per_credit_update = 0;
  Bytes dllp_interval{0};
  int posted_header_credits = 0;
  int mmio_credits = 0;
  int nonposted_header_credits = 0;
  int read_tags = 0;
  Time latency{0};
};
template <class V> void describe(V& v, PcieParameters& s) {
  v.field("lanes", s.lanes, {.doc = "Lanes of the link.", .min = 1, .max = 32});
  v.field("lane_bandwidth", s.lane_bandwidth,
          {.doc = "One lane in one direction, after encoding.", .min = 1e6, .max = 64e9, .symbol = "P_bw"});
  v.field("request_header", s.request_header,
          {.doc = "Bytes of a request TLP beside its payload, framing to LCRC.", .min = 8, .max = 64, .symbol = "P_r"});
  v.field("completion_header", s.completion_header,
          {.doc = "Bytes of a completion TLP beside its payload.", .min = 8, .max = 64, .symbol = "P_c"});
  v.field("read_completion_boundary", s.read_completion_boundary,
          {.doc = "Size and alignment at which the root complex splits read completions.",
           .min = 64,
           .max = 4096,
           .symbol = "C_rc"});
  v.optional("combined_completions", s.combined_completions,
             {.doc = "Reads of more than this are completed in TLPs of the maximum payload instead; 0 B: none are.",
              .min = 0,
              .max = 4096});
  v.field("max_payload", s.max_payload, {.doc = "Largest payload of a write TLP (MPS).", .min = 128, .max = 4096});
  v.field("max_read_request", s.max_read_request, {.doc = "Largest read request (MRRS).", .min = 128, .max = 4096});
  v.field("dllp", s.dllp, {.doc = "Bytes of a data link layer packet.", .min = 1, .max = 64});
  v.field("tlps_per_ack", s.tlps_per_ack, {.doc = "TLPs per acknowledgement DLLP.", .min = 1, .max = 1000});
  v.field("tlps_per_credit_update", s.tlps_per_credit_update,
          {.doc = "TLPs per flow-control update DLLP.", .min = 1, .max = 1000});
  v.optional(
      "dllp_interval", s.dllp_interval,
      {.doc = "For acknowledgements and credit updates, completions within so many bytes on the link count as one "
              "TLP; 0 B: each for itself.",
       .max = 65536});
  v.field("posted_header_credits", s.posted_header_credits,
          {.doc = "Posted requests that the root complex can hold.", .min = 1, .max = 4096});
  v.field("mmio_credits", s.mmio_credits, {.doc = "MMIO writes that the device can hold.", .min = 1, .max = 4096});
  v.field("nonposted_header_credits", s.nonposted_header_credits,
          {.doc = "Non-posted requests that the root complex can hold.", .min = 1, .max = 4096});
  v.field("read_tags", s.read_tags, {.doc = "Reads that the device can have outstanding.", .min = 1, .max = 4096});
  v.field("latency", s.latency,
          {.doc = "Propagation through PHY, link layer and root port, one way.", .min = 0, .max = 1e-4});
}

enum class TlpKind { memory_write, memory_read, completion };

/// Transactions of one kind in one direction, with what they occupy on the link.
struct TlpTrain {
  TlpKind kind = TlpKind::memory_write;
  std::int64_t tlps = 0;
  Bytes payload;
  Bytes wire;  ///< Payload and TLP headers; `occupancy` adds link-layer packets.
};

/// A write of `size` bytes to `address`, split at the maximum payload size and its alignment.
[[nodiscard]] TlpTrain write_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address = 0);
/// The requests of a read, split at the maximum read request size.
[[nodiscard]] TlpTrain read_request_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address = 0);
/// The completions of a read, split at the read completion boundary C_rc and its alignment, or, where the root complex
/// combines those of large reads, at the maximum payload size.
[[nodiscard]] TlpTrain completion_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address = 0);

/// Bandwidth of one direction, after encoding.
[[nodiscard]] Bandwidth link_bandwidth(const PcieParameters& pcie);
/// Data link layer packets that go with one TLP on average, in bytes (fractional): acknowledgements and credit updates,
/// charged to the direction of the TLPs they answer, as Kalia et al. 2016, Appendix A, count them.
[[nodiscard]] double dllp_bytes_per_tlp(const PcieParameters& pcie);
/// How long a train occupies its direction of the link, link-layer packets included.
[[nodiscard]] Time occupancy(const PcieParameters& pcie, const TlpTrain& train);

/// Largest rate of full write-combining lines by MMIO, without link-layer packets (Kalia et al. 2016, section 5.2.1:
/// 175.0 M/s).
[[nodiscard]] Rate mmio_line_limit(const PcieParameters& pcie, Bytes line);
/// Largest useful bandwidth of long DMA reads, without link-layer packets (Kalia et al. 2016, section 5.2.1: 13443
/// MB/s).
[[nodiscard]] Bandwidth dma_read_limit(const PcieParameters& pcie);

}  // namespace doorbell::model
