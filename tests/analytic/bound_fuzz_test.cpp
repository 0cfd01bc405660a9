// Shipped scenarios with parameters at random: each is refused in one line, or its run stays below its closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "analytic/chance.hpp"
#include "analytic/scenario_bounds.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"
#include "scenario/resolution.hpp"

namespace doorbell::analytic {
namespace {

using doorbell::testing::Chance;

int runs() { return doorbell::testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 20; }

/// Those of a folder, or one.
std::vector<std::filesystem::path> files(const std::string& name) {
  const std::string path = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/" + name;
  if (!std::filesystem::is_directory(path)) return {path + ".json"};
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());  // the order of a directory is nobody's
  return found;
}

struct Parameter {
  std::string path;
  std::string text;  ///< As written: "128 B", "6".
};

void collect(const scenario::Node& node, const std::string& path, std::vector<Parameter>& into) {
  using scenario::Kind;
  if (scenario::is_leaf_object(node)) {
    collect(*node.find("value"), path, into);
  } else if (node.is(Kind::object)) {
    // A larger buffer would take longer to fill than a run lasts.
    static const std::set<std::string> kept{"measure", "duration", "warmup", "write_buffer"};
    for (const scenario::Member& member : node.members) {
      if (!kept.contains(member.name)) collect(member.value, path + "/" + member.name, into);
    }
  } else if (node.is(Kind::array)) {
    for (std::size_t i = 0; i < node.items.size(); ++i) collect(node.items[i], path + "/" + std::to_string(i), into);
  } else if (node.is(Kind::number) || (node.is(Kind::text) && std::isdigit(static_cast<unsigned char>(node.text[0])))) {
    into.push_back({path, node.text});
  }
}

/// Counts stay counts, and zero is rare: most changes should lead to a run.
std::string scaled(const std::string& text, Chance& chance) {
  std::size_t end = 0;
  const double number = std::stod(text, &end);
  const std::string unit = text.substr(end);
  const std::vector<double> factors{0.1, 0.5, 0.5, 2, 2, 3, 10};
  const double value = chance.below(20) == 0 ? 0 : number * chance.of(factors);
  if (unit.empty() && number == std::round(number)) return std::to_string(std::llround(std::ceil(value)));
  const std::string result = value == std::round(value) ? std::to_string(std::llround(value)) : std::to_string(value);
  return unit.empty() ? result : "\"" + result + unit + "\"";
}

/// A file with some of its parameters changed, and some of `choices` made, as options; the run is short.
std::vector<std::string> changes(const std::filesystem::path& file, const std::vector<std::string>& briefly,
                                 const std::vector<std::string>& choices, Chance& chance) {
  std::vector<Parameter> parameters;
  collect(scenario::Resolution{file, {.sets = {"sweep=[]"}, .seed = {}}}.tree(0), "", parameters);
  std::vector<std::string> sets = briefly;
  sets.emplace_back("sweep=[]");
  for (std::size_t i = chance.below(4) + 1; i-- > 0;) {
    const Parameter& parameter = chance.of(parameters);
    sets.push_back(parameter.path + "=" + scaled(parameter.text, chance));
  }
  for (std::size_t i = choices.empty() ? 0 : chance.below(4); i-- > 0;) sets.push_back(chance.of(choices));
  return sets;
}

/// Operations that are under way when the measurement begins, where that is a notable part of them.
int begun(const model::Scenario& scenario) {
  const auto* files = scenario.find<model::SharedFilesScenario>();
  return files != nullptr && files->web ? files->web->processes * files->mount.nodes : 1;
}

/// Operations per second that a run may show: what had begun before the measurement may end in it.
double highest(const model::Scenario& scenario, const model::RunResult& run, const Bounds& bounds) {
  return bounds.throughput.per_second * 1.02 + run.throughput_ci95.per_second +
         begun(scenario) / to_seconds(run.simulated);
}

/// Nothing has ended, although many times as much could have as is under way at a time. (Where a disk serves all, a run
/// has no work requests.)
bool stands_still(const model::Scenario& scenario, const model::RunResult& run, const Bounds& bounds) {
  return run.throughput == Rate{} && bounds.throughput.per_second * to_seconds(run.simulated) > 20 * begun(scenario);
}

void expect_plausible(const model::Scenario& scenario, const model::RunResult& run, const Bounds& bounds) {
  for (const model::Utilisation& used : run.utilisations) {
    EXPECT_GE(used.busy, 0) << used.resource;
    EXPECT_LE(used.busy, 1.0001) << used.resource;
  }
  EXPECT_LE(run.latency.p50, run.latency.p99);
  if (bounds.throughput > Rate{}) {
    EXPECT_LE(run.throughput.per_second, highest(scenario, run, bounds)) << bounds.bottleneck;
    EXPECT_FALSE(stands_still(scenario, run, bounds)) << bounds.bottleneck;
  }
}

/// While buffers fill, senders are ahead of the bound, and what shares a resource ends all at once: a scenario that is
/// too fast in a short run, or stands still, gets time for that.
model::RunResult settled_run(model::Scenario& scenario, const Bounds& bounds) {
  model::RunResult brief = model::run(scenario);
  const bool plausible =
      brief.throughput.per_second <= highest(scenario, brief, bounds) && !stands_still(scenario, brief, bounds);
  if (bounds.throughput == Rate{} || plausible) return brief;
  scenario.measure.warmup = std::chrono::milliseconds{4};
  if (auto* remote = scenario.find<model::RemoteMemoryScenario>()) {
    remote->warmup = std::chrono::milliseconds{100};
    remote->duration = std::chrono::milliseconds{100};
  }
  if (auto* files = scenario.find<model::SharedFilesScenario>()) files->duration = std::chrono::seconds{20};
  if (auto* transfers = scenario.find<model::TransferScenario>()) transfers->duration = std::chrono::seconds{1};
  return model::run(scenario);
}

void fuzz(const std::string& folder, const std::vector<std::string>& briefly, std::uint32_t seed,
          const std::vector<std::string>& choices = {}) {
  const std::vector<std::filesystem::path> all = files(folder);
  Chance chance{seed};
  int ran = 0;
  int idle = 0;  // changes of what a design does not use
  for (int i = 0; i < runs() && !::testing::Test::HasFailure(); ++i) {
    const std::filesystem::path& file = chance.of(all);
    const std::vector<std::string> sets = changes(file, briefly, choices, chance);
    std::string what = file.filename();
    for (const std::string& set : sets) what += " --set '" + set + "'";
    SCOPED_TRACE(what);
    try {
      model::Scenario scenario = scenario::load(file, {.sets = sets, .seed = {}}).front().scenario;
      const Bounds bounds = scenario_bounds(scenario);
      const model::RunResult run = settled_run(scenario, bounds);
      expect_plausible(scenario, run, bounds);
      ++ran;
    } catch (const scenario::ScenarioError& error) {
      EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos) << error.what();
      if (error.code() == scenario::ErrorCode::without_effect) ++idle;
    } catch (const std::exception& other) {
      ADD_FAILURE() << "not a ScenarioError: " << other.what();
    }
  }
  EXPECT_GT(ran, (runs() - idle) / 4);
}

