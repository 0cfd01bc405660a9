#include "analytic/demand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "analytic/flow.hpp"
#include "analytic/service_times.hpp"
#include "models/fixture.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;
using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(Demand, IsWhatThePathOwesTimesHowOftenItIsWalked) {
  // Each request is answered: the server's outbound pipeline sends one answer, its inbound one takes one request.
  const Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16, 16), await(0)}),
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), replenish(), answer(32, 8)}));
  const Flow flow{scenario};
  const DemandMatrix matrix = demand_matrix(flow);
  const Eigen::VectorXd totals = matrix.totals();
  const auto total = [&](const std::string& name) {
    for (std::size_t r = 0; r < matrix.resources.size(); ++r) {
      if (matrix.resources[r].name == name) return totals(static_cast<Eigen::Index>(r));
    }
    ADD_FAILURE() << "no " << name;
    return 0.0;
  };
  const VerbPath request = path_of(post(Verb::send, 8, 16), queue_pairs(Transport::ud), connect_ib());
  const VerbPath response = path_of(post(Verb::send, 32, 8), queue_pairs(Transport::ud), connect_ib());
  EXPECT_NEAR(total("server/NIC transmit pipeline"),
              to_seconds(response.demand(Side::requester, Resource::nic_transmit)), 1e-15);
  EXPECT_NEAR(total("server/NIC receive pipeline"), to_seconds(request.demand(Side::responder, Resource::nic_receive)),
              1e-15);
  EXPECT_NEAR(total("client/ports transmit"), to_seconds(request.demand(Side::requester, Resource::port_transmit)),
              1e-15);
}

const ResourceRow& row(const DemandMatrix& matrix, const std::string& name) {
  const auto found = std::ranges::find(matrix.resources, name, &ResourceRow::name);
  if (found == matrix.resources.end()) throw std::invalid_argument("no " + name);
  return *found;
}
double demand_of(const Scenario& scenario, const std::string& name) {
  const Flow flow{scenario};
  const DemandMatrix matrix = demand_matrix(flow);
  return matrix.totals()(&row(matrix, name) - matrix.resources.data());
}

TEST(Demand, OnlyAnswersThatLeaveACqeArePolled) {
  const auto polls = [](Verb verb, bool immediate) {
    const auto cores = [&](Time poll_cqe) {
      PostStep answering = answer(8);
      answering.verb = verb;
      answering.immediate = immediate;
      Program server = program(queue_pairs(Transport::uc), {collect(Channel::completion_queue), answering});
      Scenario scenario = scenario_of(
          connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 4), await(1)}), server);
      hardware_of(scenario, "client").cpu.poll_cqe = poll_cqe;
      return demand_of(scenario, "client/cores of client");
    };
    return cores(1us) - cores(0ns);
  };
  const double signaled = 1e-6 / 64;  // of the requests
  EXPECT_NEAR(polls(Verb::send, false), 1e-6 + signaled, 1e-12);
  EXPECT_NEAR(polls(Verb::write, true), 1e-6 + signaled, 1e-12);
  EXPECT_NEAR(polls(Verb::write, false), signaled, 1e-12);
}

TEST(Demand, OfDevicesStaysThatOfThePassWhoseWorkCostsNothing) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/nvme_target.json";
  const std::string loop = "programs.server.loop.";
  const std::string cpu = "machines.target.hardware.cpu.";
  const auto of_controllers = [&](const std::vector<std::string>& sets) {
    return demand_of(scenario::load(file, {.sets = sets, .seed = {}}).front().scenario, "target/drives: controllers");
  };
  const double with_work = of_controllers({});
  EXPECT_GT(with_work, 0);
  EXPECT_NEAR(of_controllers({loop + "0.collect.per_item=0 ns", loop + "1.compute.per_item=0 ns",
                              loop + "2.access.per_command=0 ns", loop + "2.access.per_completion=0 ns",
                              cpu + "poll_cqe=0 ns", cpu + "recv_cost=0 ns"}),
              with_work, 1e-9 * with_work);
}
double servers_of(const Scenario& scenario, const std::string& name) {
  const Flow flow{scenario};
  return row(demand_matrix(flow), name).servers;
}

TEST(Demand, AtomicsOfANicWithoutEnginesTakeItsPipelines) {
  HardwareProfile hardware = connect_ib();
  const auto demand = [&](int engines, const char* pipeline) {
    hardware.atomics.engines = engines;
    return demand_of(scenario_of(hardware, program(queue_pairs(Transport::rc), {post_atomic(1, 8)}), sink()), pipeline);
  };
  const VerbPath path = path_of(post_atomic(1, 8), queue_pairs(Transport::rc), hardware);
  const double held = to_seconds(path.demand(Side::responder, Resource::atomic_lock));
  const double response = to_seconds(path.demand(Side::responder, Resource::nic_transmit));
  ASSERT_GT(held, response);
  EXPECT_NEAR(demand(0, "server/NIC receive pipeline") - demand(16, "server/NIC receive pipeline"), held, 1e-15);
  EXPECT_NEAR(demand(0, "server/NIC transmit pipeline"), held, 1e-15) << "the response among it";
}

TEST(Demand, AUnitThatWaitsForAPlaceOfThePayloadsHasOneMore) {
  HardwareProfile hardware = connect_ib();
  hardware.nic.tx_queue = 10;
  PostStep step = post(Verb::write, 4096);
  step.inlined = false;
  EXPECT_EQ(servers_of(scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step}), sink(), 3),
                       "client/NIC transmit queue"),
            3 * (10 - 1) + 3 * 2);
}

