// What the tools of perftest write with --out_json: one test with one size in each file.
#pragma once

#include <filesystem>
#include <istream>

#include "tools/perftest.hpp"

namespace doorbell::tools {

/// The test in `input`, which is named `file` in messages. Throws OutputError for what read_perftest() refuses.
[[nodiscard]] PerftestRun read_perftest_json(const std::filesystem::path& file, std::istream& input);

}  // namespace doorbell::tools
