#include "calibrate/write.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "figures/definition.hpp"

namespace doorbell::calibrate {
namespace {

using Json = nlohmann::ordered_json;

/// As a number where the profile has numbers (counts, shares), otherwise as text with its unit.
Json value_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool bare = error == std::errc{} && end == text.data() + text.size();
  return bare ? Json::parse(text) : Json(text);
}

}  // namespace

void write_profile(const Plan& plan, const Fit& fit, const std::filesystem::path& target) {
  std::ifstream stream{plan.profile};
  Json profile = Json::parse(stream);
  for (const Found& found : fit.parameters) {
    profile[Json::json_pointer{found.pointer}] = {{"value", value_of(found.value)},
                                                  {"provenance", "fitted"},
                                                  {"source", fmt::format("{}: {}", found.sources, found.stage)}};
  }
  std::ofstream file{target};
  file << profile.dump(2) << '\n';
  if (!file.flush()) throw figures::DefinitionError{fmt::format("{}: cannot be written", target.string())};
}

}  // namespace doorbell::calibrate
