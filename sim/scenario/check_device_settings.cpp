// Settings of devices on remote memory that nothing asks.
#include <fmt/format.h>

#include "models/memory/page.hpp"
#include "scenario/checks.hpp"
#include "scenario/without_effect.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

void check_completion_settings(const Examined& examined, const Pointer& at, CompletionHandling& set) {
  const CompletionHandling usual;
  const Pointer mode = at / member_name(set, set.mode);
  const auto only_in = [&](CompletionMode asking, std::string_view text) {
    return Reasons{{set.mode != asking, text, {mode}}};
  };
  expect_default(examined, only_in(CompletionMode::adaptive, "as only the mode \"adaptive\" counts polls"), at, set,
                 set.max_retry, usual.max_retry);
  expect_default(examined, only_in(CompletionMode::timer, "as only the mode \"timer\" polls for a time"), at, set,
                 set.timer, usual.timer);
  expect_default(examined, only_in(CompletionMode::busy, "as only the mode \"busy\" has polling threads"), at, set,
                 set.threads_per_queue, usual.threads_per_queue);
}

void check_batching_settings(const Examined& examined, const Pointer& at, RemoteAccess& access) {
  const RemoteAccess usual;
  const Pointer batching = at / member_name(access, access.batching);
  const bool merges = access.batching == Batching::merge || access.batching == Batching::hybrid;
  expect_default(examined, {{!merges, "as only the batching \"merge\" and \"hybrid\" merge", {batching}}}, at, access,
                 access.largest_merge, usual.largest_merge);
  // Under a window it also limits how many a thread takes from the queue at a time.
  const bool queues = access.batching != Batching::single || access.window > Bytes{0};
  const Pointer window = at / member_name(access, access.window);
  expect_default(examined, {{!queues, "as each request is posted by itself", {batching, window}}}, at, access,
                 access.chain, usual.chain);
}

}  // namespace

void check_device_settings(const Examined& examined, const Pointer& pointer, RemoteAccess& access) {
  const RemoteAccess usual;
  check_completion_settings(examined, pointer / member_name(access, access.completion), access.completion);
  check_batching_settings(examined, pointer, access);
  const Pointer registration = pointer / member_name(access, access.registration);
  expect_default(
      examined,
      {{access.registration != Registration::map, "as only the registration \"map\" asks it", {registration}}}, pointer,
      access, access.copy_up_to, usual.copy_up_to);
  const Pointer protocol = pointer / member_name(access, access.protocol);
  expect_default(examined,
                 {{access.protocol == Protocol::one_sided, "as the peers have no daemon that copies", {protocol}}},
                 pointer, access, access.server_copies, usual.server_copies);
  if (access.window > Bytes{0} && access.window < Bytes{page_size}) {
    examined.refuse(ErrorCode::out_of_range, pointer / member_name(access, access.window),
                    fmt::format("0 B or at least {} B, a page", page_size), in_bytes(access.window));
  }
}

}  // namespace doorbell::scenario
