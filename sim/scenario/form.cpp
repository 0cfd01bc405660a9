#include "scenario/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/error.hpp"

namespace doorbell::scenario {

const FormField* Form::find(std::string_view name) const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const FormField& field) { return field.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> Form::field_names() const {
  std::vector<std::string> names;
  for (const FormField& field : fields) names.push_back(field.name);
  return names;
}

std::string expectation(const Form& form) {
  switch (form.shape) {
    case Shape::boolean: return "true or false";
    case Shape::text: return "text";
    case Shape::choice: return alternatives(form.choices);
    case Shape::structure: return "an object";
    case Shape::named: return "an object of named entries";
    case Shape::list: return "an array";
    case Shape::alternatives: return "an object with one key: " + alternatives(form.field_names());
    case Shape::quantity: break;
  }
  std::string text{dimension_name(form.dimension)};
  const std::string least = format_quantity(form.min, form.dimension);
  if (std::isfinite(form.max))
    text += fmt::format(" from {} to {}", least, format_quantity(form.max, form.dimension));
  else
    text += fmt::format(" of at least {}", least);
  return text;
}

}  // namespace doorbell::scenario