TEST(BoundFuzz, Verbs) { fuzz("kalia16", {"measure.warmup=100 us", "measure.duration=100 us"}, 2016); }

TEST(BoundFuzz, StorageServers) {
  fuzz("gmblock", {"storage.duration=1 s"}, 2010,
       {"storage.path=ram", "storage.path=sram", "storage.path=pcimem", "storage.path=tcp", "storage.path=local_ram",
        "storage.medium=raid", "storage.medium=fast_device", "storage.medium=page_cache", "storage.operation=write",
        "storage.synchronized=single", "storage.synchronized=multiple", "storage.scheduler=cfq",
        "storage.request=48 KiB", "storage.outstanding=7", "storage.hardware.bus.front_side=100 MB/s"});
}

TEST(BoundFuzz, SharedFiles) {
  fuzz("gmblock/cluster", {"shared_files.warmup=500 ms", "shared_files.duration=1 s"}, 2012,
       {"shared_files.mount.direct=true",
        "shared_files.mount.direct=false",
        "shared_files.mount.nodes=3",
        "shared_files.mount.depth=4",
        "shared_files.mount.movement=\"staging\"",
        "shared_files.mount.movement=\"mapping\"",
        "shared_files.mount.page_cache=64 MiB",
        "shared_files.files.count=3",
        "shared_files.stream.operation=\"write\"",
        "shared_files.stream.processes=3",
        "shared_files.stream.again=true",
        "shared_files.stream.record=12 KiB",
        "shared_files.web.again=true",
        "shared_files.web.processes=3",
        "shared_files.export.synchronized=\"none\"",
        "shared_files.export.scheduler=\"cfq\"",
        "shared_files.hardware.raid.mechanics.write_cache=64 KiB",
        "shared_files.hardware.raid.mechanics.write_cache=2 MiB",
        "shared_files.hardware.raid.mechanics.queue_depth=8",
        "shared_files.hardware.bus.front_side=50 MB/s",
        "shared_files.node.bus.front_side=50 MB/s"});
}

