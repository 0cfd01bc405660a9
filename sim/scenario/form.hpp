// The form of a document as data: what the describe() declarations say, in a shape that plain functions can walk.
// The schema, the reference page, `explain` and the messages are made from it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "models/common/describe.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::scenario {

enum class Shape { boolean, quantity, text, choice, structure, named, list, alternatives };

struct FormField;

/// The form of one value.
struct Form {
  Shape shape = Shape::structure;
  Dimension dimension = Dimension::count;  ///< Of a quantity.
  double min = 0;                          ///< In the base unit of the dimension; seconds for time.
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices;  ///< Words of a choice.
  std::vector<FormField> fields;     ///< Members of a structure; kinds of an alternative.
  std::vector<Form> element;         ///< One form: what a named or a list holds.
  bool nullable = false;             ///< May be absent altogether (std::optional).
  bool may_have_file = false;        ///< Of a structure: a path may stand for it. True of all hardware.
  bool hardware = false;             ///< A hardware profile: every leaf below carries its provenance.

  /// A single value, or a list of single values: what a provenance can be attached to.
  [[nodiscard]] bool is_leaf() const {
    if (shape == Shape::list) return element.front().is_leaf();
    return shape == Shape::boolean || shape == Shape::quantity || shape == Shape::text || shape == Shape::choice;
  }
  [[nodiscard]] const FormField* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> field_names() const;
};

/// A member of a structure.
struct FormField {
  std::string name;
  std::string doc;
  std::string symbol;
  bool required = false;
  std::string default_text;  ///< As it would be written; empty when there is nothing to write.
  Form form;
};

/// What the value must be, for the "expected" part of a message: `a count from 1 to 4096`.
[[nodiscard]] std::string expectation(const Form& form);

template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
template <class T> struct IsNamed : std::false_type {};
template <class T> struct IsNamed<model::Named<T>> : std::true_type { using Element = T; };
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsVariant : std::false_type {};
template <class... T> struct IsVariant<std::variant<T...>> : std::true_type {};

template <class T> constexpr bool is_count = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// The dimension of a member that is a quantity.
template <class T> constexpr std::optional<Dimension> dimension_of() {
  if constexpr (is_count<T>)
    return Dimension::count;
  else if constexpr (std::is_same_v<T, double>)
    return Dimension::number;
  else if constexpr (std::is_same_v<T, Time>)
    return Dimension::time;
  else if constexpr (std::is_same_v<T, Bytes>)
    return Dimension::size;
  else if constexpr (std::is_same_v<T, Bandwidth>)
    return Dimension::bandwidth;
  else if constexpr (std::is_same_v<T, Rate>)
    return Dimension::rate;
  else
    return std::nullopt;
}

/// The number in a quantity, in the unit of a FieldInfo's limits.
inline double magnitude(double value) { return value; }
inline double magnitude(Time value) { return to_seconds(value); }
inline double magnitude(Bytes value) { return static_cast<double>(value.count); }
inline double magnitude(Bandwidth value) { return value.bytes_per_second; }
inline double magnitude(Rate value) { return value.per_second; }

template <class Enum> std::vector<std::string> choices_of() {
  const auto& words = model::EnumNames<Enum>::values;
  return {words.begin(), words.end()};
}

/// How a value would be written in a file; empty for anything but a leaf.
template <class T> std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (is_count<T>)
    return std::to_string(value);
  else if constexpr (dimension_of<T>().has_value())
    return format_quantity(magnitude(value), *dimension_of<T>());
  else if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_enum_v<T>)
    return choices_of<T>().at(static_cast<std::size_t>(value));
  else
    return {};
}

template <class T> Form form_of(const model::FieldInfo& info = {});

/// The visitor that turns declarations into a form.
class FormBuilder {
 public:
  template <class T> void field(std::string_view name, const T& /*member*/, const model::FieldInfo& info) {
    add<T>(name, info, true, {});
  }
  template <class T> void optional(std::string_view name, const T& member, const model::FieldInfo& info) {
    add<T>(name, info, false, text_of(member));
  }
  [[nodiscard]] std::vector<FormField> take() { return std::move(fields_); }

 private:
  template <class T>
  void add(std::string_view name, const model::FieldInfo& info, bool required, std::string default_text) {
    fields_.push_back({std::string{name}, std::string{info.doc}, std::string{info.symbol}, required,
                       std::move(default_text), form_of<T>(info)});
  }

  std::vector<FormField> fields_;
};

template <class T> struct AlternativeForms;
template <class... T> struct AlternativeForms<std::variant<T...>> {
  static std::vector<FormField> all() { return {FormField{std::string{T::kind}, {}, {}, false, {}, form_of<T>()}...}; }
};

/// The form of a type that describe() declarations may use.
template <class T> Form form_of(const model::FieldInfo& info) {
  Form form;
  form.min = info.min;
  form.max = info.max;
  if constexpr (std::is_same_v<T, bool>) {
    form.shape = Shape::boolean;
  } else if constexpr (dimension_of<T>().has_value()) {
    form.shape = Shape::quantity;
    form.dimension = *dimension_of<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    form.shape = Shape::text;
  } else if constexpr (std::is_enum_v<T>) {
    form.shape = Shape::choice;
    form.choices = choices_of<T>();
  } else if constexpr (IsOptional<T>::value) {
    form = form_of<typename T::value_type>(info);
    form.nullable = true;
  } else if constexpr (IsNamed<T>::value) {
    form.shape = Shape::named;
    form.element.push_back(form_of<typename IsNamed<T>::Element>(info));
  } else if constexpr (IsVector<T>::value) {
    form.shape = Shape::list;
    form.element.push_back(form_of<typename T::value_type>(info));
  } else if constexpr (IsVariant<T>::value) {
    form.shape = Shape::alternatives;
    form.fields = AlternativeForms<T>::all();
  } else {
    form.shape = Shape::structure;
    form.hardware = model::Profile<T>;
    form.may_have_file = form.hardware || model::MayHaveFile<T>;
    FormBuilder builder;
    T defaults{};
    describe(builder, defaults);
    form.fields = builder.take();
  }
  return form;
}

}  // namespace doorbell::scenario
