// What the tools of perftest write with --out_json: one test with one size in each document.
#pragma once

#include <filesystem>
#include <istream>

#include "tools/perftest.hpp"

namespace doorbell::tools {

/// The test at the begin of `input`, which is line `line` of `file` in messages. Throws OutputError for what
/// read_perftest() refuses.
[[nodiscard]] PerftestRun read_perftest_json(const std::filesystem::path& file, int line, std::istream& input);

}  // namespace doorbell::tools
