// The small language of claims: arithmetic, comparisons and calls over the points of a figure.
//
//     or      = and { "||" and }
//     and     = compare { "&&" compare }
//     compare = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum ]
//     sum     = product { ( "+" | "-" ) product }
//     product = unary { ( "*" | "/" ) unary }
//     unary   = [ "-" | "!" ] unary | primary
//     primary = number | string | name | name "(" [ or { "," or } ] ")" | "(" or ")"
//
// Strings stand in double or single quotes, without escapes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace doorbell::figures {

/// What an expression can be: a pure number, a truth value or a text.
using Value = std::variant<double, bool, std::string>;

/// What an expression gives, as far as that is known before anything runs.
enum class ValueType { number, truth, text };  // in the order of Value
using KnownType = std::optional<ValueType>;
[[nodiscard]] inline ValueType type_of(const Value& value) { return static_cast<ValueType>(value.index()); }

/// The value as a person reads it: up to six significant digits, true/false, the text itself.
[[nodiscard]] std::string to_string(const Value& value);

/// Says what is wrong and at which column (from 1) of the expression.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t column, const std::string& message);
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  std::size_t column_;
};

/// Gives names and functions their meaning. Throw std::invalid_argument for what is unknown or wrong; the evaluator
/// adds the column.
struct Environment {
  std::function<Value(std::string_view name)> variable;
  std::function<Value(std::string_view function, std::span<const Value> arguments)> call;
};

/// What names and functions give. `call` throws std::invalid_argument for arguments that no call can have.
struct Types {
  std::function<KnownType(std::string_view name)> variable;
  std::function<KnownType(std::string_view function, std::span<const KnownType> arguments)> call;
};

/// A call in an expression, as it is written.
struct Call {
  std::string function;
  std::vector<std::optional<Value>> arguments;  ///< None for those that must be evaluated.
  std::size_t column = 1;
};

/// A parsed expression. `abs`, `min` and `max` are built in; everything else comes from the environment.
class Expression {
 public:
  /// Throws ExpressionError when `text` is not an expression.
  [[nodiscard]] static Expression parse(std::string_view text);

  /// Throws ExpressionError at the first name that is none of `variables`, or function that is none of `functions` nor
  /// built in; with the nearest that there is.
  void require_known(std::span<const std::string> variables, std::span<const std::string> functions) const;

  /// Calls `visit` for every call of a function.
  void for_each_call(const std::function<void(const Call&)>& visit) const;

  /// What it gives. Throws ExpressionError for types that evaluating would stumble over.
  [[nodiscard]] KnownType type(const Types& types) const;

  /// Throws ExpressionError for what cannot be calculated whatever names and functions give, such as 1 / 0. What
  /// evaluating may pass over, behind "&&" and "||", is not looked at.
  void require_calculable() const;

  /// Throws ExpressionError for wrong types, division by zero and whatever the environment refuses.
  [[nodiscard]] Value evaluate(const Environment& environment) const;

  struct Node {
    enum class Kind { number, text, variable, call, unary, binary };
    Kind kind = Kind::number;
    std::string symbol;  ///< Operator, name, or the text of a string.
    double number = 0;
    std::size_t column = 1;
    std::vector<Node> children;
  };

 private:
  explicit Expression(Node root) : root_{std::move(root)} {}
  Node root_;
};

}  // namespace doorbell::figures
