#include "models/programs/posted_operation.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "models/fixture.hpp"
#include "models/verb_paths.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace verb_paths;

TEST(PostedOperation, CopiesComeBeforeWhatIsSentAndAfterWhatIsRead) {
  std::optional<HostSoftware> software{std::in_place};
  software->memory.copy = 4000_MBps;
  software->memory.register_region = 50us;
  software->memory.register_page = 100ns;
  const auto core_time = [&](Verb verb, Registration registration, Phase phase) {
    PostStep step = post(verb, 8000);
    step.inlined = false;
    step.data = DataPlacement{.registration = registration};
    const Operation plain = operation_of(step, queue_pairs(Transport::rc), 1, machine, {machine, sink()});
    const auto time = [&](const Operation& operation) {
      return path_of(operation).service(phase, Side::requester, Resource::core, Per::operation);
    };
    return time(with_data_access(plain, step, software)) - time(plain);
  };
  EXPECT_EQ(core_time(Verb::write, Registration::copy, Phase::post), 2us);
  EXPECT_EQ(core_time(Verb::write, Registration::copy, Phase::complete), 0us);
  EXPECT_EQ(core_time(Verb::read, Registration::copy, Phase::post), 0us);
  EXPECT_EQ(core_time(Verb::read, Registration::copy, Phase::complete), 2us);
  for (const Verb verb : {Verb::write, Verb::read, Verb::send}) {
    EXPECT_EQ(core_time(verb, Registration::map, Phase::post), 50us + 200ns);
    EXPECT_EQ(core_time(verb, Registration::map, Phase::complete), 0us);
    EXPECT_EQ(core_time(verb, Registration::in_place, Phase::post), 0us);
  }
  PostStep step = post(Verb::write, 8000);
  step.data = DataPlacement{};
  EXPECT_THROW((void)with_data_access(Operation{}, step, std::nullopt), std::invalid_argument);
}

TEST(PostedOperation, SomeDriversWriteOnlyWhatIsCompleteByMmio) {
  const auto method = [](Verb verb, bool inlined, bool only_inline, int batch = 1) {
    HardwareProfile requester = machine;
    requester.mmio.only_inline = only_inline;
    PostStep step = post(verb, 8);
    step.inlined = inlined;
    step.method = PostMethod::automatic;
    return operation_of(step, queue_pairs(Transport::rc), batch, requester, {machine, sink()}).method;
  };
  for (const Verb verb : {Verb::send, Verb::write}) {
    EXPECT_EQ(method(verb, true, true), PostMethod::mmio);
    EXPECT_EQ(method(verb, false, true), PostMethod::doorbell) << "its data are still to be gathered";
    EXPECT_EQ(method(verb, false, false), PostMethod::mmio);
  }
  EXPECT_EQ(method(Verb::read, false, true), PostMethod::mmio);
  EXPECT_EQ(method(Verb::fetch_add, false, true), PostMethod::doorbell);
  EXPECT_EQ(method(Verb::write, true, true, 2), PostMethod::doorbell);
}

TEST(PostedOperation, OnlySendsThatFitIntoACqeAreReceivedInline) {
  HardwareProfile responder = machine;
  responder.nic.inline_receive = 64_B;
  Program receiver = sink();
  const auto inlined = [&](Verb verb, std::int64_t payload) {
    return operation_of(post(verb, payload), queue_pairs(Transport::rc), 1, machine, {responder, receiver})
        .inline_receive;
  };
  EXPECT_FALSE(inlined(Verb::send, 8)) << "nobody has asked";
  receiver.queue_pairs.front().second.inline_receive = true;
  EXPECT_FALSE(inlined(Verb::send, 8)) << "SENDs over RC take no RECV of a queue pair for UD";
  receiver.queue_pairs.front().second.transport = Transport::rc;
  EXPECT_TRUE(inlined(Verb::send, 1));
  EXPECT_TRUE(inlined(Verb::send, 64));
  EXPECT_FALSE(inlined(Verb::send, 65));
  EXPECT_FALSE(inlined(Verb::send, 0));
  EXPECT_FALSE(inlined(Verb::write, 8));
}

TEST(PostedOperation, AutomaticPostsOneByMmioAndMoreByDoorbell) {
  PostStep step;
  step.batch = 16;
  const QueuePairs pairs{.transport = Transport::ud};
  EXPECT_EQ(operation_of(step, pairs, 1, machine, {machine, sink()}).method, PostMethod::mmio);
  EXPECT_EQ(operation_of(step, pairs, 2, machine, {machine, sink()}).method, PostMethod::doorbell);
  PostStep always = step;
  always.method = PostMethod::doorbell;
  EXPECT_EQ(operation_of(always, pairs, 1, machine, {machine, sink()}).method, PostMethod::doorbell);
}

TEST(PostedOperation, RegionsBeyondTheCacheAreServedFromMemory) {
  PostStep step;
  step.verb = Verb::read;
  const QueuePairs pairs{.transport = Transport::rc};
  EXPECT_FALSE(operation_of(step, pairs, 1, machine, {machine, sink()}).in_dram);
  step.region = Region{.count = machine.root_complex.cache.count / 64, .stride = 64_B};
  EXPECT_FALSE(operation_of(step, pairs, 1, machine, {machine, sink()}).in_dram);
  ++step.region->count;
  EXPECT_TRUE(operation_of(step, pairs, 1, machine, {machine, sink()}).in_dram);
}

TEST(PostedOperation, OfAWholeWindowTheLastWqeIsSignaled) {
  PostStep step = post_window(Verb::write, 8, 16);
  const QueuePairs pairs{.transport = Transport::rc};
  const auto signal_every = [&](int every, int at_least, int queue_pairs = 1) {
    step.signal_every = every;
    const Program poster = program(pairs, {step, await(at_least)});
    return in_whole_windows(operation_of(step, pairs, 1, machine, {machine, sink()}), step, poster, sink(), queue_pairs)
        .signal_every;
  };
  EXPECT_EQ(signal_every(64, 0), 16);
  EXPECT_EQ(signal_every(64, 0, 4), 4) << "a CQE of one queue pair does not tell of the others";
  EXPECT_EQ(signal_every(64, 0, 3), 6) << "three of sixteen";
  step.batch = 8;
  EXPECT_EQ(signal_every(64, 0, 4), 8) << "two calls";
  step.batch = 1;
  step.destination = Destination::random;
  EXPECT_EQ(signal_every(64, 0), 16);
  EXPECT_EQ(signal_every(64, 0, 2), 1) << "each may be the last on its queue pair";
  step.destination = Destination::fixed;
  EXPECT_EQ(signal_every(4, 0), 4);
  EXPECT_EQ(signal_every(64, 1), 64);
}

}  // namespace
}  // namespace doorbell::model
