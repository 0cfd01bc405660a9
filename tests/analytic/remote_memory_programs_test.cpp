#include "analytic/remote_memory_programs.hpp"

#include <gtest/gtest.h>

#include "analytic/flow.hpp"
#include "analytic/ports.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using model::PostStep;
using model::Verb;

PostStep first_post(const model::Scenario& scenario, std::size_t program) {
  return *model::find_step<PostStep>(scenario.programs.at(program).second);
}

TEST(RemoteMemoryPrograms, PostWhatTheDevicePosts) {
  model::RemoteMemoryScenario remote = model::on_blocks(4, 8);
  remote.block->read_share = 0.25;
  remote.access.batching = model::Batching::doorbell;
  const PostStep step = first_post(as_programs(remote), 0);
  EXPECT_EQ(step.verb, Verb::write);
  EXPECT_EQ(step.payload, 4_KiB);
  EXPECT_EQ(step.batch, 4);
  EXPECT_DOUBLE_EQ(model::own_share(step), 0.75);
  EXPECT_EQ(model::only(step, step.mix.front()).verb, Verb::read);
}

TEST(RemoteMemoryPrograms, TwoSidedRequestsAreAnswered) {
  model::RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.protocol = model::Protocol::two_sided;
  remote.block->read_share = 0.5;
  const model::Scenario scenario = as_programs(remote);
  EXPECT_EQ(first_post(scenario, 0).payload, 4096_B + model::two_sided_header);
  EXPECT_EQ(first_post(scenario, 1).payload, model::two_sided_header);
  EXPECT_EQ(first_post(scenario, 1).mix.front().payload, 4096_B + model::two_sided_header);
  const Flow flow{scenario};
  double answers = 0;
  for (const PostFlow& post : flow.programs().at(1).posts) answers += post.work_requests;
  EXPECT_DOUBLE_EQ(answers, 1);
}

TEST(RemoteMemoryPrograms, QueuePairsSpreadOverPeersAndPorts) {
  model::RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.peers = 3;
  remote.access.queue_pairs = 4;
  const model::Scenario scenario = as_programs(remote);
  const Flow flow{scenario};
  const ProgramFlow& load = flow.programs().front();
  EXPECT_EQ(queue_pairs_of(load, load.program->queue_pairs.front().second), 12);
  EXPECT_EQ(ports_of_post(flow, load, load.posts.front()).front().size(),
            static_cast<std::size_t>(remote.hardware.port.ports));
}

}  // namespace
}  // namespace doorbell::analytic