TEST(Demand, MachinesWithOneThreadEachReachAllPortsOfTheirServer) {
  const auto clients = [](int machines) {
    return scenario_of(connect_ib(), program(queue_pairs(Transport::uc), {post(Verb::write, 8)}), sink(), machines);
  };
  EXPECT_EQ(servers_of(clients(1), "server/ports receive"), 1);
  EXPECT_EQ(servers_of(clients(3), "server/ports receive"), 2);
  EXPECT_EQ(servers_of(clients(3), "client/ports transmit"), 3);
}

TEST(Demand, LinesAreSharedByTheThreadsOfTheirMachine) {
  const auto demand = [](int threads) {
    const Scenario scenario = scenario_of(
        connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 1), await(1), increment(true)}),
        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), increment(true), answer(8)}, threads));
    return demand_of(scenario, "server/shared line counter");
  };
  const SharedLineParameters line = connect_ib().shared_line;
  EXPECT_NEAR(demand(1), to_seconds(shared_line_time(line, 1, 14)), 1e-15);
  EXPECT_NEAR(demand(2), to_seconds(shared_line_time(line, 2, 14)), 1e-15);
}

TEST(Demand, AnswersAreTakenOneByOneAtTheClockOfAllThreads) {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.turbo = {Rate{4e9}, Rate{2e9}};
  const auto cores = [&](Time per_item, Time poll, const Program& server) {
    hardware.cpu.poll_cqe = poll;
    AwaitStep taking = await(1);
    taking.per_item = per_item;
    const Program client = program(queue_pairs(Transport::rc), {post_window(Verb::send, 8, 4), taking}, 2);
    return demand_of(scenario_of(hardware, client, server), "client/cores of client");
  };
  const Program answering = program(queue_pairs(Transport::rc), {collect(Channel::completion_queue), answer(8)});
  EXPECT_NEAR(cores(300ns, 20ns, answering) - cores(0ns, 20ns, answering), 600e-9, 1e-15);
  // Every 64th request is signaled; answers come with CQEs of their own.
  EXPECT_NEAR(cores(0ns, 60ns, sink()) - cores(0ns, 20ns, sink()), 80e-9 / 64, 1e-15);
  EXPECT_NEAR(cores(0ns, 60ns, answering) - cores(0ns, 20ns, answering), 80e-9 / 64 + 80e-9, 1e-15);
}

TEST(Demand, AWriteWithoutImmediateDataHasTakenNoRecv) {
  for (const bool immediate : {false, true}) {
    const auto cores = [&](Time recv_cost) {
      HardwareProfile hardware = connect_ib();
      hardware.cpu.recv_cost = recv_cost;
      PostStep request = post_window(Verb::write, 8, 16);
      request.immediate = immediate;
      return demand_of(
          scenario_of(hardware, program(queue_pairs(Transport::uc), {request, await(1)}),
                      program(queue_pairs(Transport::ud), {collect(Channel::memory), replenish(), answer(8)})),
          "server/cores of server");
    };
    EXPECT_NEAR(cores(100ns) - cores(20ns), immediate ? 80e-9 : 0, 1e-15);
  }
}

TEST(Demand, OnlyThreadsThatAreAskedShareALine) {
  const auto rate_of_line = [](int threads) {
    PostStep request = post_window(Verb::send, 8, 16);
    request.destination = Destination::fixed;
    const Program client = program(queue_pairs(Transport::ud), {request, await(1)});
    const Program server =
        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), increment(true), answer(8)}, threads);
    return demand_of(scenario_of(connect_ib(), client, server), "server/shared line counter");
  };
  EXPECT_EQ(rate_of_line(8), rate_of_line(1));
}

TEST(Demand, AQueueIsHeldWhileItIsPolled) {
  Program server =
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 4), answer(8, 4), replenish()}, 6);
  server.completion.shared_queues = 2;
  const Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 64), await(1)}), std::move(server));
  const Flow flow{scenario};
  const ProgramFlow& program = flow.programs()[flow.index_of("server")];
  const double lock = to_seconds(queue_lock_time(program));
  EXPECT_GT(lock, 0);
  const CpuParameters& cpu = program.hardware.cpu;
  EXPECT_NEAR(demand_of(scenario, "server/completion queues of server"), lock / 4 + to_seconds(cpu.poll_cqe), 1e-15);
  EXPECT_NEAR(demand_of(scenario, "server/receive queues of server"), lock / 4 + to_seconds(cpu.recv_cost), 1e-15);
  EXPECT_EQ(servers_of(scenario, "server/completion queues of server"), 2);
}

/// Where reading a WQE costs more than writing it, the shortest lists cost least.
TEST(Demand, AListIsNeverCheaperThanTheCheapestOfItsLengths) {
  HardwareProfile hardware = connect_ib();
  hardware.mmio.last_of_list = true;
  const auto downstream = [&](Bytes stride, int batch) {
    hardware.nic.wqe_stride = stride;
    PostStep step = post_window(Verb::send, 8, 16);
    step.batch = batch;
    const Program client = program(queue_pairs(Transport::ud), {step, await(1)});
    const Program server = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), answer(8)});
    return demand_of(scenario_of(hardware, client, server), "client/PCIe downstream");
  };
  EXPECT_LT(downstream(64_B, 16), downstream(64_B, 1));
  EXPECT_NEAR(downstream(1024_B, 16) / downstream(1024_B, 1), 1, 1e-4);
}

}  // namespace
}  // namespace doorbell::analytic
