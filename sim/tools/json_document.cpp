#include "tools/json_document.hpp"

#include <algorithm>

#include "scenario/error.hpp"
#include "tools/json_walk.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {
namespace {

using Json = nlohmann::json;

/// Behind the document, if it is one.
std::size_t end_of(std::string_view text, std::size_t at) {
  JsonWalk walk{text, at};
  walk.skip_blanks();
  walk.skip_value();
  return walk.place();
}

/// Where the number stands of which the library says "number overflow parsing '1e999'".
std::size_t place_of_number(std::string_view document, const std::string& complaint) {
  const std::size_t quote = complaint.find('\'');
  const std::string number = complaint.substr(quote + 1, complaint.rfind('\'') - quote - 1);
  JsonWalk walk{document, 0};
  while (!walk.is_at_end() && !document.substr(walk.place()).starts_with(number)) {
    walk.here() == '"' ? walk.skip_string() : walk.step();
  }
  return walk.place();
}

}  // namespace

Json read_document(std::string_view text, std::size_t& at, const JsonPlaces& places, const std::string& expected) {
  const std::size_t begin = at;
  const std::string_view document = text.substr(begin, end_of(text, begin) - begin);
  const auto refuse = [&](std::size_t place, const char* found) {
    throw OutputError{{places.at(place), std::string{}}, expected, found};
  };
  at = begin + document.size();
  try {
    return Json::parse(document);
  } catch (const Json::parse_error& error) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    const std::size_t place = begin + error.byte - 1;
    refuse(std::min(place, last), place > last ? "no complete JSON" : "no valid JSON");
  } catch (const Json::exception& error) {
    refuse(begin + place_of_number(document, error.what()), "a number beyond all bounds");
  }
  return {};
}

std::string found_text(const Json& value) {
  if (value.is_string()) return scenario::in_quotes(value.get<std::string>());
  if (value.is_structured()) return value.is_object() ? "an object" : "an array";
  return value.dump();
}

}  // namespace doorbell::tools
