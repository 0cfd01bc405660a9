// Sweeps and overrides that cannot be followed.
#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class BadSweeps : public BadInputs {};
class BadOverrides : public BadInputs {};

TEST_P(BadSweeps, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }
TEST_P(BadOverrides, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }

BadInput bad_sweep(const std::string& name, const std::string& sweep, ErrorCode code, const std::string& pointer,
                   const std::string& says = {}) {
  return {name, R"("500 us"})", "\"500 us\"},\n  \"sweep\": " + sweep, code, pointer, says};
}
BadInput bad_set(const std::string& name, const std::string& set, ErrorCode code, const std::string& pointer,
                 const std::string& says = {}) {
  // A good one before it, so that the number of the override shows.
  return {name, "", good_scenario, code, pointer, says, {"seed=2", set}};
}

INSTANTIATE_TEST_SUITE_P(
    Sweeps, BadSweeps,
    ::testing::Values(
        bad_sweep("NoArray", "@{}", sweep_form, "/sweep"), bad_sweep("AxisIsNoObject", "[@5]", sweep_form, "/sweep/0"),
        bad_sweep("NoValues", R"([{"path": "/seed", "values": @[]}])", sweep_empty, "/sweep/0/values"),
        bad_sweep("ValuesMissing", R"([@{"path": "/seed"}])", sweep_form, "/sweep/0", "\"values\""),
        bad_sweep("ValuesAreNoArray", R"([{"path": "/seed", "values": @5}])", sweep_form, "/sweep/0/values"),
        bad_sweep("NoPath", R"([@{"values": [1]}])", sweep_form, "/sweep/0", "neither"),
        bad_sweep("BothPaths", R"([@{"path": "/seed", "paths": ["/seed"], "values": [1]}])", sweep_form, "/sweep/0",
                  "both"),
        bad_sweep("NoPaths", R"([{"paths": @[], "values": [[]]}])", sweep_form, "/sweep/0/paths"),
        bad_sweep("EmptyPath", R"([{"path": @"", "values": [1]}])", sweep_form, "/sweep/0/path"),
        bad_sweep("PathIsNumber", R"([{"path": @3, "values": [1]}])", sweep_form, "/sweep/0/path"),
        bad_sweep("UnknownKey", R"([{"path": "/seed", @"value": [1]}])", unknown_key, "/sweep/0/value",
                  R"(mean "values"?)"),
        bad_sweep("UnknownPath", R"([{"path": @"/programs/worker/thraeds", "values": [1]}])", path_not_found,
                  "/programs/worker/thraeds", R"(mean "threads"?)"),
        bad_sweep("UnknownProgram", R"([{"path": @"/programs/wroker/threads", "values": [1]}])", path_not_found,
                  "/programs/wroker/threads", R"(mean "worker"?)"),
        bad_sweep("StepBeyondTheLoop", R"([{"path": @"/programs/worker/loop/3/post/batch", "values": [1]}])",
                  path_not_found, "/programs/worker/loop/3/post/batch", "below 3"),
        bad_sweep("StepOfAnotherKind", R"([{"path": @"/programs/worker/loop/1/post/batch", "values": [1]}])",
                  path_not_found, "/programs/worker/loop/1/post/batch", "increment"),
        bad_sweep("BelowAValue", R"([{"path": @"/programs/worker/threads/x", "values": [1]}])", path_not_found,
                  threads + "/x"),
        bad_sweep("RaggedRow", R"([{"paths": ["/seed", "/programs/worker/threads"], "values": [[1, 2], @[3]]}])",
                  sweep_row, "/sweep/0/values/1", "found 1"),
        bad_sweep("RowIsNoArray", R"([{"paths": ["/seed", "/programs/worker/threads"], "values": [@1]}])", sweep_row,
                  "/sweep/0/values/0"),
        bad_sweep("Twice", R"([{"path": "/seed", "values": [1]}, {"path": @"/seed", "values": [2]}])", sweep_repeated,
                  "/seed"),
        bad_sweep("WrongValue", R"([{"path": "/programs/worker/threads", "values": [1, @"two"]}])", wrong_type,
                  threads),
        bad_sweep("ValueOutOfRange", R"([{"path": "/programs/worker/threads", "values": [1, 2, @0]}])", out_of_range,
                  threads),
        bad_sweep("ValueThatDoesNotFit", R"([{"path": "/programs/worker/threads", "values": [1, @17]}])",
                  too_many_threads, threads)),
    name_of);

TEST(BadSweep, TooManyPoints) {
  std::string values = "0";
  for (int i = 1; i < 400; ++i) values += "," + std::to_string(i);
  const std::string axis = R"(", "values": [)" + values + "]}";
  expect_complaint(bad_sweep("TooMany",
                             R"(@[{"path": "/seed)" + axis + R"(, {"path": "/machines/client/count)" + axis + "]",
                             sweep_too_large, "/sweep", "100000"));
}

INSTANTIATE_TEST_SUITE_P(
    Overrides, BadOverrides,
    ::testing::Values(bad_set("NoEquals", "programs.worker.threads", override_form, ""),
                      bad_set("NoPath", "=5", override_form, ""), bad_set("Empty", "", override_form, ""),
                      bad_set("EmptyPart", "programs..threads=5", override_form, ""),
                      bad_set("BadEscape", "/programs/wor~2ker/threads=5", override_form, ""),
                      bad_set("UnknownKey", "programs.worker.thread=5", path_not_found, "/programs/worker/thread",
                              R"(mean "threads"?)"),
                      bad_set("UnknownProgram", "programs.wroker.threads=5", path_not_found, "/programs/wroker/threads",
                              R"(mean "worker"?)"),
                      bad_set("UnknownInHardware", "machines.server.hardware.cpu.core=5", path_not_found,
                              "/machines/server/hardware/cpu/core", R"(mean "cores"?)"),
                      bad_set("PartOfASweep", "sweep.0.values=[1]", path_not_found, "/sweep/0/values",
                              "expected sweep=[...], which replaces all axes"),
                      bad_set("NoIndex", "programs.worker.loop.first.post.batch=1", path_not_found,
                              "/programs/worker/loop/first/post/batch"),
                      bad_set("IndexWithZero", "programs.worker.loop.02.post.batch=1", path_not_found,
                              "/programs/worker/loop/02/post/batch"),
                      bad_set("WrongType", "programs.worker.threads=six", wrong_type, threads, "found \"six\""),
                      bad_set("NoValue", "programs.worker.threads=", wrong_type, threads),
                      bad_set("OutOfRange", "programs.worker.threads=0", out_of_range, threads),
                      bad_set("Overflow", "programs.worker.threads=1e999", number_range, ""),
                      bad_set("NoUnit", "measure.duration=500", missing_unit, "/measure/duration"),
                      bad_set("HalfAnArray", "programs.worker.loop=[1, ", syntax, ""),
                      bad_set("HalfAnObject", "measure={\"program\": ", syntax, ""),
                      bad_set("BadSweep", R"(sweep=[{"path": "/seed", "values": []}])", sweep_empty, "/sweep/0/values"),
                      bad_set("MissingProfile", "machines.server.hardware=nowhere.json", file_not_found,
                              "/machines/server/hardware")),
    name_of);

}  // namespace
}  // namespace doorbell::scenario::testing
