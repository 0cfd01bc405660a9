#include "figures/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

Environment environment() {
  Environment environment;
  environment.variable = [](std::string_view name) -> Value {
    if (name == "value") return 4.0;
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (name == "limit") return std::string{"server/cores"};
    throw std::invalid_argument{"unknown name"};
  };
  environment.call = [](std::string_view name, std::span<const Value> arguments) -> Value {
    if (name == "double" && arguments.size() == 1) return std::get<double>(arguments[0]) * 2;
    if (name == "count") return static_cast<double>(arguments.size());
    throw std::invalid_argument{"unknown function"};
  };
  return environment;
}

Value evaluate(std::string_view text) { return Expression::parse(text).evaluate(environment()); }
double number(std::string_view text) { return std::get<double>(evaluate(text)); }
bool truth(std::string_view text) { return std::get<bool>(evaluate(text)); }

/// Column and message of the error that `text` makes, at parsing or evaluation.
std::string complaint(std::string_view text) {
  try {
    static_cast<void>(evaluate(text));
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, MultipliesBeforeItAdds) {
  EXPECT_DOUBLE_EQ(number("1 + 2 * 3"), 7);
  EXPECT_DOUBLE_EQ(number("(1 + 2) * 3"), 9);
}

TEST(Expression, SubtractsAndDividesFromTheLeft) {
  EXPECT_DOUBLE_EQ(number("10 - 4 - 3"), 3);
  EXPECT_DOUBLE_EQ(number("16 / 4 / 2"), 2);
}

TEST(Expression, NegatesTightly) {
  EXPECT_DOUBLE_EQ(number("-2 * -3"), 6);
  EXPECT_DOUBLE_EQ(number("1 - -1"), 2);
}

TEST(Expression, ReadsNumbersInEveryNotation) {
  EXPECT_DOUBLE_EQ(number("1.5e2"), 150);
  EXPECT_DOUBLE_EQ(number(".5"), 0.5);
}

TEST(Expression, ComparesNumbersAndTexts) {
  EXPECT_TRUE(truth("1 <= 1"));
  EXPECT_FALSE(truth("1 < 1"));
  EXPECT_TRUE(truth("limit == \"server/cores\""));
  EXPECT_TRUE(truth("limit != 'server/nic'"));
}

TEST(Expression, JoinsTruthsWithAndBeforeOr) {
  EXPECT_TRUE(truth("1 == 1 || 1 == 2 && 1 == 2"));
  EXPECT_FALSE(truth("(1 == 1 || 1 == 2) && 1 == 2"));
  EXPECT_TRUE(truth("!(1 == 2)"));
}

TEST(Expression, LeavesOutWhatCannotMatter) { EXPECT_FALSE(truth("1 == 2 && 1 / 0 == 1")); }

TEST(Expression, CallsFunctionsOfTheEnvironment) {
  EXPECT_DOUBLE_EQ(number("double(value) + double(1)"), 10);
  EXPECT_DOUBLE_EQ(number("count()"), 0);
  EXPECT_DOUBLE_EQ(number("count(1, 'a', 2 + 3)"), 3);
}

TEST(Expression, HasMagnitudesAndExtremes) {
  EXPECT_DOUBLE_EQ(number("abs(3 - 5)"), 2);
  EXPECT_DOUBLE_EQ(number("min(4, 2, 3)"), 2);
  EXPECT_TRUE(std::isnan(number("min(4, nan)")) && std::isnan(number("max(nan, 4)")));
  EXPECT_DOUBLE_EQ(number("max(4, 2, 9)"), 9);
}

TEST(Expression, SaysWhereItCannotBeRead) {
  EXPECT_EQ(complaint("1 +"), "column 4: expected a value, found the end");
  EXPECT_EQ(complaint("1 + * 2"), "column 5: expected a value, found '*'");
  EXPECT_EQ(complaint("(1"), "column 3: expected ')', found the end");
  EXPECT_EQ(complaint("1 2"), "column 3: unexpected '2'");
  EXPECT_EQ(complaint("'open"), "column 1: a string that does not end");
  EXPECT_THAT(complaint(""), HasSubstr("column 1"));
}

TEST(Expression, RefusesChainedComparisons) {
  EXPECT_THAT(complaint("1 < 2 < 3"), HasSubstr("column 7: unexpected '<'"));
}

TEST(Expression, SaysWhichTypesDoNotFit) {
  EXPECT_EQ(complaint("1 + 'a'"), "column 3: '+' needs a number, found a text");
  EXPECT_EQ(complaint("limit == 1"), "column 7: '==' compares a text with a number");
  EXPECT_EQ(complaint("!1"), "column 1: '!' needs a truth value, found a number");
  EXPECT_EQ(complaint("1 && 1 == 1"), "column 3: '&&' needs a truth value, found a number");
}

TEST(Expression, CannotBeCalculatedWhateverItsNamesAre) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      Expression::parse(text).require_calculable();
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal("a + 1 / (2 - 2)"), "column 7: division by zero");
  EXPECT_EQ(refusal("f(1 / 0)"), "column 5: division by zero");
  EXPECT_EQ(refusal("a / (1 - 1)"), "column 3: division by zero");
  EXPECT_EQ(refusal("1 / 0 > 1 || a"), "column 3: division by zero");
  EXPECT_EQ(refusal("a || 1 / 0 > 1"), "none") << "which may be passed over";
  EXPECT_EQ(refusal("a / b + max(1, 2) / 4"), "none");
}

