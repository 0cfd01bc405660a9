// Settings of devices on remote memory that nothing asks.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "remote_memory_folder.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class DeviceSettings : public RemoteMemoryFolder {
 protected:
  [[nodiscard]] std::filesystem::path scenario(const std::string& access, const std::string& more = {}) const {
    return RemoteMemoryFolder::scenario(R"("block": {}, "access": {)" + access + "}", more);
  }
  void expect_refused(const std::filesystem::path& file, const std::string& place, ErrorCode code = without_effect,
                      const LoadOptions& options = {}) const {
    SCOPED_TRACE(place);
    expect_refused_at(file, code, "/remote_memory/access/" + place, options);
  }
  void expect_accepted(const std::filesystem::path& file, const LoadOptions& options = {}) const {
    EXPECT_NO_THROW((void)load(file, options));
  }
};

struct Setting {
  std::string place;  ///< Of the setting, and ...
  std::string text;   ///< ... how it is given.
  std::string used;   ///< A choice with which it has an effect, and ...
  std::string idle;   ///< ... one with which it has none.
};

std::string in_completion(const std::string& mode, const std::string& setting) {
  return R"("completion": {"mode": ")" + mode + R"(", )" + setting + "}";
}

TEST_F(DeviceSettings, OfModesThatAreNotTheOne) {
  const std::vector<Setting> settings{{"max_retry", R"("max_retry": 9)", "adaptive", "timer"},
                                      {"timer", R"("timer": "3 us")", "timer", "busy"},
                                      {"threads_per_queue", R"("threads_per_queue": 2)", "busy", "adaptive"}};
  for (const Setting& one : settings) {
    expect_accepted(scenario(in_completion(one.used, one.text)));
    expect_refused(scenario(in_completion(one.idle, one.text)), "completion/" + one.place);
  }
  expect_accepted(scenario(in_completion("busy", R"("max_retry": 4)")));  // the default
}

TEST_F(DeviceSettings, OfWhatTheDeviceDoesNotDo) {
  const std::vector<Setting> settings{
      {"largest_merge", R"("largest_merge": "8 KiB")", R"("batching": "merge")", R"("batching": "doorbell")"},
      {"largest_merge", R"("largest_merge": "8 KiB")", R"("batching": "hybrid")", R"("batching": "single")"},
      {"chain", R"("chain": 3)", R"("batching": "doorbell")", R"("batching": "single")"},
      {"chain", R"("chain": 3)", R"("batching": "single", "window": "1 MiB")", R"("batching": "single")"},
      {"copy_up_to", R"("copy_up_to": "8 KiB")", R"("registration": "map")", R"("registration": "threshold")"},
      {"server_copies", R"("server_copies": 1)", R"("protocol": "two_sided")", R"("protocol": "one_sided")"}};
  for (const Setting& one : settings) {
    expect_accepted(scenario(one.used + ", " + one.text));
    expect_refused(scenario(one.idle + ", " + one.text), one.place);
  }
}

TEST_F(DeviceSettings, MayAwaitWhatOthersChoose) {
  const std::string retry = in_completion("adaptive", R"("max_retry": 9)");
  const std::string modes =
      R"(, "sweep": [{"path": "/remote_memory/access/completion/mode", "values": ["adaptive", "busy"]}])";
  expect_accepted(scenario(retry, modes));
  expect_accepted(scenario(retry), {.sets = {"remote_memory.access.completion.mode=busy"}, .seed = {}});
  // Only what depends on that choice: the device copies nothing either way.
  expect_refused(scenario(retry + R"(, "server_copies": 1)", modes), "server_copies");
  // An option is meant for this run.
  expect_refused(scenario(R"("completion": {"mode": "busy"})"), "completion/max_retry", without_effect,
                 {.sets = {"remote_memory.access.completion.max_retry=9"}, .seed = {}});
}

TEST_F(DeviceSettings, AWindowHoldsAPage) {
  for (const std::string window : {"0 B", "4 KiB", "7 MiB"})
    expect_accepted(scenario(R"("window": ")" + window + "\""));
  for (const std::string window : {"1 B", "4095 B"})
    expect_refused(scenario(R"("window": ")" + window + "\""), "window", out_of_range);
}

}  // namespace
}  // namespace doorbell::scenario::testing
