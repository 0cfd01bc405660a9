// Settings of machines that share files, and of their server, that nothing asks.
#include <gtest/gtest.h>

#include "shared_files_folder.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class FileSettings : public SharedFilesFolder {
 protected:
  FileSettings() {
    workspace_.write("reads.iolog", "fio version 2 iolog\n/dev/sda add\n/dev/sda read 4096 8192\n");
    workspace_.write("both.iolog",
                     "fio version 2 iolog\n/dev/sda add\n/dev/sda write 4096 8192\n/dev/sda read 0 4096\n");
    workspace_.write("writes.iolog", "fio version 2 iolog\n/dev/sda add\n/dev/sda write 4096 8192\n");
  }

  void expect_refused(const std::string& members, const std::string& place, ErrorCode code = without_effect) const {
    SCOPED_TRACE(members);
    expect_refused_at(scenario(members), code, "/shared_files/" + place);
  }
  void expect_accepted(const std::string& members) const { EXPECT_NO_THROW((void)load(scenario(members))) << members; }

  static inline const std::string file_ = R"("files": {"size": "1 MiB"}, )";
  static inline const std::string reads_ = file_ + R"("stream": {}, )";
  static inline const std::string writes_ = file_ + R"("stream": {"operation": "write"}, )";
  [[nodiscard]] static std::string traced(const std::string& name) {
    return file_ + R"("trace": {"file": ")" + name + R"("}, )";
  }
  static inline const std::string direct_ = R"("mount": {"direct": true)";
};

std::string under(const std::string& scheduler, const std::string& tunable) {
  return R"("export": {"scheduler": ")" + scheduler + R"(", "tunables": {)" + tunable + "}}";
}

TEST_F(FileSettings, OfSchedulersThatAreNotTheOne) {
  struct Tunable {
    std::string name;
    std::string value;
    std::vector<std::string> known_to;
    std::string load;  ///< Under which it has an effect.
  };
  const std::vector<Tunable> tunables{
      {"read_expire", "\"1 s\"", {"deadline", "anticipatory"}, reads_},
      {"write_expire", "\"1 s\"", {"deadline", "anticipatory"}, writes_},
      {"fifo_batch", "8", {"deadline", "anticipatory"}, reads_},
      {"writes_starved", "8", {"deadline", "anticipatory"}, traced("both.iolog")},
      {"antic_expire", "\"1 ms\"", {"anticipatory"}, reads_},
      {"antic_read_expire", "\"1 s\"", {"anticipatory"}, writes_},
      {"antic_close", "\"4 KiB\"", {"anticipatory"}, reads_},
      {"slice_sync", "\"1 s\"", {"cfq"}, writes_},
      {"slice_idle", "\"1 ms\"", {"cfq"}, reads_},
      {"quantum", "8", {"cfq"}, writes_},
  };
  for (const Tunable& tunable : tunables) {
    for (const std::string scheduler : {"noop", "deadline", "anticipatory", "cfq"}) {
      const std::string members = tunable.load + under(scheduler, '"' + tunable.name + "\": " + tunable.value);
      if (std::ranges::find(tunable.known_to, scheduler) != tunable.known_to.end()) {
        expect_accepted(members);
      } else {
        expect_refused(members, "export/tunables/" + tunable.name);
      }
    }
  }
}

TEST_F(FileSettings, OfSchedulersForWhatNeverComes) {
  expect_refused(writes_ + under("deadline", R"("read_expire": "1 s")"), "export/tunables/read_expire");
  expect_refused(reads_ + under("deadline", R"("write_expire": "1 s")"), "export/tunables/write_expire");
  expect_refused(reads_ + under("deadline", R"("writes_starved": 3)"), "export/tunables/writes_starved");
  expect_refused(writes_ + under("anticipatory", R"("antic_expire": "1 ms")"), "export/tunables/antic_expire");
  expect_refused(writes_ + under("cfq", R"("slice_idle": "1 ms")"), "export/tunables/slice_idle");
  expect_refused(writes_ + under("deadline", R"("writes_starved": 3)"), "export/tunables/writes_starved");
  expect_accepted(traced("writes.iolog") + under("deadline", R"("write_expire": "1 s")"));
  expect_refused(traced("reads.iolog") + under("deadline", R"("write_expire": "1 s")"), "export/tunables/write_expire");
}

