#include "scenario/form.hpp"

#include <gtest/gtest.h>

#include "scenario/document.hpp"

namespace doorbell::scenario {
namespace {

enum class Colour { red, green };

struct Part {
  Time delay{450'000};
  Colour colour = Colour::green;
  std::optional<Bytes> size;
};
template <class V> void describe(V& v, Part& s) {
  v.field("delay", s.delay, {.doc = "Delay.", .min = 1e-9, .max = 1e-6, .symbol = "d"});
  v.optional("colour", s.colour, {.doc = "Colour."});
  v.optional("size", s.size, {.doc = "Size.", .min = 1});
}

struct Whole {
  model::Named<Part> parts;
  std::vector<int> numbers;
};
template <class V> void describe(V& v, Whole& s) {
  v.field("parts", s.parts, {.doc = "Parts."});
  v.optional("numbers", s.numbers, {.doc = "Numbers.", .min = 1, .max = 9});
}

}  // namespace
}  // namespace doorbell::scenario

template <> struct doorbell::model::EnumNames<doorbell::scenario::Colour> {
  static constexpr std::array<std::string_view, 2> values{"red", "green"};
};

namespace doorbell::scenario {
namespace {

TEST(Form, SaysWhatADeclarationSays) {
  const Form form = form_of<Part>();
  EXPECT_EQ(form.field_names(), (std::vector<std::string>{"delay", "colour", "size"}));
  const FormField& delay = *form.find("delay");
  EXPECT_TRUE(delay.required);
  EXPECT_EQ(delay.doc, "Delay.");
  EXPECT_EQ(delay.symbol, "d");
  EXPECT_EQ(expectation(delay.form), "a time from 1 ns to 1 us");
  const FormField& colour = *form.find("colour");
  EXPECT_FALSE(colour.required);
  EXPECT_EQ(colour.default_text, "green");
  EXPECT_EQ(expectation(colour.form), "\"red\" or \"green\"");
  const FormField& size = *form.find("size");
  EXPECT_TRUE(size.form.nullable);
  EXPECT_EQ(size.default_text, "");
  EXPECT_EQ(expectation(size.form), "a size of at least 1 B");
  EXPECT_EQ(form.find("weight"), nullptr);
}

TEST(Form, AListOfSingleValuesIsOneParameter) {
  const Form form = form_of<Whole>();
  EXPECT_TRUE(form.find("numbers")->form.is_leaf());
  EXPECT_EQ(expectation(form.find("numbers")->form.element.front()), "a count from 1 to 9");
  EXPECT_FALSE(form.find("parts")->form.is_leaf());
  EXPECT_EQ(form.find("parts")->form.element.front().shape, Shape::structure);
}

TEST(Form, StepsAreAlternatives) {
  const Form form = form_of<model::Step>();
  EXPECT_EQ(form.shape, Shape::alternatives);
  EXPECT_NE(form.find(model::PostStep::kind), nullptr);
  EXPECT_NE(form.find(model::CollectStep::kind), nullptr);
}

TEST(Form, OnlyAProfileIsHardware) {
  const Form form = form_of<Document>();
  const Form& machine = form.find("machines")->form.element.front();
  EXPECT_FALSE(machine.hardware);
  EXPECT_TRUE(machine.find("hardware")->form.hardware);
}

}  // namespace
}  // namespace doorbell::scenario
