#include "cli/sequence_diagram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "models/verb_paths.hpp"

namespace doorbell::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace paths = model::verb_paths;

/// Columns of the drawing.
enum Lane { requester_host = 90, requester_nic = 310, responder_nic = 550, responder_host = 770 };

struct DrawnArrow {
  int from = 0;
  int to = 0;
  int height = 0;
  double thickness = 0;
  bool dashed = false;
  std::string label;
};

/// In the order of the file: a line, its head and its text each.
std::vector<DrawnArrow> arrows_of(const std::string& svg) {
  static const std::regex pattern{
      R"re(<line x1="(\d+)" y1="(\d+)" [^>]*stroke-width="([\d.]+)"( stroke-dasharray="[\d ]+")?/>\n)re"
      R"re(<path d="M(\d+) [^>]*/>\n<text [^>]*>([^<]*)</text>\n)re"};
  std::vector<DrawnArrow> arrows;
  for (std::sregex_iterator match{svg.begin(), svg.end(), pattern}, end; match != end; ++match) {
    const std::smatch& found = *match;
    arrows.push_back({std::stoi(found[1]), std::stoi(found[5]), std::stoi(found[2]), std::stod(found[3]),
                      found[4].matched, found[6]});
  }
  return arrows;
}

DrawnArrow arrow_labelled(const std::vector<DrawnArrow>& arrows, const std::string& beginning) {
  for (const DrawnArrow& arrow : arrows) {
    if (arrow.label.starts_with(beginning)) return arrow;
  }
  ADD_FAILURE() << "no arrow " << beginning;
  return {};
}

void expect_arrow(const DrawnArrow& arrow, Lane from, Lane to, const std::string& label) {
  EXPECT_EQ(arrow.from, from) << arrow.label;
  EXPECT_EQ(arrow.to, to) << arrow.label;
  EXPECT_EQ(arrow.label, label);
}

const std::vector<model::Operation> operations{
    paths::send(60, model::PostMethod::doorbell, 16), paths::send(0, model::PostMethod::mmio),
    paths::write(model::Transport::uc, 29), paths::read(256), paths::fetch_add()};

TEST(SequenceDiagram, TitleSaysWhatIsPostedAndHow) {
  EXPECT_EQ(title_of(paths::send(60, model::PostMethod::doorbell, 16)), "UD SEND, 60 B inline, doorbell, batch 16");
  EXPECT_EQ(title_of(paths::write(model::Transport::uc, 29)), "UC WRITE, 29 B inline, WQE by MMIO");
  EXPECT_EQ(title_of(paths::send(0, model::PostMethod::mmio)), "UD SEND, 0 B, WQE by MMIO");
  model::Operation gathered = paths::write(model::Transport::rc, 4096);
  gathered.inlined = false;
  EXPECT_EQ(title_of(gathered), "RC WRITE, 4096 B, WQE by MMIO");
  EXPECT_EQ(title_of(paths::read(256)), "RC READ, 256 B, WQE by MMIO");
  model::Operation list = paths::send(8, model::PostMethod::doorbell, 4);
  list.last_by_mmio = true;
  EXPECT_EQ(title_of(list), "UD SEND, 8 B inline, last WQE by MMIO, batch 4");
}

TEST(SequenceDiagram, DrawsWhateverMovesBetweenTwoParts) {
  for (const model::Operation& operation : operations) {
    const model::VerbPath path = paths::path_of(operation);
    const auto moves = std::count_if(path.steps.begin(), path.steps.end(), [](const model::PathStep& step) {
      return step.tlps || step.resource == model::Resource::port_transmit;
    });
    EXPECT_EQ(arrows_of(sequence_diagram(path)).size(), static_cast<std::size_t>(moves)) << title_of(operation);
  }
}

TEST(SequenceDiagram, TimeGoesDownwardsAndStaysInThePicture) {
  for (const model::Operation& operation : operations) {
    const std::string svg = sequence_diagram(paths::path_of(operation));
    int above = 0;
    for (const DrawnArrow& arrow : arrows_of(svg)) {
      EXPECT_GT(arrow.height, above) << arrow.label;
      above = arrow.height;
    }
    std::smatch size;
    ASSERT_TRUE(std::regex_search(svg, size, std::regex{R"re( width="860" height="(\d+)" viewBox="0 0 860 (\d+)")re"}));
    EXPECT_EQ(size[1], size[2]);
    EXPECT_GT(std::stoi(size[1]), above);
  }
}