TEST(Expression, RefusesToDivideByZero) { EXPECT_EQ(complaint("1 / (2 - 2)"), "column 3: division by zero"); }

TEST(Expression, PutsAColumnToWhatTheEnvironmentRefuses) {
  EXPECT_EQ(complaint("1 + nothing"), "column 5: unknown name");
  EXPECT_EQ(complaint("2 * nothing(1)"), "column 5: unknown function");
  EXPECT_THAT(complaint("abs()"), HasSubstr("wrong number of arguments"));
}

TEST(Expression, KnowsItsNamesBeforeItIsEvaluated) {
  const std::vector<std::string> variables{"value", "stated"};
  const std::vector<std::string> functions{"sim", "peak"};
  const auto unknown = [&](const std::string& text) -> std::string {
    try {
      Expression::parse(text).require_known(variables, functions);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(unknown("max(sim('a', 1), peak('b')) / value < 2 * stated"), "");
  EXPECT_EQ(unknown("1 + smi('a', 6)"), "column 5: unknown function 'smi'; nearest: 'sim'");
  EXPECT_EQ(unknown("abs(-valve)"), "column 6: unknown name 'valve'; nearest: 'value'");
}

TEST(Expression, SurvivesDeepNesting) {
  EXPECT_THAT(complaint(std::string(100'000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(complaint(std::string(100'000, '-')), HasSubstr("nested too deeply"));
}

TEST(Value, ReadsLikeTextForPeople) {
  EXPECT_EQ(to_string(Value{2.0}), "2");
  EXPECT_EQ(to_string(Value{1.0 / 3}), "0.333333");
  EXPECT_EQ(to_string(Value{true}), "true");
  EXPECT_EQ(to_string(Value{std::string{"NIC"}}), "NIC");
}

/// The type of `text`, or what is wrong with its types. "any" is not known.
std::string type_of_text(std::string_view text) {
  constexpr std::array<std::string_view, 3> names{"number", "truth", "text"};
  const Types types{
      .variable = [](std::string_view name) -> KnownType { return name == "any" ? KnownType{} : ValueType::number; },
      .call = [](std::string_view, std::span<const KnownType> arguments) -> KnownType {
        if (!arguments.empty() && arguments[0] == ValueType::truth) throw std::invalid_argument{"no truth here"};
        return ValueType::text;
      }};
  try {
    const KnownType type = Expression::parse(text).type(types);
    return type ? std::string{names.at(static_cast<std::size_t>(*type))} : "any";
  } catch (const ExpressionError& error) {
    return error.what();
  }
}

TEST(Expression, HasATypeBeforeItHasAValue) {
  EXPECT_EQ(type_of_text("1 + value * -2"), "number");
  EXPECT_EQ(type_of_text("1 < value && !(value == 2)"), "truth");
  EXPECT_EQ(type_of_text("'a'"), "text");
  EXPECT_EQ(type_of_text("call(1)"), "text");
  EXPECT_EQ(type_of_text("abs(any)"), "number");
  EXPECT_EQ(type_of_text("any"), "any");
  EXPECT_EQ(type_of_text("any == 'a' || any"), "truth");
  EXPECT_EQ(type_of_text("value + 'a'"), "column 7: '+' needs a number, found a text");
  EXPECT_EQ(type_of_text("value == 'a'"), "column 7: '==' compares a number with a text");
  EXPECT_EQ(type_of_text("value && any"), "column 7: '&&' needs a truth value, found a number");
  EXPECT_EQ(type_of_text("-(1 < 2)"), "column 1: '-' needs a number, found a truth value");
  EXPECT_EQ(type_of_text("min(1, 'a')"), "column 1: 'min' needs a number, found a text");
  EXPECT_EQ(type_of_text("1 + call(1 < 2)"), "column 5: no truth here");
}

}  // namespace
}  // namespace doorbell::figures
