// What the tools of perftest write with --out_json: one test with one size in each document.
#pragma once

#include <cstddef>
#include <string_view>

#include "tools/json_place.hpp"
#include "tools/perftest.hpp"

namespace doorbell::tools {

/// The test in the document that begins at the byte `at` of `text`, which this moves behind it. Throws OutputError for
/// what read_perftest() refuses.
[[nodiscard]] PerftestRun read_perftest_json(std::string_view text, std::size_t& at, JsonPlaces& places);

}  // namespace doorbell::tools
