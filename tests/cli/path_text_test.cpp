#include "cli/path_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/text.hpp"
#include "models/connect_ib.hpp"

namespace doorbell::cli {
namespace {

using namespace doorbell::literals;

std::string text_at(std::size_t columns) {
  model::Operation read;
  read.transport = model::Transport::rc;
  read.verb = model::Verb::read;
  read.payload = 1024_B;
  const model::HardwareProfile hardware = model::connect_ib();
  return path_text(model::make_path(read, hardware, hardware), {.prose = columns, .tables = columns});
}

/// Numbers of the text, in their order.
std::vector<std::string> numbers_of(const std::string& text) {
  std::vector<std::string> numbers;
  std::istringstream words{text};
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos) numbers.push_back(word);
  }
  return numbers;
}

TEST(PathText, NoNumberIsLostInANarrowTerminal) {
  const std::vector<std::string> all = numbers_of(text_at(200));
  EXPECT_GT(all.size(), 20U);
  for (const std::size_t columns : {79U, 60U, 45U}) {
    const std::string narrow = text_at(columns);
    EXPECT_EQ(numbers_of(narrow), all) << columns;
    std::istringstream lines{narrow};
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), columns) << line;
  }
}

TEST(PathText, AStepIsOneRowWhereThereIsRoom) {
  std::istringstream lines{text_at(200)};
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) ++count;
  const model::HardwareProfile hardware = model::connect_ib();
  model::Operation read;
  read.verb = model::Verb::read;
  read.transport = model::Transport::rc;
  read.payload = 1024_B;
  EXPECT_EQ(count, 2 + static_cast<int>(model::make_path(read, hardware, hardware).steps.size()));
}

}  // namespace
}  // namespace doorbell::cli
