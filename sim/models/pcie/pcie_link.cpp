#include "models/pcie/pcie_link.hpp"

#include <algorithm>

namespace doorbell::model {
namespace {

/// How many pieces [address, address + size) falls into when cut at every multiple of `unit`.
std::int64_t aligned_pieces(Bytes size, Bytes unit, std::int64_t address) {
  const std::int64_t before = address % unit.count;
  return ceil_div(Bytes{before + size.count}, unit);
}

}  // namespace

TlpTrain write_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address) {
  const std::int64_t tlps = std::max<std::int64_t>(1, aligned_pieces(size, pcie.max_payload, address));
  return {TlpKind::memory_write, tlps, size, size + pcie.request_header * tlps};
}

TlpTrain read_request_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address) {
  const std::int64_t tlps = std::max<std::int64_t>(1, aligned_pieces(size, pcie.max_read_request, address));
  return {TlpKind::memory_read, tlps, Bytes{0}, pcie.request_header * tlps};
}

TlpTrain completion_tlps(const PcieParameters& pcie, Bytes size, std::int64_t address) {
  // Each request is answered by itself.
  const Bytes request = std::min(size, pcie.max_read_request);
  const bool combined = pcie.combined_completions > Bytes{0} && request > pcie.combined_completions;
  const Bytes unit = combined ? std::min(pcie.max_payload, pcie.max_read_request) : pcie.read_completion_boundary;
  const std::int64_t tlps = std::max<std::int64_t>(1, aligned_pieces(size, unit, address));
  return {TlpKind::completion, tlps, size, size + pcie.completion_header * tlps};
}

Bandwidth link_bandwidth(const PcieParameters& pcie) { return pcie.lane_bandwidth * pcie.lanes; }

double dllp_bytes_per_tlp(const PcieParameters& pcie) {
  return static_cast<double>(pcie.dllp.count) * (1 / pcie.tlps_per_ack + 1 / pcie.tlps_per_credit_update);
}

Time occupancy(const PcieParameters& pcie, const TlpTrain& train) {
  const auto wire = static_cast<double>(train.wire.count);
  auto told = static_cast<double>(train.tlps);
  if (train.kind == TlpKind::completion && pcie.dllp_interval > Bytes{0})
    told = std::min(told, wire / static_cast<double>(pcie.dllp_interval.count));
  const double bytes = wire + dllp_bytes_per_tlp(pcie) * told;
  return from_seconds(bytes / link_bandwidth(pcie).bytes_per_second);
}

Rate mmio_line_limit(const PcieParameters& pcie, Bytes line) {
  return {link_bandwidth(pcie).bytes_per_second / static_cast<double>(write_tlps(pcie, line).wire.count)};
}

Bandwidth dma_read_limit(const PcieParameters& pcie) {
  const TlpTrain train = completion_tlps(pcie, pcie.read_completion_boundary);
  return link_bandwidth(pcie) * (static_cast<double>(train.payload.count) / static_cast<double>(train.wire.count));
}

}  // namespace doorbell::model
