// Traces of block requests, as programs and the kernel write them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "models/shared_files/shared_files.hpp"
#include "scenario/location.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// The requests of a trace, their times counted from the first one. `name` is for messages.
///
/// fio's iolog, versions 2 (`FILE ACTION [OFFSET SIZE]`, times by `wait`, in microseconds since the wait before) and 3
/// (`MICROSECONDS FILE ACTION [OFFSET SIZE]`): reads and writes; other actions, of which trim and sync move no data,
/// are passed over. blkparse's default text: requests as they were queued (action Q), in sectors of 512 bytes; its
/// summary is passed over. Throws ScenarioError with the line that is neither, that goes to a second file or device, or
/// beyond the first `room` bytes of it, that has parts of sectors, whose time in an iolog lies before that of a line
/// above, or when there is no request.
[[nodiscard]] std::vector<model::TraceRequest> parse_block_trace(std::string_view text, const std::string& name,
                                                                 Bytes room = Bytes{
                                                                     std::numeric_limits<std::int64_t>::max()});

/// Reads the trace that a scenario names, if it does. Throws ScenarioError.
void read_trace_of(model::SharedFilesScenario& shared, const Node& tree);

}  // namespace doorbell::scenario