TEST(BoundFuzz, Dma) { fuzz("pciebench", {"dma.warmup=200 us", "dma.duration=200 us"}, 2018); }

TEST(BoundFuzz, DmaBesideCores) { fuzz("hostnet", {"dma.warmup=20 us", "dma.duration=50 us"}, 2024); }

TEST(BoundFuzz, Transfers) { fuzz("today", {"transfers.warmup=5 ms", "transfers.duration=20 ms"}, 2025); }

TEST(BoundFuzz, Drives) {
  const std::string access = "programs.server.loop.2.access.";
  // A buffer that is soon full, and no reads beside writes, which pass them until all that is in flight are writes:
  // what is done before would count above the bound. And answers by doorbell, one by one or many at a time: the closed
  // form takes the latter, which are dearer than MMIO where WQEs lie far apart.
  fuzz("today/nvme_target",
       {"measure.warmup=5 ms", "measure.duration=5 ms", "machines.target.drives.hardware.flash.write_buffer=1 MiB",
        "programs.server.loop.3.post.method=\"doorbell\""},
       2026,
       {access + "operation=write", "programs.server.loop.3.post.acknowledgement=400 B", access + "size=512 B",
        access + "size=40 KiB", access + "at_most=3", "programs.server.loop.3.post.batch=1",
        "programs.client.loop.0.post.window=2", "programs.server.queue_pairs.answers.transport=UC"});
}

TEST(BoundFuzz, Relays) {
  const std::string relayed = "programs.leader.loop.2.post.";
  for (const std::string name : {"today/replicated_log", "today/replicated_log_rpc"}) {
    // Answers and copies by doorbell, as above.
    fuzz(name,
         {"measure.warmup=300 us", "measure.duration=1 ms", relayed + "method=\"doorbell\"",
          "programs.leader.loop.3.post.method=\"doorbell\""},
         2027,
         {relayed + "relay.copies=1", relayed + "relay.at_least=1", relayed + "relay.carrying=256 B",
          relayed + "relay.carrying=1 KiB", relayed + "batch=1", relayed + "signal_every=1",
          relayed + "destination=random", relayed + "payload=4 KiB", "machines.follower.count=4",
          "programs.client.loop.0.post.window=30", "programs.leader.queue_pairs.log.depth=16",
          "programs.leader.loop.0.collect.at_most=2",
          R"(programs.client.loop.0.post.mix=[{"share": 0.9, "verb": "SEND", "payload": "32 B"}])",
          R"(programs.client.loop.0.post.mix=[{"share": 0.3, "verb": "SEND", "payload": "180 B"}])"});
  }
}

