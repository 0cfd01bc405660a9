#include "scenario/explain.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

Parameter parameter(const std::vector<Parameter>& all, const std::string& pointer) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& one) { return one.pointer == pointer; });
  return found == all.end() ? Parameter{} : *found;
}

TEST(Explain, TellsProfileFileDefaultOverrideAndSweepApart) {
  const Workspace workspace;
  const auto file = workspace.write(
      "x.json", replaced(good_scenario, R"("title")",
                         R"("sweep": [{"path": "/programs/worker/threads", "values": [1, 2]}], "title")"));
  const auto all = explain(file, {.sets = {"programs.client.threads=3"}, .seed = {}}, 1);

  const Parameter cores = parameter(all, "/machines/server/hardware/cpu/cores");
  EXPECT_EQ(cores.value, "16");
  EXPECT_EQ(cores.provenance, "assumed");
  EXPECT_EQ(cores.source, "test");
  EXPECT_NE(cores.meaning, "");

  const Parameter at_most = parameter(all, "/programs/worker/loop/0/collect/at_most");
  EXPECT_EQ(at_most.value, "32");
  EXPECT_EQ(at_most.provenance, "scenario");
  EXPECT_EQ(at_most.source, file.string() + ":13");

  const Parameter depth = parameter(all, "/programs/worker/queue_pairs/responses/depth");
  EXPECT_EQ(depth.value, "128");
  EXPECT_EQ(depth.provenance, "default");

  EXPECT_EQ(parameter(all, "/programs/worker/threads").value, "2");
  EXPECT_EQ(parameter(all, "/programs/worker/threads").provenance, "sweep");
  EXPECT_EQ(parameter(all, "/programs/client/threads").value, "3");
  EXPECT_EQ(parameter(all, "/programs/client/threads").provenance, "override");
  EXPECT_EQ(parameter(all, "/programs/client/threads").source, "--set:1");
}

TEST(Explain, AnOverriddenProfileParameterLosesItsSource) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  const auto all = explain(file, {.sets = {"machines.server.hardware.cpu.cores=20"}, .seed = {}});
  EXPECT_EQ(parameter(all, "/machines/server/hardware/cpu/cores").value, "20");
  EXPECT_EQ(parameter(all, "/machines/server/hardware/cpu/cores").provenance, "override");
  EXPECT_EQ(parameter(all, "/machines/client/hardware/cpu/cores").value, "16");
}

TEST(Explain, ListsTheDefaultsOfWhatIsLeftOut) {
  const Workspace workspace;
  const std::string text = replaced(good_scenario, R"("fabric": {"switch_latency": "200 ns"},)", "");
  const auto all = explain(workspace.write("x.json", text));
  EXPECT_EQ(parameter(all, "/fabric/switch_latency").value, text_of(model::Fabric{}.switch_latency));
  EXPECT_EQ(parameter(all, "/fabric/switch_latency").provenance, "default");
}

}  // namespace
}  // namespace doorbell::scenario
