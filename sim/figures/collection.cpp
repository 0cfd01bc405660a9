#include "figures/collection.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "figures/document.hpp"
#include "scenario/file_kind.hpp"

namespace doorbell::figures {
namespace {

double read_percent(const Node& node) {
  const std::string& text = node.text();
  if (text.ends_with('%')) {
    // As in quantities, a blank before the unit may be left out.
    const std::size_t digits = text.find_last_not_of(" %") + 1;
    const auto percent = text.find('%') + 1 == text.size() ? parse_number(text.substr(0, digits)) : std::nullopt;
    if (percent && *percent >= 0) return *percent / 100;
  }
  node.fail(scenario::ErrorCode::malformed_quantity, "a percentage such as \"15 %\"");
}

ErrorTarget read_error_target(const Node& node) {
  node.expect_keys({"median", "worst"});
  ErrorTarget target;
  if (const auto median = node.find("median")) target.median = read_percent(*median);
  if (const auto worst = node.find("worst")) target.worst = read_percent(*worst);
  return target;
}

std::string name_of(const Figure& figure) {
  const std::size_t slash = figure.id.rfind('/');
  return slash == std::string::npos ? figure.id : figure.id.substr(0, slash);
}

bool beyond(const std::optional<double>& error, const std::optional<double>& target) {
  return error && target && !(*error <= *target);  // what is no number misses, too
}

bool is_figure(const std::filesystem::path& file) {
  if (file.extension() != ".json") return false;
  try {
    return scenario::file_kind(file, {}) == scenario::FileKind::figure;
  } catch (const scenario::ScenarioError&) {
    return false;  // whoever wants it will say what is wrong with it
  }
}

bool has_all_of(const Collection& collection, const std::filesystem::path& folder) {
  std::size_t figures = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder.empty() ? "." : folder})
    figures += is_figure(entry.path()) ? 1 : 0;
  return figures <= collection.figures.size();
}

bool sets_errors(const ErrorTarget& target) { return target.median || target.worst; }

std::optional<double> error_of(const ClaimResult& claim) {
  const auto* stated = std::get_if<double>(&claim.stated);
  const auto* simulated = std::get_if<double>(&claim.simulated);
  return stated != nullptr && simulated != nullptr ? relative_error(*simulated, *stated) : std::nullopt;
}

/// Of all of them, or of those of one set.
ClaimSummary summary_of_claims(const std::vector<ClaimResult>& claims, std::optional<Use> use) {
  ClaimSummary summary;
  std::vector<double> errors;
  for (const ClaimResult& claim : claims) {
    if (use && claim.use != *use) continue;
    ++summary.count;
    summary.held += claim.holds ? 1 : 0;
    if (const auto error = error_of(claim)) errors.push_back(*error);
  }
  summary.numbers = summarise(errors);
  return summary;
}

}  // namespace

Targets read_targets(const std::filesystem::path& file) {
  const scenario::Node json = read_json(file, scenario::FileKind::targets);
  const Node root{json};
  root.expect_keys({"fit", "validation", "claims"});
  Targets targets;
  if (const auto fit = root.find("fit")) targets.fit = read_error_target(*fit);
  if (const auto validation = root.find("validation")) targets.validation = read_error_target(*validation);
  if (const auto claims = root.find("claims")) {
    static_cast<void>(claims->one_of(std::array{std::string_view{"all"}}));
    targets.all_claims = true;
  }
  return targets;
}