TEST_F(FileSettings, SayWhoKnowsThem) {
  const ScenarioError error = complaint_of(scenario(reads_ + under("noop", R"("quantum": 8)")));
  EXPECT_NE(std::string{error.what()}.find(R"(4, the default, as only the scheduler "cfq" knows it)"),
            std::string::npos)
      << error.what();
}

TEST_F(FileSettings, ThatAreTheDefaultsMayBeWritten) {
  expect_accepted(reads_ + under("noop", R"("quantum": 4)"));
  expect_accepted(reads_ + direct_ + R"(, "read_ahead": "128 KiB", "page_cache": "1 GiB", "dirty_limit": 0.1})");
}

TEST_F(FileSettings, OfAPageCacheThatIsPassed) {
  expect_refused(reads_ + direct_ + R"(, "read_ahead": "1 MiB"})", "mount/read_ahead");
  expect_refused(reads_ + direct_ + R"(, "page_cache": "1 MiB"})", "mount/page_cache");
  expect_refused(writes_ + direct_ + R"(, "dirty_limit": 0.5})", "mount/dirty_limit");
  expect_refused(reads_ + R"("mount": {"dirty_limit": 0.5})", "mount/dirty_limit");
  expect_refused(writes_ + R"("mount": {"read_ahead": "1 MiB"})", "mount/read_ahead");
  expect_accepted(writes_ + R"("mount": {"dirty_limit": 0.5, "page_cache": "1 MiB"})");
  // The limit is the server's as well.
  expect_accepted(writes_ + direct_ + R"(, "dirty_limit": 0.5}, "export": {"path": "ram", "page_cache": "1 MiB"})");
}

TEST_F(FileSettings, OfTheServersPageCache) {
  expect_refused(reads_ + R"("export": {"read_ahead": "1 MiB"})", "export/read_ahead");
  expect_accepted(reads_ + R"("export": {"path": "ram", "page_cache": "1 MiB", "read_ahead": "1 MiB"})");
  expect_refused(writes_ + R"("export": {"path": "ram", "page_cache": "1 MiB", "read_ahead": "1 MiB"})",
                 "export/read_ahead");
  expect_refused(writes_ + R"("export": {"synchronized": "multiple"})", "export/synchronized");
}

TEST_F(FileSettings, OfLoads) {
  const std::string trace = traced("writes.iolog");
  expect_refused(trace + R"("mount": {"page_cache": "1 MiB"})", "mount/page_cache");
  expect_refused(trace + R"("mount": {"lock": "1 us"})", "mount/lock");
  expect_refused(trace + direct_ + "}", "mount/direct");
  expect_refused(
      R"("files": {"size": "1 MiB", "count": 2}, "tiles": {"columns": 1, "rows": 1, "width": 1, "height": 1})",
      "files/count");
  expect_refused(file_ + R"("mount": {"direct": true}, "stream": {"again": true})", "stream/again");
  expect_refused(file_ + R"("mount": {"direct": true}, "web": {"again": true})", "web/again");
  expect_accepted(file_ + R"("stream": {"again": true})");
  // Who comes again holds the file's lock.
  expect_accepted(file_ + R"("mount": {"direct": true, "lock": "1 us"}, "stream": {"again": true})");
  expect_accepted(file_ + R"("mount": {"direct": true, "nodes": 2}, "stream": {"operation": "write", "again": true})");
  expect_accepted(file_ + R"("mount": {"direct": true}, "stream": {"again": true},
                             "export": {"path": "ram", "page_cache": "1 MiB"})");
}

TEST_F(FileSettings, OfStreamsThatAreAlone) {
  const std::string staggered = file_ + R"("stream": {"stagger": "1 ms"})";
  expect_refused(staggered, "stream/stagger");
  expect_refused(staggered + R"(, "mount": {"nodes": 1})", "stream/stagger");
  expect_accepted(staggered + R"(, "mount": {"nodes": 2})");
}