TEST(SequenceDiagram, IsADocumentWithItsTitle) {
  for (const model::Operation& operation : operations) {
    const std::string svg = sequence_diagram(paths::path_of(operation));
    EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" "));
    EXPECT_THAT(svg, HasSubstr(">" + title_of(operation) + "</text>"));
    EXPECT_THAT(svg, EndsWith("</svg>\n"));
    EXPECT_EQ(svg.find('&'), std::string::npos) << "a label that needs quoting";
  }
}

TEST(SequenceDiagram, ListsGoByDoorbellAndAreFetched) {
  model::Operation list = paths::send(60, model::PostMethod::doorbell, 16);
  list.signal_every = 64;
  const std::vector<DrawnArrow> arrows = arrows_of(sequence_diagram(paths::path_of(list)));
  ASSERT_EQ(arrows.size(), 9U);
  expect_arrow(arrows[0], requester_host, requester_nic, "doorbell: 1 TLP, 34 B, once per 16 WQEs");
  expect_arrow(arrows[1], requester_nic, requester_host, "fetch WQEs: 4 TLPs, 104 B, once per 16 WQEs");
  expect_arrow(arrows[2], requester_host, requester_nic, "16 TLPs, 2400 B");
  expect_arrow(arrows[3], requester_nic, responder_nic, "request, 98 B");
  expect_arrow(arrows[4], responder_nic, responder_host, "prefetch RECVs: 1 TLP, 26 B, once in 8");
  expect_arrow(arrows[5], responder_host, responder_nic, "1 TLP, 150 B");
  expect_arrow(arrows[6], responder_nic, responder_host, "payload: 1 TLP, 86 B");
  expect_arrow(arrows[7], responder_nic, responder_host, "RECV CQE: 1 TLP, 90 B");
  expect_arrow(arrows[8], requester_nic, requester_host, "CQE: 1 TLP, 90 B, once in 64");
}

TEST(SequenceDiagram, WhatHappensEachTimeIsNotSaidToBeSeldom) {
  const std::string svg = sequence_diagram(paths::path_of(paths::write(model::Transport::uc, 29)));
  EXPECT_EQ(svg.find("once"), std::string::npos);
}

TEST(SequenceDiagram, ReadsFetchTheirDataAtTheResponder) {
  const std::vector<DrawnArrow> arrows = arrows_of(sequence_diagram(paths::path_of(paths::read(256))));
  ASSERT_EQ(arrows.size(), 7U);
  expect_arrow(arrows[2], responder_nic, responder_host, "read payload: 1 TLP, 26 B");
  expect_arrow(arrows[3], responder_host, responder_nic, "2 TLPs, 300 B");
  expect_arrow(arrows[4], responder_nic, requester_nic, "response, 290 B");
  expect_arrow(arrows[5], requester_nic, requester_host, "payload: 1 TLP, 282 B");
}

TEST(SequenceDiagram, ArrowsLookLikeWhatTheyMove) {
  const std::vector<DrawnArrow> arrows = arrows_of(sequence_diagram(paths::path_of(paths::read(256))));
  const DrawnArrow mmio = arrow_labelled(arrows, "WQE by MMIO");
  const DrawnArrow dma_write = arrow_labelled(arrows, "payload");
  const DrawnArrow dma_read = arrow_labelled(arrows, "read payload");
  const DrawnArrow completion = arrow_labelled(arrows, "2 TLPs");
  EXPECT_LT(mmio.thickness, dma_write.thickness);
  EXPECT_LT(dma_write.thickness, dma_read.thickness);
  EXPECT_EQ(dma_read.thickness, completion.thickness);
  for (const DrawnArrow& arrow : arrows) {
    const bool packet = arrow.label.starts_with("request") || arrow.label.starts_with("response");
    EXPECT_EQ(arrow.dashed, packet) << arrow.label;
  }
}

}  // namespace
}  // namespace doorbell::cli
