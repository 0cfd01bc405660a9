#include "models/common/bottleneck.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace doorbell::model {
namespace {

TEST(Bottleneck, BusiestFirstAndEquallyBusyOnesInTheirOrder) {
  std::vector<Utilisation> items{{"a", 0.2, Limit::cpu}, {"b", 0.7, Limit::cpu}, {"c", 0.2, Limit::cpu}};
  sort_busiest_first(items);
  EXPECT_EQ(items[0].resource + items[1].resource + items[2].resource, "bac");
}

TEST(Bottleneck, NothingLimitsNothing) {
  const Bottleneck bottleneck = find_bottleneck({});
  EXPECT_EQ(bottleneck.resource, "");
  EXPECT_EQ(bottleneck.sentence, "");
}

TEST(Bottleneck, ASaturatedResourceLimitsAndTheNextIsNamed) {
  const Bottleneck bottleneck =
      find_bottleneck({{"server/PCIe upstream", 0.97, Limit::dma_bandwidth}, {"client/cores", 0.6, Limit::cpu}});
  EXPECT_EQ(bottleneck.resource, "server/PCIe upstream");
  EXPECT_EQ(bottleneck.limit, Limit::dma_bandwidth);
  EXPECT_DOUBLE_EQ(bottleneck.busy, 0.97);
  EXPECT_TRUE(bottleneck.saturated);
  EXPECT_EQ(bottleneck.next_resource, "client/cores");
  EXPECT_DOUBLE_EQ(bottleneck.next_busy, 0.6);
  EXPECT_EQ(bottleneck.sentence,
            "server/PCIe upstream limits (97 % busy): DMA fills the link; next would be client/cores (60 %).");
}

TEST(Bottleneck, TwoThatAreBothFullAreToldTogether) {
  const auto sentence = [](double busy, Limit limit) {
    return find_bottleneck({{"ports", 0.99, Limit::network_bandwidth}, {"the other", busy, limit}}).sentence;
  };
  constexpr std::string_view together = "; the other is hardly less busy (96 %), so more of one alone gains little.";
  EXPECT_TRUE(sentence(0.96, Limit::dma_bandwidth).ends_with(together)) << sentence(0.96, Limit::dma_bandwidth);
  EXPECT_TRUE(sentence(0.94, Limit::dma_bandwidth).ends_with("; next would be the other (94 %)."));
  for (const Limit limit : {Limit::cpu, Limit::nic_memory, Limit::bus_bandwidth})
    EXPECT_TRUE(sentence(0.96, limit).ends_with("; next would be the other (96 %).")) << name_of(limit);
}

TEST(Bottleneck, CoresThatAreAlwaysBusyComeAfterWhatIsFullAsWell) {
  const auto resource = [](double busy, Limit limit) {
    return find_bottleneck({{"cores", 1, Limit::cpu}, {"pipeline", busy, limit}, {"wire", 0.5, Limit::nic}}).resource;
  };
  EXPECT_EQ(resource(0.999, Limit::nic), "pipeline");
  EXPECT_EQ(resource(0.98, Limit::nic), "cores");
  EXPECT_EQ(resource(0.999, Limit::nic_memory), "cores");
  const Bottleneck both = find_bottleneck({{"cores", 1, Limit::cpu}, {"pipeline", 1, Limit::nic}});
  EXPECT_EQ(both.next_resource, "cores");
}

TEST(Bottleneck, ThreadsForWhichThereIsNoCoreDoNotLimit) {
  for (const Limit limit : {Limit::threads, Limit::completion_handler}) {
    for (const double cores : {1.0, 0.9}) {
      std::vector<Utilisation> busy{{"threads", 0.999, limit}, {"CPU", cores, Limit::cpu}, {"link", 0.4, Limit::nic}};
      sort_busiest_first(busy);
      EXPECT_EQ(find_bottleneck(busy).limit, cores == 1 ? Limit::cpu : limit);
    }
  }
}

TEST(Bottleneck, WithoutSaturationLatencyLimits) {
  const Bottleneck bottleneck = find_bottleneck({{"client/cores", 0.5, Limit::cpu}});
  EXPECT_EQ(bottleneck.sentence,
            "No resource is saturated: latency and the number of operations in flight limit; the busiest is "
            "client/cores (50 %).");
  EXPECT_FALSE(bottleneck.saturated);
  EXPECT_EQ(bottleneck.next_resource, "");
}

TEST(Bottleneck, WithoutSaturationTheInnermostThatIsAlwaysTakenLimits) {
  const std::vector<Utilisation> holders{{"server/workers", 0.4, Limit::in_flight},
                                         {"server/buffers", 0.9, Limit::in_flight},
                                         {"client/requests in flight", 1, Limit::in_flight}};
  const Bottleneck bottleneck = find_bottleneck({{"server/bus", 0.5, Limit::bus_bandwidth}}, holders);
  EXPECT_EQ(bottleneck.resource, "server/buffers");
  EXPECT_EQ(bottleneck.limit, Limit::in_flight);
  EXPECT_EQ(bottleneck.next_resource, "server/bus");
  EXPECT_TRUE(bottleneck.saturated);
  EXPECT_EQ(
      bottleneck.sentence,
      "What limits is server/buffers (90 % of the time): all are taken by requests that wait for one resource after "
      "another; the busiest resource is server/bus (50 %).");
  EXPECT_EQ(find_bottleneck({{"server/bus", 0.9, Limit::bus_bandwidth}}, holders).resource, "server/bus");
}

TEST(Bottleneck, CoresThatWaitForALineDoNotLimit) {
  const auto limits = [](double line) {
    return find_bottleneck({{"server/cores", 1, Limit::cpu},
                            {"server/NIC", 0.97, Limit::nic},
                            {"server/shared line", line, Limit::shared_line}},
                           {})
        .limit;
  };
  EXPECT_EQ(limits(0.96), Limit::shared_line);
  EXPECT_EQ(limits(0.8), Limit::cpu);
}

Utilisation elastic(std::string resource, double busy, Limit limit) {
  Utilisation item{std::move(resource), busy, limit};
  item.elastic = true;
  return item;
}

TEST(Bottleneck, ALineNeededOnceForAllThatWaitsComesAfterWhatIsFullAsWell) {
  const auto with = [](double pipeline) {
    return find_bottleneck({elastic("line", 1, Limit::shared_line), {"pipeline", pipeline, Limit::nic}});
  };
  EXPECT_EQ(with(0.999).resource, "pipeline");
  EXPECT_TRUE(with(0.999).sentence.ends_with("; next would be line (100 %).")) << with(0.999).sentence;
  EXPECT_EQ(with(0.98).resource, "line");
  EXPECT_EQ(find_bottleneck({{"line", 1, Limit::shared_line}, {"pipeline", 0.999, Limit::nic}}).resource, "line");
  EXPECT_EQ(find_bottleneck(
                {{"cores", 1, Limit::cpu}, elastic("line", 0.999, Limit::shared_line), {"pipeline", 0.998, Limit::nic}})
                .resource,
            "pipeline");
  EXPECT_EQ(find_bottleneck({{"cores", 1, Limit::cpu}, elastic("line", 0.98, Limit::shared_line)}).resource, "line");
}

TEST(Bottleneck, AFullWindowLimitsBeforeALineThatALargerOneWouldNeedNoMoreOften) {
  const auto resource = [](const Utilisation& line, double window) {
    return find_bottleneck({line}, {{"window", window, Limit::in_flight}}).resource;
  };
  EXPECT_EQ(resource(elastic("line", 1, Limit::shared_line), 0.99), "window");
  EXPECT_EQ(resource(elastic("line", 1, Limit::shared_line), 0.9), "line");
  EXPECT_EQ(resource({"line", 1, Limit::shared_line}, 0.99), "line");
}

TEST(Bottleneck, AFullWindowLimitsBeforeCoresThatWouldDoMoreAtATime) {
  const auto resource = [&](const Utilisation& cores, double window) {
    return find_bottleneck({cores}, {{"window", window, Limit::in_flight}}).resource;
  };
  Utilisation cores{"cores", 0.99, Limit::cpu};
  EXPECT_EQ(resource(cores, 1), "cores");
  cores.shares_work = true;
  EXPECT_EQ(resource(cores, 1), "window");
  EXPECT_EQ(resource(cores, 0.9), "cores");
}

TEST(Bottleneck, ArrivalsThatAreAllServedLimitWhereAllThatIsFullWouldDoMoreAtATime) {
  const auto with = [](double served, double pipeline) {
    return find_bottleneck({elastic("cores", 0.99, Limit::cpu), {"pipeline", pipeline, Limit::nic}},
                           {{"arrivals", served, Limit::arrivals}});
  };
  EXPECT_EQ(with(1, 0.6).resource, "arrivals");
  EXPECT_TRUE(with(1, 0.6).sentence.ends_with("cores (99 %), which does more at a time when more waits."))
      << with(1, 0.6).sentence;
  EXPECT_EQ(with(0.98, 0.6).resource, "cores");
  EXPECT_EQ(with(1, 0.96).resource, "arrivals");
  EXPECT_EQ(with(1, 0.999).resource, "pipeline");
}

TEST(Bottleneck, WhatIsAlwaysTakenWhereAResourceIsJustSaturatedIsMentioned) {
  const std::vector<Utilisation> holders{{"client/READs in flight", 0.96, Limit::in_flight},
                                         {"client/window", 1, Limit::in_flight}};
  EXPECT_EQ(
      find_bottleneck({{"server/bus", 0.9, Limit::bus_bandwidth}, {"server/CPU", 0.3, Limit::cpu}}, holders).sentence,
      "server/bus limits (90 % busy): data fills it, in both directions together; but client/READs in flight is taken "
      "96 % of the time, and more of that may help as much or more; next would be server/CPU (30 %).");
  for (const double busy : {0.9, 0.97}) {
    const std::vector<Utilisation> bus{{"server/bus", busy, Limit::bus_bandwidth}};
    const bool told = busy < 0.95;
    EXPECT_EQ(find_bottleneck(bus, holders).sentence == find_bottleneck(bus).sentence, !told);
    EXPECT_EQ(find_bottleneck(bus, {{"client/READs in flight", 0.9, Limit::in_flight}}).sentence,
              find_bottleneck(bus).sentence);
  }
}

TEST(Bottleneck, CoresThatHaveSomeTimeLeftAreNotSaidToHaveNone) {
  EXPECT_EQ(find_bottleneck({{"client/cores", 0.91, Limit::cpu}}).sentence,
            "client/cores limits (91 % busy): the cores have little time left.");
  EXPECT_EQ(find_bottleneck({{"client/cores", 0.96, Limit::cpu}}).sentence,
            "client/cores limits (96 % busy): the cores have no time left.");
}

TEST(Bottleneck, AWindowOfWhatIsDoneAndUntoldLimitsBeforeCoresThatAreNotBusier) {
  const auto resource = [](double cores, Limit window) {
    return find_bottleneck({{"client/cores", cores, Limit::cpu}}, {{"client/window", 0.98, window}}).resource;
  };
  EXPECT_EQ(resource(0.97, Limit::told_late), "client/window");
  EXPECT_EQ(resource(0.99, Limit::told_late), "client/cores");
  EXPECT_EQ(resource(0.97, Limit::taken_late), "client/cores");
  EXPECT_EQ(resource(0.97, Limit::asleep), "client/cores");
}

TEST(Bottleneck, LoopsThatPollAreBusyWhateverThereIsToDo) {
  const auto resource = [](double port) {
    return find_bottleneck({{"host/CPU", 1, Limit::pollers}, {"host/port", port, Limit::network_bandwidth}}).resource;
  };
  EXPECT_EQ(resource(0.98), "host/CPU");
  EXPECT_EQ(resource(0.999), "host/port");
}

TEST(Bottleneck, WhatIsTakenMostOfTheTimeIsMentioned) {
  const std::vector<Utilisation> cores{{"client/cores", 0.5, Limit::cpu}};
  EXPECT_EQ(find_bottleneck(cores, {{"client/PCIe read tags", 0.1, Limit::in_flight},
                                    {"client/window of client", 0.7, Limit::in_flight}})
                .sentence,
            "No resource is saturated: latency and the number of operations in flight limit; the busiest is "
            "client/cores (50 %), and client/window of client is taken 70 % of the time.");
  EXPECT_EQ(find_bottleneck(cores, {{"client/window of client", 0.4, Limit::in_flight}}).sentence,
            find_bottleneck(cores).sentence);
}

TEST(Bottleneck, UnitsThatAlwaysHaveWqesLimitBeforeCoresThatAreNotBusier) {
  const std::vector<Utilisation> holders{{"server/units", 0.98, Limit::nic_unit_waits},
                                         {"client/window", 1, Limit::in_flight}};
  EXPECT_EQ(find_bottleneck({{"server/cores", 0.97, Limit::cpu}}, holders).resource, "server/units");
  EXPECT_EQ(find_bottleneck({{"server/cores", 0.99, Limit::cpu}}, holders).resource, "server/cores");
  EXPECT_EQ(find_bottleneck({{"server/port", 0.97, Limit::network_bandwidth}}, holders).resource, "server/port");
  const std::vector<Utilisation> reads{{"client/READs in flight", 0.98, Limit::outstanding_reads}};
  EXPECT_EQ(find_bottleneck({{"server/cores", 0.97, Limit::cpu}}, reads).resource, "client/READs in flight");
  const std::vector<Utilisation> idler{{"server/units", 0.94, Limit::nic_unit_waits}};
  EXPECT_EQ(find_bottleneck({{"server/cores", 0.9, Limit::cpu}}, idler).resource, "server/cores");
}

TEST(Bottleneck, FullBuffersLimitAndNotTheUnitsThatWaitForThem) {
  const std::vector<Utilisation> holders{{"client/receive buffers", 0.99, Limit::receive_buffer},
                                         {"server/units", 1, Limit::nic_unit_waits}};
  for (const double cores : {0.6, 0.97})
    EXPECT_EQ(find_bottleneck({{"server/cores", cores, Limit::cpu}}, holders).resource, "client/receive buffers");
  EXPECT_EQ(find_bottleneck({{"server/cores", 0.6, Limit::cpu}}, {holders.back()}).resource, "server/units");
}

TEST(Bottleneck, WhatIsShortWhereNothingIsSentIsNoCause) {
  std::vector<Utilisation> holders{{"other/PCIe posted credits", 1, Limit::credits},
                                   {"client/receive buffers", 0.96, Limit::receive_buffer},
                                   {"server/units", 0.99, Limit::nic_unit_waits}};
  const std::vector<Utilisation> cores{{"server/cores", 0.97, Limit::cpu}};
  EXPECT_EQ(find_bottleneck(cores, holders).resource, "other/PCIe posted credits");
  holders.back().reaches = {"server", "client"};
  EXPECT_EQ(find_bottleneck(cores, holders).resource, "client/receive buffers");
  holders.back().reaches = {"server"};
  EXPECT_EQ(find_bottleneck(cores, holders).resource, "server/units");
}

TEST(Bottleneck, WhatServesOneAtATimeDoesNotLimitBeforeTheBusThatMovesItsData) {
  const std::vector<Utilisation> holders{{"server/medium", 1, Limit::device}};
  const Bottleneck bus = find_bottleneck({{"server/bus", 0.89, Limit::bus_bandwidth}}, holders);
  EXPECT_EQ(bus.resource, "server/bus");
  EXPECT_NE(bus.sentence.find("but server/medium is taken 100 % of the time"), std::string::npos) << bus.sentence;
  EXPECT_EQ(find_bottleneck({{"server/bus", 0.8, Limit::bus_bandwidth}}, holders).resource, "server/medium");
}

TEST(Bottleneck, WhatIsReadAgainIsToldEvenIfNothingIsSaturated) {
  const std::string sentence = find_bottleneck({{"server/PCIe downstream", 0.8, Limit::nic_memory}}).sentence;
  EXPECT_NE(sentence.find("busiest is server/PCIe downstream (80 %): the NIC reads again"), std::string::npos)
      << sentence;
}

TEST(Bottleneck, WhatServesOneAtATimeLimitsBeforeAResourceThatIsLessBusy) {
  const std::vector<Utilisation> holders{{"server/medium", 1, Limit::device}, {"client/requests", 1, Limit::in_flight}};
  EXPECT_EQ(find_bottleneck({{"server/CPU", 0.89, Limit::cpu}}, holders).resource, "server/medium");
  EXPECT_EQ(find_bottleneck({{"server/CPU", 0.97, Limit::cpu}}, holders).resource, "server/CPU");
  EXPECT_EQ(find_bottleneck({{"server/CPU", 0.89, Limit::cpu}}, {holders.back()}).resource, "server/CPU");
}

/// Faster cores would change latencies, but not how many requests are served.
TEST(Bottleneck, ArrivalsThatAreAllServedLimitUnlessAResourceIsFull) {
  const std::vector<Utilisation> cores{{"server/cores", 0.93, Limit::cpu}};
  EXPECT_EQ(find_bottleneck(cores, {{"client/arrivals", 1, Limit::arrivals}}).sentence,
            "What limits is client/arrivals (100 % of the time): no more arrive, and those that do are served; the "
            "busiest resource is server/cores (93 %).");
  EXPECT_EQ(find_bottleneck(cores, {{"client/arrivals", 0.97, Limit::arrivals}}).resource, "server/cores");
  const auto with = [](double port) {
    return find_bottleneck({{"port", port, Limit::network_bandwidth}}, {{"client/arrivals", 1, Limit::arrivals}});
  };
  EXPECT_EQ(with(0.98).resource, "client/arrivals") << "it would send no more if it was faster";
  EXPECT_EQ(with(0.999).resource, "port") << "it is hardly ever idle: of more arrivals it would serve no more";
}

TEST(Bottleneck, CreditsLimitBeforeTheLinkThatIsHardlyEverIdleForThem) {
  const auto with = [](double link, double credits) {
    return find_bottleneck({{"link", link, Limit::dma_bandwidth}}, {{"credits", credits, Limit::credits}}).resource;
  };
  EXPECT_EQ(with(0.93, 0.99), "credits");
  EXPECT_EQ(with(0.93, 0.9), "link");
  EXPECT_EQ(with(0.96, 0.99), "link") << "more credits could gain only what is left of it";
}

TEST(Bottleneck, MemoryThatAlwaysHasSomethingToDoLimitsOnlyWhereItFallsBehind) {
  Utilisation channels{"channels", 1, Limit::bus_bandwidth};
  const auto with = [&](double credits) {
    return find_bottleneck({channels, {"link", 0.6, Limit::dma_bandwidth}}, {{"credits", credits, Limit::credits}})
        .resource;
  };
  EXPECT_EQ(with(1), "channels");
  channels.elastic = true;
  EXPECT_EQ(with(1), "credits");
  EXPECT_EQ(with(0.9), "channels");
  EXPECT_EQ(
      find_bottleneck({channels, {"link", 0.96, Limit::dma_bandwidth}}, {{"window", 1, Limit::in_flight}}).resource,
      "link");
}

TEST(Bottleneck, WhatAHolderWaitsForLimitsWhereMoreHoldersWouldFindItTaken) {
  const std::vector<Utilisation> busy{{"bus", 0.6, Limit::bus_bandwidth}, {"CPU", 0.3, Limit::cpu}};
  const auto with = [&](double share, double taken) {
    return find_bottleneck(busy, {{"buffers", 1, Limit::in_flight, HeldFor{"disks", Limit::disk_heads, share, taken}}});
  };
  // Half the time for disks: 1 / (1 - 0.4) as fast; more buffers: at most 1 / 0.9.
  const Bottleneck disks = with(0.8, 0.9);
  EXPECT_EQ(disks.resource, "disks");
  EXPECT_EQ(disks.limit, Limit::disk_heads);
  EXPECT_DOUBLE_EQ(disks.busy, 0.9);
  EXPECT_EQ(disks.next_resource, "bus");
  EXPECT_EQ(
      disks.sentence,
      "What limits is disks (one more would find it taken 90 % of the time): the disks seek, wait for the sector, and "
      "read or write; buffers: held 100 % of the time, 80 % of that for disks, so that more of the former would gain "
      "less; the busiest other resource is bus (60 %).");
  const Bottleneck buffers = with(0.8, 0.5);
  EXPECT_EQ(buffers.resource, "buffers");
  EXPECT_NE(buffers.sentence.find(", 80 % of the time for disks;"), std::string::npos) << buffers.sentence;
  EXPECT_EQ(with(0.2, 0.85).resource, "buffers");
}

TEST(Bottleneck, ASchedulerIsReplacedRatherThanMultiplied) {
  const std::vector<Utilisation> busy{{"disks", 0.9, Limit::disk_heads}};
  const std::string sentence = find_bottleneck(busy, {{"scheduler", 1, Limit::scheduler}}).sentence;
  EXPECT_NE(sentence.find("but scheduler is taken 100 % of the time, and another one may help"), std::string::npos)
      << sentence;
  const HeldFor turns{"scheduler", Limit::scheduler, 0.8, 0.9};
  const std::string held = find_bottleneck({{"bus", 0.6}}, {{"buffers", 1, Limit::in_flight, turns}}).sentence;
  EXPECT_NE(held.find("80 % of that for scheduler; the busiest"), std::string::npos) << held;
}

TEST(Bottleneck, ArrivalsLimitOnlyWhereAllAreServed) {
  const std::vector<Utilisation> idle{{"disks", 0.3, Limit::disk_heads}};
  EXPECT_TRUE(find_bottleneck(idle, {{"nodes/arrivals", 0.995, Limit::arrivals}}).saturated);
  EXPECT_FALSE(find_bottleneck(idle, {{"nodes/arrivals", 0.95, Limit::arrivals}}).saturated);
}

TEST(Bottleneck, TheBusiestIsNotToldTwiceWhereAHolderWaitsForIt) {
  const Utilisation nic{"NIC", 0.99, Limit::device, HeldFor{"bus", Limit::bus_bandwidth, 0.7, 0.8}};
  const Bottleneck bottleneck = find_bottleneck({{"bus", 0.8, Limit::bus_bandwidth}, {"CPU", 0.3, Limit::cpu}}, {nic});
  EXPECT_EQ(bottleneck.resource, "bus");
  EXPECT_EQ(bottleneck.next_resource, "CPU");
  EXPECT_TRUE(bottleneck.sentence.ends_with("70 % of that for bus; the busiest other resource is CPU (30 %)."))
      << bottleneck.sentence;
  const std::string busier =
      find_bottleneck({{"bus", 0.9, Limit::bus_bandwidth}, {"CPU", 0.3, Limit::cpu}}, {nic}).sentence;
  EXPECT_EQ(busier.find("may help as much"), std::string::npos) << busier;
}

TEST(Bottleneck, WhatAFullWindowWaitsForIsToldBesideAResourceThatIsHardlyFuller) {
  const Utilisation window{"window", 1, Limit::in_flight, HeldFor{"cores", Limit::cpu, 0.6, 0.9}};
  const std::string sentence =
      find_bottleneck({{"ports", 0.93, Limit::network_bandwidth}, {"cores", 0.92, Limit::cpu}}, {window}).sentence;
  EXPECT_NE(sentence.find("; but window is taken 100 % of the time, 60 % of that for cores, and more of the latter may "
                          "help as much or more; next would be cores (92 %)."),
            std::string::npos)
      << sentence;
}

TEST(Bottleneck, MoreOfWhatIsHeldIsLittleUseWhereSomethingWithinIsFull) {
  const Utilisation places{.resource = "places", .busy = 1, .limit = Limit::in_flight, .as_full = "buffers"};
  const std::string sentence = find_bottleneck({{"bus", 0.6, Limit::bus_bandwidth}}, {places}).sentence;
  EXPECT_NE(sentence.find("; more of it alone would gain little, as all is taken of buffers;"), std::string::npos)
      << sentence;
}

TEST(Bottleneck, HardwareThreadsThatShareCoresLeaveLessThanTheySeemTo) {
  std::vector<Utilisation> busy{
      {"link", 0.95, Limit::dma_bandwidth}, {"ports", 0.6, Limit::network_bandwidth}, {"CPU", 0.5, Limit::cpu}};
  busy[2].of_most = 0.8;
  EXPECT_TRUE(find_bottleneck(busy).sentence.ends_with(
      "next would be CPU (50 % of its hardware threads, 80 % of the work that its cores can do)."))
      << find_bottleneck(busy).sentence;
  busy[2].of_most = 0.99;
  busy[1].busy = 0.96;
  EXPECT_TRUE(find_bottleneck({busy[1], busy[0], busy[2]}).sentence.find("link is hardly less busy (95 %)") !=
              std::string::npos);
  busy[1].busy = 0.6;
  busy[2].of_most = 0.52;
  EXPECT_TRUE(find_bottleneck(busy).sentence.ends_with("next would be ports (60 %)."));
}

TEST(Bottleneck, APortThatIsNotFullDoesNotLimitWhatIsHeldForSomethingBusier) {
  const Utilisation processes{"processes", 1, Limit::in_flight, HeldFor{"disks", Limit::disk_heads, 0.8, 0.94}};
  const auto with_port = [&](double busy) {
    return find_bottleneck({{"port", busy, Limit::network_bandwidth}}, {processes}).resource;
  };
  EXPECT_EQ(with_port(0.5), "disks");
  EXPECT_EQ(with_port(0.9), "disks");
  EXPECT_EQ(with_port(0.93), "port") << "about as busy";
}

TEST(Bottleneck, TheMeanOfAGroupIsNotWhatLimitsNextToItsBusiestMachine) {
  Utilisation busiest{"server/NIC (busiest machine)", 1, Limit::nic};
  busiest.remark = "; others have room";
  const Utilisation mean{"server/NIC", 0.6, Limit::nic};
  const Utilisation ports{"client/ports", 0.3, Limit::network_bandwidth};
  EXPECT_EQ(find_bottleneck({busiest, mean, ports}).sentence,
            "server/NIC (busiest machine) limits (100 % busy): the NIC's pipeline takes no more messages; others have "
            "room; next would be client/ports (30 %).");
  EXPECT_TRUE(find_bottleneck({busiest, mean}).next_resource.empty());
}

TEST(Bottleneck, AProcessThatDoesOneThingAfterTheOtherIsToldByItsParts) {
  std::vector<Utilisation> holders{{"operations", 1, Limit::one_by_one}};
  holders.front().remark = ": 40 % are calls, 60 % waiting";
  EXPECT_EQ(find_bottleneck({{"CPU", 0.3, Limit::cpu}}, holders).sentence,
            "What limits is operations (100 % of the time): one process makes one request after the other, and only "
            "fewer or shorter ones would help: 40 % are calls, 60 % waiting; the busiest resource is CPU (30 %).");
}

}  // namespace
}  // namespace doorbell::model