TEST_F(FileSettings, OfFilesThatNobodyOpens) {
  const auto files = [](int count, const std::string& stream, const std::string& others = {}) {
    return R"("files": {"size": "1 MiB", "count": )" + std::to_string(count) + R"(}, "stream": {)" + stream + "}" +
           others;
  };
  const std::string three = R"("processes": 3)";
  const std::string two_nodes = R"(, "mount": {"nodes": 2})";
  expect_refused(files(2, ""), "files/count");
  expect_refused(files(7, three, two_nodes), "files/count");
  expect_accepted(files(6, three, two_nodes));
  expect_accepted(files(5, three, two_nodes));
  // The caches hold the last files of all that have been read.
  expect_accepted(files(7, three + R"(, "again": true)", two_nodes));
  expect_refused(files(7, three + R"(, "again": true)", R"(, "mount": {"nodes": 2, "direct": true, "lock": "1 us"})"),
                 "files/count");
  // The server reads on into the next file.
  expect_accepted(files(7, three, two_nodes + R"(, "export": {"path": "ram", "page_cache": "1 MiB"})"));
  const std::string message = complaint_of(scenario(files(7, three, two_nodes))).what();
  EXPECT_NE(message.find("at most 6, as each process goes through one file, found 7"), std::string::npos) << message;
}

TEST_F(FileSettings, OfTimesWhereTheLoadEndsTheRun) {
  const std::string tiles = file_ + R"("tiles": {"columns": 1, "rows": 1, "width": 1, "height": 1}, )";
  for (const std::string& load : {tiles, traced("reads.iolog")}) {
    expect_refused(load + R"("warmup": "1 s")", "warmup");
    expect_refused(load + R"("duration": "2 s")", "duration");
    expect_accepted(load + R"("warmup": "100 ms", "duration": "1 s")");
  }
  expect_accepted(reads_ + R"("warmup": "1 s", "duration": "2 s")");
}

TEST_F(FileSettings, OfAPathMaySayWhereWritesPassAnyway) {
  const std::string ram = R"("export": {"path": "ram")";
  expect_accepted(writes_ + ram + "}");
  expect_accepted(traced("writes.iolog") + ram + "}");
  expect_accepted(traced("both.iolog") + ram + "}");
  expect_accepted(reads_ + ram + "}");
  // Only memory has a page cache.
  expect_accepted(writes_ + ram + R"(, "page_cache": "1 MiB"})");
}

TEST_F(FileSettings, OnlyWhatIsReadMustFitIntoTheNic) {
  const std::string large = R"("mount": {"largest_request": "1 MiB"})";
  expect_refused(reads_ + large, "mount/largest_request", buffer_too_small);
  expect_refused(traced("both.iolog") + large, "mount/largest_request", buffer_too_small);
  expect_accepted(writes_ + large);
  expect_accepted(traced("writes.iolog") + large);
}

TEST_F(FileSettings, OfASieveThatHoldsNoMoreThanARow) {
  const auto tiles = [](const std::string& sieve) {
    return file_ + R"("tiles": {"columns": 2, "rows": 2, "width": 16, "height": 2, "sieve": ")" + sieve + R"("})";
  };
  expect_refused(tiles("500 B"), "tiles/sieve");
  expect_refused(tiles("512 B"), "tiles/sieve");
  expect_accepted(tiles("513 B"));
  expect_accepted(tiles("0 B"));
}

TEST_F(FileSettings, OfTracesAreOfWholeSectors) {
  workspace_.write("broken.iolog", "fio version 2 iolog\n/dev/sda add\n/dev/sda read 4096 8192\n/dev/sda read 0 700\n");
  const ScenarioError error = complaint_of(scenario(file_ + R"("trace": {"file": "broken.iolog"})"));
  EXPECT_EQ(error.code(), broken_sector);
  const std::string message = error.what();
  EXPECT_NE(message.find("broken.iolog:4:1: DB465: expected a request of whole sectors of 512 B, found 700 B at 0"),
            std::string::npos)
      << message;
}

