#include "calibrate/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "calibrate/stage_summary.hpp"
#include "scenario/document.hpp"
#include "scenario/parse.hpp"

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

/// The file that `name` means in `from`, named from where `to` will be.
std::string moved(const std::string& name, const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::filesystem::path{name}.is_absolute()) return name;
  const std::filesystem::path named = std::filesystem::absolute(from).parent_path() / name;
  return std::filesystem::relative(named, std::filesystem::absolute(to).parent_path()).generic_string();
}

/// With what was tried where nothing was found: the other values hold only beside it.
Json entry_of(const Found& found, const std::vector<StageSummary>& stages) {
  const bool is_fitted = found.basis == Basis::points && !found.at_end;
  std::string source = fmt::format("{}: {}", found.sources, found.stage);
  if (found.at_end) {
    source += "; the end of the range searched";
  } else if (found.basis == Basis::nothing) {
    source += "; the points do not determine it";
  }
  if (found.basis == Basis::plan) source += "; the only value in the calibration file";
  const auto stage =
      std::find_if(stages.begin(), stages.end(), [&](const auto& one) { return one.stage == found.stage; });
  if (found.basis != Basis::plan && stage != stages.end() && !stage->fits) {
    source += fmt::format("; its points do not fit: chi {:.1f}", stage->chi);
  }
  return {{"value", value_of(found.value)}, {"provenance", is_fitted ? "fitted" : "assumed"}, {"source", source}};
}

}  // namespace

std::string profile_with(const Plan& plan, const Fit& fit, const std::filesystem::path& target) {
  const scenario::Location from{std::make_shared<const std::string>(plan.profile.string()), 1, 1};
  // Comments, which profiles may have, are lost.
  Json profile = Json::parse(scenario::to_json(scenario::parse_file(plan.profile, from, {})));
  for (const std::string_view key : {scenario::keys::schema, scenario::keys::extends}) {
    const auto path = profile.find(key);
    if (path != profile.end()) *path = moved(path->get<std::string>(), plan.profile, target);
  }
  const std::vector<StageSummary> stages = summarise(fit);
  for (const Found& found : fit.parameters) {
    if (found.basis == Basis::plan && found.value == found.shipped) continue;
    profile[Json::json_pointer{found.pointer}] = entry_of(found, stages);
  }
  return profile.dump(2) + "\n";
}

}  // namespace doorbell::calibrate
