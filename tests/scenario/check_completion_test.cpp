// Programs that sleep until an interrupt, and threads that share completion queues.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose clients sleep until their answers come.
class SleepingClients : public Variants {
 protected:
  const std::string sleeping_ =
      replaced(good_scenario, R"("machine": "client",)", R"("machine": "client", "completion": {"mode": "event"},)");
  const std::string text_ = with_software(sleeping_);
  const std::string mode_ = "/programs/client/completion/mode";
};

TEST_F(SleepingClients, AreReadWithTheirSoftware) {
  const auto points = load(file(text_));
  const model::Scenario& scenario = points.front().scenario;
  for (const auto& [name, group] : scenario.machines) EXPECT_EQ(group.software.has_value(), name == "client");
  const auto changed = load(file(text_), {.sets = {"machines.client.software.driver.wakeup=77 ns"}, .seed = {}});
  EXPECT_EQ(model::find(changed.front().scenario.machines, "client")->software->driver.wakeup,
            std::chrono::nanoseconds{77});
}

TEST_F(SleepingClients, NeedSoftwareThatSaysWhatInterruptsCost) { expect_complaint(sleeping_, no_software, mode_); }

TEST_F(SleepingClients, AreNotWokenByWhatIsInMemory) {
  const std::string worker_sleeps = replaced(
      replaced(text_, R"("machine": "server",)", R"("machine": "server", "completion": {"mode": "adaptive"},)"),
      R"("server": {"hardware": "hardware.json")",
      R"("server": {"hardware": "hardware.json", "software": "software.json")");
  expect_complaint(worker_sleeps, never_interrupted, worker + "/completion/mode");
  const std::string written =
      replaced(replaced(text_, R"("transport": "UD", "count": 3)", R"("transport": "UC", "count": 70)"),
               R"("verb": "SEND")", R"("verb": "WRITE")");
  expect_complaint(written, never_interrupted, mode_);
}

TEST_F(SleepingClients, AreNotWokenByAnswersOfWhichSomeAreInMemory) {
  const std::string some =
      replaced(replaced(text_, R"("transport": "UD", "count": 3)", R"("transport": "UC", "count": 70)"),
               R"("batch": 32,)", R"("batch": 32, "mix": [{"share": 0.5, "verb": "WRITE", "payload": "8 B"}],)");
  expect_complaint(some, never_interrupted, mode_);
}

TEST_F(SleepingClients, AreNotWokenByWhatIsNotSignaled) {
  // The worker takes SENDs only, so that nobody answers these READs.
  const std::string reading =
      replaced(replaced(text_, R"("transport": "UC")", R"("transport": "RC")"),
               R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests",)",
               R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker"}},
        {"post": {"verb": "READ", "payload": "8 B", "signal_every": 7, "queue_pairs": "requests",)");
  expect_complaint(reading, never_interrupted, "/programs/client/loop/1/post/signal_every");
  const std::string more =
      replaced(replaced(reading, R"("signal_every": 7, )", ""), R"("window": 32)", R"("window": 65)");
  expect_complaint(more, never_interrupted, mode_);
  // Of whole windows the last is.
  EXPECT_NO_THROW((void)load(file(replaced(reading, R"("signal_every": 7)", R"("signal_every": 32)"))));
}

TEST_F(SleepingClients, AreNotWokenByArrivals) {
  const std::string arriving = replaced(replaced(text_, R"("window": 32)", R"("arrivals": {"rate": "1 k/s"})"),
                                        R"("at_least": 0)", R"("at_least": 1)");
  expect_complaint(arriving, never_interrupted, mode_);
}

TEST_F(SleepingClients, WaitForSomething) {
  const std::string restless =
      replaced(replaced(text_, R"(, "window": 32)", ""), R"({"await": {"at_least": 0}})", R"({"compute": {}})");
  expect_complaint(restless, never_interrupted, mode_);
}

/// The good scenario, whose workers share completion queues.
class SharingWorkers : public Variants {
 protected:
  [[nodiscard]] static std::string sharing(const std::string& text, int queues) {
    return replaced(text, R"("machine": "server",)",
                    R"("machine": "server", "completion": {"shared_queues": )" + std::to_string(queues) + "},");
  }
  const std::string polled_ =
      replaced(replaced(replaced(replaced(good_scenario, R"("via": "memory")", R"("via": "completion_queue")"),
                                 R"("per_slot": "1 ns", )", ""),
                        R"({"verb": "WRITE",)", R"({"verb": "SEND",)"),
               R"({"transport": "UC"})", R"({"transport": "UC", "count": 6})");
  const std::string queues_ = worker + "/completion/shared_queues";
};

TEST_F(SharingWorkers, AreAtLeastAsManyAsTheirQueues) {
  for (const int queues : {0, 1, 6}) EXPECT_NO_THROW((void)load(file(sharing(polled_, queues)))) << queues;
  expect_complaint(sharing(polled_, 7), shared_queues, queues_);
}

TEST_F(SharingWorkers, CollectFromThem) { expect_complaint(sharing(good_scenario, 1), shared_queues, queues_); }

}  // namespace
}  // namespace doorbell::scenario::testing