// Whatever is swept, what does not depend on it is checked.
TEST_F(FileSettings, ThatNoPointOfASweepUses) {
  const auto swept = [this](const std::string& members, const std::string& path, const std::string& values) {
    return workspace_.write("swept.json", R"({"extends": ")" + scenario(members).filename().string() +
                                              R"(", "sweep": [{"path": "/shared_files/)" + path + R"(", "values": )" +
                                              values + "}]}");
  };
  const std::string nodes = "[1, 2]";
  const std::string schedulers = R"(["noop", "deadline", "anticipatory", "cfq"])";
  const std::string quantum = reads_ + under("deadline", R"("quantum": 8)");
  EXPECT_EQ(complaint_of(swept(quantum, "mount/nodes", nodes)).pointer(), "/shared_files/export/tunables/quantum");
  EXPECT_EQ(load(swept(quantum, "export/scheduler", schedulers)).size(), 4U);
  // No scheduler has writes to wait for.
  const std::string expires = reads_ + under("deadline", R"("write_expire": "1 s")");
  EXPECT_EQ(complaint_of(swept(expires, "export/scheduler", schedulers)).pointer(),
            "/shared_files/export/tunables/write_expire");
  const std::string ahead = reads_ + R"("export": {"read_ahead": "1 MiB"})";
  EXPECT_EQ(complaint_of(swept(ahead, "mount/direct", "[true, false]")).pointer(), "/shared_files/export/read_ahead");
  EXPECT_EQ(load(swept(reads_ + direct_ + R"(, "read_ahead": "1 MiB"})", "mount/direct", "[true, false]")).size(), 2U);
  EXPECT_EQ(load(swept(file_ + R"("stream": {"stagger": "1 ms"})", "mount/nodes", nodes)).size(), 2U);
  const std::string all_files = R"("files": {"size": "1 MiB", "count": 2}, "stream": {})";
  EXPECT_EQ(load(swept(all_files, "stream/processes", nodes)).size(), 2U);
  EXPECT_EQ(complaint_of(swept(all_files, "mount/direct", "[true, false]")).pointer(), "/shared_files/files/count");
}

// Who sweeps over all of a load chooses what is left out of it, too.
TEST_F(FileSettings, MayDependOnAWholeLoadThatIsSwept) {
  const std::filesystem::path swept = workspace_.write(
      "swept.json", R"({"extends": ")" +
                        scenario(file_ + R"("stream": {}, "mount": {"dirty_limit": 0.5})").filename().string() +
                        R"(", "sweep": [{"path": "/shared_files/stream",
        "values": [{"record": "8 KiB"}, {"operation": "write"}]}]})");
  EXPECT_EQ(load(swept).size(), 2U);
}

// What a setting depends on may be chosen by somebody else than who wrote it.
TEST_F(FileSettings, MayWaitForOtherChoices) {
  const std::string batches = reads_ + under("deadline", R"("fifo_batch": 8)");
  const std::filesystem::path file = scenario(batches);
  EXPECT_NO_THROW((void)load(file, {.sets = {"shared_files.export.scheduler=noop"}, .seed = {}}));
  EXPECT_EQ(complaint_of(file, {.sets = {"shared_files.export.tunables.quantum=8"}, .seed = {}}).pointer(),
            "/shared_files/export/tunables/quantum");
  const std::filesystem::path uncached = workspace_.write("uncached.json", R"({"extends": "shared.json",
      "shared_files": {"export": {"scheduler": "noop"}}})");
  EXPECT_NO_THROW((void)load(uncached));
  const std::filesystem::path swept = workspace_.write("swept.json", R"({"extends": "shared.json",
      "sweep": [{"path": "/shared_files/export/scheduler", "values": ["noop", "deadline", "cfq"]}]})");
  EXPECT_EQ(load(swept).size(), 3U);
}

TEST_F(FileSettings, DirectIsOfWholeSectors) {
  const std::string direct = file_ + R"("mount": {"direct": true}, )";
  expect_refused(direct + R"("stream": {"record": "5000 B"})", "stream/record", broken_sector);
  expect_refused(direct + R"("web": {"record": "5000 B"})", "web/record", broken_sector);
  expect_refused(R"("files": {"size": "5000 B"}, "mount": {"direct": true},
                     "stream": {"operation": "write", "record": "4 KiB"})",
                 "files/size", broken_sector);
  expect_accepted(R"("files": {"size": "5000 B"}, "mount": {"direct": true}, "stream": {"record": "4 KiB"})");
  const auto tiles = [&](const std::string& width, const std::string& sieve) {
    return direct + R"("tiles": {"columns": 2, "rows": 2, "height": 2, "width": )" + width + R"(, "sieve": ")" + sieve +
           R"("})";
  };
  expect_refused(tiles("17", "4 KiB"), "tiles/width", broken_sector);
  expect_refused(tiles("16", "5000 B"), "tiles/sieve", broken_sector);
  expect_accepted(tiles("16", "4608 B"));
  expect_accepted(direct + R"("stream": {"record": "4608 B"})");
  // One call reads all, and would read more.
  expect_accepted(R"("files": {"size": "10 MB"}, "mount": {"direct": true}, "web": {"record": "10 MB"})");
  expect_accepted(file_ + R"("stream": {"record": "5000 B"})");
}

}  // namespace
}  // namespace doorbell::scenario::testing
