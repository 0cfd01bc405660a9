// Errors for people: a place, a stable code, what was expected, what was found, and the nearest valid name.
#pragma once

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/location.hpp"

namespace doorbell::scenario {

/// What can be wrong with an input. A number, once published, keeps its meaning; a new case takes a new number.
enum class ErrorCode : int {
  file_not_found = 1,
  not_a_file = 2,
  syntax = 3,
  duplicate_key = 4,
  too_deep = 5,
  encoding = 6,
  number_range = 7,
  extends_cycle = 8,
  file_too_large = 9,
  control_character = 10,

  unknown_key = 101,
  missing_key = 102,
  wrong_type = 103,
  unknown_choice = 104,
  out_of_range = 105,
  not_whole = 106,
  step_form = 107,
  unknown_step = 108,
  no_provenance = 109,
  empty_name = 110,
  wrong_file = 111,

  missing_unit = 201,
  unknown_unit = 202,
  wrong_dimension = 203,
  malformed_quantity = 204,
  too_fine = 205,

  override_form = 301,
  path_not_found = 302,
  sweep_form = 303,
  sweep_row = 304,
  sweep_empty = 305,
  sweep_too_large = 306,
  sweep_repeated = 307,

  unknown_machine = 401,
  unknown_program = 402,
  unknown_queue_pairs = 403,
  too_many_threads = 404,
  mmio_batch = 405,
  inline_too_big = 406,
  verb_transport = 407,
  window_blocks = 408,
  origin_without_collect = 409,
  await_without_post = 410,
  collect_without_requests = 411,
  unused_machine = 412,
  no_route = 413,
  nothing_measured = 414,
  signal_beyond_depth = 415,
  region_does_not_fit = 416,
  region_misplaced = 417,
  no_destination = 418,
  atomic_payload = 419,
  datagram_too_big = 420,
  await_never_ends = 421,
  nothing_to_run = 422,
  impossible_hardware = 423,
  mix_shares = 424,
  no_inline_receive = 425,
  buffer_too_small = 426,
  synchronized_elsewhere = 427,
  cache_elsewhere = 428,
  no_programs = 429,
  one_load = 430,
  too_few_peers = 431,
  unknown_resource = 432,
  nothing_to_cross = 433,
  bad_trace = 434,
  mmio_too_long = 435,
  order_of_answers = 436,
  await_unanswered = 437,
  window_without_await = 438,
  window_too_small = 439,
  no_drives = 440,
  access_misplaced = 441,
  relay_misplaced = 442,
  relay_copies = 443,
  relay_circle = 444,
  arrivals_misplaced = 445,
  skew_in_order = 446,
  never_posts = 447,
  immediate_misplaced = 448,
  reads_only = 449,
  no_disk = 450,
  no_software = 451,
  never_interrupted = 452,
  data_misplaced = 453,
  unfit_scale = 454,
  shared_queues = 455,
  reserved_name = 456,
  no_remote_device = 457,
  memory_misplaced = 458,
  unconnected = 459,
  without_effect = 460,
  not_awaited = 461,
  inline_misplaced = 462,
  signal_beyond_window = 463,
  nobody_starts = 464,
  broken_sector = 465,
  two_peers = 466,
  atomic_unaligned = 467,
  follow_up_misplaced = 468,
  refused_by_model = 499,

  no_such_point = 501,
  not_for_fitting = 502,
  bad_expression = 503,
  wrong_id = 504,
  two_references = 505,
  named_twice = 506,
  not_swept = 507,
  not_simulated = 508,
  malformed_table = 509,
  other_unit = 510,
  mixed_units = 511,
  not_predicted = 512,
  other_hardware = 513,
  not_at_hand = 514,

  bad_output = 601,
  given_twice = 602,

  unknown_word = 701,
  option_value = 702,
  argument_count = 703,
  options_together = 704,
  not_there = 705,
  no_place = 706,
  other_kind = 707,
};

/// One row of the table of errors (docs/errors.md is made from it).
struct ErrorKind {
  ErrorCode code;
  std::string_view name;     ///< Short and stable, for example "unknown-key".
  std::string_view meaning;  ///< What is wrong.
  std::string_view remedy;   ///< What to do about it.
};

/// All kinds, by rising code.
[[nodiscard]] std::span<const ErrorKind> error_kinds();

/// "DB101" and so on.
[[nodiscard]] std::string code_text(ErrorCode code);

/// The parts of a complaint. Empty parts are left out of the printed line.
struct Complaint {
  ErrorCode code;
  Location at;
  std::string pointer;  ///< RFC 6901 JSON pointer of the value; empty for a whole file.
  std::string expected;
  std::string found;
  std::string suggestion;  ///< Nearest valid name.
};

/// The input is wrong and the user can mend it. what() is one line without line breaks:
/// `scenarios/x.json:12:7: DB103 /programs/worker/threads: expected a count from 1 to 4096, found "six"`.
class ScenarioError : public std::runtime_error {
 public:
  explicit ScenarioError(Complaint complaint);

  [[nodiscard]] const Complaint& complaint() const { return complaint_; }
  [[nodiscard]] ErrorCode code() const { return complaint_.code; }
  [[nodiscard]] const std::string& file() const { return complaint_.at.file_name(); }
  [[nodiscard]] int line() const { return complaint_.at.line; }
  [[nodiscard]] int column() const { return complaint_.at.column; }
  [[nodiscard]] const std::string& pointer() const { return complaint_.pointer; }

 private:
  Complaint complaint_;
};

/// The text on one line, with question marks for control characters, which would steer the terminal.
[[nodiscard]] std::string printable(std::string text);

/// Text from outside, in quotes, on one line, printable and not longer than a line can bear.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The candidate nearest to `name` by edit distance, or empty when none is near enough to be meant.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

/// "a, b or c", each in quotes.
[[nodiscard]] std::string alternatives(std::span<const std::string> names);

/// The page docs/errors.md.
[[nodiscard]] std::string error_page();

}  // namespace doorbell::scenario
