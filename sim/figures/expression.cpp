#include "figures/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using Node = Expression::Node;

constexpr int deepest = 100;  // A definition is a file from outside: nesting must not exhaust the stack.

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_{text} {}

  Node parse_all() {
    Node node = parse_or(0);
    skip_space();
    if (at_ < text_.size()) fail(fmt::format("unexpected '{}'", text_[at_]));
    return node;
  }

 private:
  using Level = Node (Parser::*)(int);

  template <std::size_t N>
  Node parse_chain(const std::array<std::string_view, N>& symbols, Level operand, int depth, bool repeat) {
    Node left = (this->*operand)(depth);
    while (true) {
      const std::size_t column = next_column();
      const auto symbol = take_one_of(symbols);
      if (!symbol) return left;
      Node right = (this->*operand)(depth);
      left = Node{Node::Kind::binary, std::string{*symbol}, 0, column, {std::move(left), std::move(right)}};
      if (!repeat) return left;
    }
  }

  Node parse_or(int depth) {
    return parse_chain(std::array<std::string_view, 1>{"||"}, &Parser::parse_and, depth, true);
  }
  Node parse_and(int depth) {
    return parse_chain(std::array<std::string_view, 1>{"&&"}, &Parser::parse_compare, depth, true);
  }
  Node parse_compare(int depth) {
    // The longer symbol first, so that "<=" is not read as "<".
    return parse_chain(std::array<std::string_view, 6>{"<=", ">=", "==", "!=", "<", ">"}, &Parser::parse_sum, depth,
                       false);
  }
  Node parse_sum(int depth) {
    return parse_chain(std::array<std::string_view, 2>{"+", "-"}, &Parser::parse_product, depth, true);
  }
  Node parse_product(int depth) {
    return parse_chain(std::array<std::string_view, 2>{"*", "/"}, &Parser::parse_unary, depth, true);
  }

  Node parse_unary(int depth) {
    if (depth > deepest) fail("nested too deeply");
    const std::size_t column = next_column();
    if (const auto symbol = take_one_of(std::array<std::string_view, 2>{"-", "!"})) {
      return Node{Node::Kind::unary, std::string{*symbol}, 0, column, {parse_unary(depth + 1)}};
    }
    return parse_primary(depth);
  }

  Node parse_primary(int depth) {
    const std::size_t column = next_column();
    if (at_ == text_.size()) fail("expected a value, found the end");
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      Node inner = parse_or(depth + 1);
      expect(')');
      return inner;
    }
    if (c == '"' || c == '\'') return parse_text(c, column);
    if (is_digit(c) || c == '.') return parse_number(column);
    if (starts_name(c)) return parse_name(depth, column);
    fail(fmt::format("expected a value, found '{}'", c));
  }

  Node parse_text(char quote, std::size_t column) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string that does not end");
    Node node{Node::Kind::text, std::string{text_.substr(at_ + 1, end - at_ - 1)}, 0, column, {}};
    at_ = end + 1;
    return node;
  }

  Node parse_number(std::size_t column) {
    Node node{Node::Kind::number, {}, 0, column, {}};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
    if (error != std::errc{}) fail("not a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return node;
  }

  Node parse_name(int depth, std::size_t column) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (starts_name(text_[at_]) || is_digit(text_[at_]))) ++at_;
    Node node{Node::Kind::variable, std::string{text_.substr(begin, at_ - begin)}, 0, column, {}};
    skip_space();
    if (at_ == text_.size() || text_[at_] != '(') return node;
    node.kind = Node::Kind::call;
    ++at_;
    skip_space();
    if (at_ < text_.size() && text_[at_] == ')') {
      ++at_;
      return node;
    }
    do {
      node.children.push_back(parse_or(depth + 1));
    } while (take_one_of(std::array<std::string_view, 1>{","}));
    expect(')');
    return node;
  }

  template <std::size_t N> std::optional<std::string_view> take_one_of(const std::array<std::string_view, N>& symbols) {
    skip_space();
    for (const std::string_view symbol : symbols) {
      if (text_.substr(at_).starts_with(symbol)) {
        at_ += symbol.size();
        return symbol;
      }
    }
    return std::nullopt;
  }

  void expect(char c) {
    skip_space();
    if (at_ == text_.size()) fail(fmt::format("expected '{}', found the end", c));
    if (text_[at_] != c) fail(fmt::format("expected '{}', found '{}'", c, text_[at_]));
    ++at_;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  std::size_t next_column() {
    skip_space();
    return at_ + 1;
  }
  [[noreturn]] void fail(const std::string& message) const { throw ExpressionError{at_ + 1, message}; }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view type_name(ValueType type) {
  constexpr std::array<std::string_view, 3> names{"a number", "a truth value", "a text"};
  return names.at(static_cast<std::size_t>(type));
}

void require_type(KnownType type, ValueType wanted, const Node& node) {
  if (!type || *type == wanted) return;
  throw ExpressionError{node.column,
                        fmt::format("'{}' needs {}, found {}", node.symbol, type_name(wanted), type_name(*type))};
}

void require_comparable(KnownType left, KnownType right, const Node& node) {
  if (!left || !right || *left == *right) return;
  throw ExpressionError{node.column,
                        fmt::format("'{}' compares {} with {}", node.symbol, type_name(*left), type_name(*right))};
}

double number_of(const Value& value, const Node& node) {
  require_type(type_of(value), ValueType::number, node);
  return std::get<double>(value);
}
bool truth_of(const Value& value, const Node& node) {
  require_type(type_of(value), ValueType::truth, node);
  return std::get<bool>(value);
}

template <class T> Value compare(const std::string& symbol, const T& a, const T& b) {
  if (symbol == "<") return a < b;
  if (symbol == "<=") return a <= b;
  if (symbol == ">") return a > b;
  return a >= b;
}

Value evaluate_node(const Node& node, const Environment& environment);

Value evaluate_binary(const Node& node, const Environment& environment) {
  Value left = evaluate_node(node.children[0], environment);
  if (node.symbol == "&&" || node.symbol == "||") {
    if (truth_of(left, node) == (node.symbol == "||")) return left;
    return truth_of(evaluate_node(node.children[1], environment), node);
  }
  const Value right = evaluate_node(node.children[1], environment);
  if (node.symbol == "==" || node.symbol == "!=") {
    require_comparable(type_of(left), type_of(right), node);
    return (left == right) == (node.symbol == "==");
  }
  const double a = number_of(left, node);
  const double b = number_of(right, node);
  if (node.symbol == "+") return a + b;
  if (node.symbol == "-") return a - b;
  if (node.symbol == "*") return a * b;
  if (node.symbol == "/") {
    if (b == 0) throw ExpressionError{node.column, "division by zero"};
    return a / b;
  }
  return compare(node.symbol, a, b);
}

Value evaluate_call(const Node& node, const Environment& environment) {
  std::vector<Value> arguments;
  arguments.reserve(node.children.size());
  for (const Node& child : node.children) arguments.push_back(evaluate_node(child, environment));

  const bool is_extreme = node.symbol == "min" || node.symbol == "max";
  if (node.symbol == "abs" || is_extreme) {
    if (arguments.empty() || (!is_extreme && arguments.size() != 1)) {
      throw ExpressionError{node.column, fmt::format("'{}' has the wrong number of arguments", node.symbol)};
    }
    double result = number_of(arguments[0], node);
    if (!is_extreme) return std::abs(result);
    for (const Value& argument : arguments) {
      const double number = number_of(argument, node);
      if (std::isnan(number)) return number;  // std::min would pass over what no run told
      result = node.symbol == "min" ? std::min(result, number) : std::max(result, number);
    }
    return result;
  }
  return environment.call(node.symbol, arguments);
}

Value evaluate_node(const Node& node, const Environment& environment) {
  try {
    switch (node.kind) {
      case Node::Kind::number: return node.number;
      case Node::Kind::text: return node.symbol;
      case Node::Kind::variable: return environment.variable(node.symbol);
      case Node::Kind::call: return evaluate_call(node, environment);
      case Node::Kind::binary: return evaluate_binary(node, environment);
      case Node::Kind::unary: break;
    }
  } catch (const std::invalid_argument& error) {
    throw ExpressionError{node.column, error.what()};
  }
  const Value operand = evaluate_node(node.children[0], environment);
  if (node.symbol == "!") return !truth_of(operand, node);
  return -number_of(operand, node);
}

constexpr std::array<std::string_view, 3> built_in{"abs", "min", "max"};

bool is_built_in(const Node& node) { return std::ranges::find(built_in, node.symbol) != built_in.end(); }

KnownType type_below(const Node& node, const Types& types);

KnownType type_of_binary(const Node& node, KnownType left, KnownType right) {
  if (node.symbol == "==" || node.symbol == "!=") {
    require_comparable(left, right, node);
    return ValueType::truth;
  }
  const bool joins = node.symbol == "&&" || node.symbol == "||";
  const ValueType wanted = joins ? ValueType::truth : ValueType::number;
  require_type(left, wanted, node);
  require_type(right, wanted, node);
  const bool calculates = node.symbol == "+" || node.symbol == "-" || node.symbol == "*" || node.symbol == "/";
  return calculates ? ValueType::number : ValueType::truth;
}

KnownType type_of_function_call(const Node& node, std::span<const KnownType> arguments, const Types& types) {
  if (!is_built_in(node)) return types.call(node.symbol, arguments);
  for (const KnownType argument : arguments) require_type(argument, ValueType::number, node);
  return ValueType::number;
}

KnownType type_below(const Node& node, const Types& types) {
  std::vector<KnownType> children;
  for (const Node& child : node.children) children.push_back(type_below(child, types));
  try {
    switch (node.kind) {
      case Node::Kind::number: return ValueType::number;
      case Node::Kind::text: return ValueType::text;
      case Node::Kind::variable: return types.variable(node.symbol);
      case Node::Kind::call: return type_of_function_call(node, children, types);
      case Node::Kind::binary: return type_of_binary(node, children[0], children[1]);
      case Node::Kind::unary: break;
    }
  } catch (const std::invalid_argument& error) {
    throw ExpressionError{node.column, error.what()};
  }
  const ValueType wanted = node.symbol == "!" ? ValueType::truth : ValueType::number;
  require_type(children[0], wanted, node);
  return wanted;
}

void require_one_of(std::span<const std::string> known, const Node& node, std::string_view what) {
  if (std::ranges::find(known, node.symbol) != known.end()) return;
  const std::string nearest = scenario::nearest(node.symbol, known);
  throw ExpressionError{node.column, fmt::format("unknown {} '{}'{}", what, node.symbol,
                                                 nearest.empty() ? "" : fmt::format("; nearest: '{}'", nearest))};
}

void require_known_below(const Node& node, std::span<const std::string> variables,
                         std::span<const std::string> functions) {
  if (node.kind == Node::Kind::variable) require_one_of(variables, node, "name");
  if (node.kind == Node::Kind::call && !is_built_in(node)) require_one_of(functions, node, "function");
  for (const Node& child : node.children) require_known_below(child, variables, functions);
}

/// Whether neither a name nor a function of the environment has a part in it.
bool is_constant(const Node& node) {
  if (node.kind == Node::Kind::variable || (node.kind == Node::Kind::call && !is_built_in(node))) return false;
  return std::ranges::all_of(node.children, is_constant);
}

void require_calculable_below(const Node& node) {
  if (is_constant(node)) {
    static_cast<void>(evaluate_node(node, {}));
    return;
  }
  const bool may_pass_over = node.symbol == "&&" || node.symbol == "||";
  for (const Node& child : node.children) {
    require_calculable_below(child);
    if (node.kind == Node::Kind::binary && may_pass_over) return;
  }
  if (node.kind != Node::Kind::binary || node.symbol != "/" || !is_constant(node.children[1])) return;
  if (evaluate_node(node.children[1], {}) == Value{0.0}) throw ExpressionError{node.column, "division by zero"};
}

std::optional<Value> value_as_written(const Node& node) {
  if (node.kind == Node::Kind::number) return node.number;
  return node.kind == Node::Kind::text ? std::optional<Value>{node.symbol} : std::nullopt;
}

void visit_calls_below(const Node& node, const std::function<void(const Call&)>& visit) {
  if (node.kind == Node::Kind::call) {
    Call call{node.symbol, {}, node.column};
    for (const Node& child : node.children) call.arguments.push_back(value_as_written(child));
    visit(call);
  }
  for (const Node& child : node.children) visit_calls_below(child, visit);
}

}  // namespace

ExpressionError::ExpressionError(std::size_t column, const std::string& message)
    : std::runtime_error{fmt::format("column {}: {}", column, message)}, column_{column} {}

std::string to_string(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  return std::get<std::string>(value);
}

Expression Expression::parse(std::string_view text) { return Expression{Parser{text}.parse_all()}; }

void Expression::require_known(std::span<const std::string> variables, std::span<const std::string> functions) const {
  require_known_below(root_, variables, functions);
}

void Expression::for_each_call(const std::function<void(const Call&)>& visit) const { visit_calls_below(root_, visit); }

KnownType Expression::type(const Types& types) const { return type_below(root_, types); }

void Expression::require_calculable() const { require_calculable_below(root_); }

Value Expression::evaluate(const Environment& environment) const { return evaluate_node(root_, environment); }

}  // namespace doorbell::figures