TEST(BoundFuzz, Arrivals) {
  const std::string asking = "programs.client.loop.0.post.";
  // At equal distances: of a random number more may arrive than the rate says.
  fuzz("today/replicated_log_open",
       {"measure.warmup=300 us", "measure.duration=1 ms", asking + "arrivals.process=constant",
        "programs.leader.loop.2.post.method=\"doorbell\"", "programs.leader.loop.3.post.method=\"doorbell\""},
       2028,
       {asking + "arrivals.rate=\"20 k/s\"", asking + "arrivals.rate=\"300 k/s\"", asking + "arrivals.rate=\"2 M/s\"",
        asking + "window=3", asking + "batch=8", asking + "signal_every=1",
        "programs.client.queue_pairs.requests.depth=64", "programs.leader.threads=1"});
}

TEST(BoundFuzz, SeveralPrograms) {
  // Some of which do little on their own machine, and some much.
  const std::string hardware = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/cx6.json";
  const auto program = [](const std::string& host, const std::string& post) {
    return R"({"machine": ")" + host + R"(", "threads": 4, "queue_pairs": {"requests": {"transport": "RC"}}, )" +
           R"("loop": [{"post": {"verb": "SEND", "queue_pairs": "requests", "to": "server", "inline": false, )" + post +
           R"(}}, {"await": {"per_item": "30 ns"}}]})";
  };
  const std::string second = "programs.second.";
  fuzz("today/rpc_server",
       {"measure.warmup=500 us", "measure.duration=1 ms", R"(machines.others={"hardware": ")" + hardware + "\"}",
        "programs.client=" + program("client", R"("payload": "32 B", "window": 4, "destination": "fixed")"),
        second.substr(0, second.size() - 1) + "=" +
            program("others", R"("payload": "300 B", "window": 4, "destination": "fixed")"),
        "programs.server.queue_pairs.answers.count=40"},
       2029,
       {"measure.program=second", "measure.program=server", second + "loop.0.post.window=1",
        second + "loop.0.post.window=64", second + "loop.0.post.payload=9 KiB", second + "loop.1.await.per_item=20 us",
        second + "loop.1.await.per_item=1 us", second + "threads=1", "machines.others.count=3",
        "programs.client.loop.0.post.window=32", "programs.client.loop.0.post.window=1",
        "programs.client.loop.1.await.per_item=5 us", "programs.server.threads=1",
        "programs.server.loop.1.compute.per_item=100 ns"});
}

TEST(BoundFuzz, RemoteMemory) {
  const std::string access = "remote_memory.access.";
  fuzz("rdmabox", {"remote_memory.warmup=500 us", "remote_memory.duration=1 ms"}, 2021,
       {access + "batching=single",
        access + "batching=doorbell",
        access + "batching=merge",
        access + "batching=hybrid",
        access + "registration=copy",
        access + "registration=map",
        access + "registration=threshold",
        access + "registration=in_place",
        access + "space=user",
        access + "protocol=two_sided",
        access + "peers=3",
        access + "replicas=2",
        access + "unreachable=1",
        access + "queue_pairs=3",
        access + "window=64 KiB",
        access + "largest_merge=8 KiB",
        access + "chain=2",
        access + "completion.mode=busy",
        access + "completion.mode=event",
        access + "completion.mode=event_batch",
        access + "completion.mode=timer",
        access + "completion.shared_queues=2",
        access + "completion.threads_per_queue=2",
        "remote_memory.block.read_share=0.5",
        "remote_memory.block.read_share=1",
        "remote_memory.block.order=random",
        "remote_memory.block.size=3 KiB",
        "remote_memory.paging.dirty=1",
        "remote_memory.paging.order=sequential",
        "remote_memory.paging.join_reads=true",
        "remote_memory.paging.threads=40",
        "remote_memory.paging.resident=0.95",
        "remote_memory.records.readahead=16",
        "remote_memory.records.size=16 KiB",
        "remote_memory.files.read_share=0.5"});
}

}  // namespace
}  // namespace doorbell::analytic