Summary summary_of(const std::vector<const FigureResult*>& figures) {
  Summary summary;
  std::vector<double> all;
  std::vector<double> fit;
  std::vector<double> validation;
  std::vector<ClaimResult> claims;
  for (const FigureResult* figure : figures) {
    summary.points += figure->points.size();
    claims.insert(claims.end(), figure->claims.begin(), figure->claims.end());
    for (const PointResult& point : figure->points) {
      const auto error = point.error();
      if (!error) continue;
      all.push_back(*error);
      if (point.use == Use::fit) fit.push_back(*error);
      if (point.use == Use::validation) validation.push_back(*error);
    }
  }
  summary.all = summarise(all);
  summary.fit = summarise(fit);
  summary.validation = summarise(validation);
  summary.claims = summary_of_claims(claims, std::nullopt);
  summary.fit_claims = summary_of_claims(claims, Use::fit);
  summary.validation_claims = summary_of_claims(claims, Use::validation);
  return summary;
}

std::vector<Collection> collect(const std::vector<Figure>& figures) {
  std::vector<Collection> collections;
  std::vector<std::filesystem::path> folders;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto known = std::find(folders.begin(), folders.end(), figures[i].folder);
    if (known != folders.end()) {
      collections[static_cast<std::size_t>(known - folders.begin())].figures.push_back(i);
      continue;
    }
    folders.push_back(figures[i].folder);
    Collection& collection = collections.emplace_back();
    collection.name = name_of(figures[i]);
    collection.figures.push_back(i);
    const std::filesystem::path file = figures[i].folder / targets_file;
    if (std::filesystem::exists(file)) collection.targets = read_targets(file);
  }
  for (std::size_t i = 0; i < collections.size(); ++i) {
    if (collections[i].targets) collections[i].whole = has_all_of(collections[i], folders[i]);
  }
  return collections;
}

bool is_told_apart(const Collection& collection) { return collection.targets || collection.figures.size() > 1; }

Summary summary_of(const Collection& collection, const std::vector<FigureResult>& results) {
  std::vector<const FigureResult*> own;
  for (const std::size_t i : collection.figures) own.push_back(&results[i]);
  return summary_of(own);
}

bool is_checked(const Collection& collection, const Summary& summary) {
  if (!collection.targets) return false;
  const Targets& targets = *collection.targets;
  const auto is_told = [](const ErrorSummary& errors, const ErrorTarget& target) {
    return errors.count > 0 && sets_errors(target);
  };
  return is_told(summary.fit, targets.fit) || is_told(summary.validation, targets.validation) ||
         (targets.all_claims && summary.claims.count > 0);
}

std::vector<std::string> targets_without_points(const Collection& collection, const Summary& summary) {
  std::vector<std::string> names;
  if (!collection.targets) return names;
  const Targets& targets = *collection.targets;
  if (sets_errors(targets.fit) && summary.fit.count == 0) names.emplace_back("fit");
  if (sets_errors(targets.validation) && summary.validation.count == 0) names.emplace_back("validation");
  if (targets.all_claims && summary.claims.count == 0) names.emplace_back("claims");
  return names;
}

Misses misses(const Collection& collection, const Summary& summary) {
  if (!collection.targets) return {};
  const Targets& targets = *collection.targets;
  const bool judges_all = collection.whole && is_checked(collection, summary);
  return {.fit_median = beyond(summary.fit.median, targets.fit.median),
          .fit_worst = beyond(summary.fit.worst, targets.fit.worst),
          .validation_median = beyond(summary.validation.median, targets.validation.median),
          .validation_worst = beyond(summary.validation.worst, targets.validation.worst),
          .claims = targets.all_claims && summary.claims.held < summary.claims.count,
          .empty = judges_all ? targets_without_points(collection, summary) : std::vector<std::string>{}};
}

std::vector<std::string> Misses::names() const {
  std::vector<std::string> names;
  if (fit_median) names.emplace_back("median of fit");
  if (fit_worst) names.emplace_back("worst of fit");
  if (validation_median) names.emplace_back("median of validation");
  if (validation_worst) names.emplace_back("worst of validation");
  if (claims) names.emplace_back("claims");
  for (const std::string& name : empty)
    names.push_back(name == "claims" ? "claims (there are none)" : name + " (no points)");
  return names;
}

}  // namespace doorbell::figures
