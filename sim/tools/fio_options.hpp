// Options with which a job of fio was run.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace doorbell::tools {

class FioOptions {
 public:
  /// Those of a job come before those of the whole file. All are texts.
  FioOptions(const nlohmann::json& own, const nlohmann::json& common);

  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> find(std::string_view name, std::string_view other) const;

  /// Whether that option is one of the job's own.
  [[nodiscard]] bool is_own(std::string_view name) const { return own_.contains(name); }

  struct Refused {
    std::string name;
    std::string value;
    std::string harmless;  ///< A value with which the option changes nothing.
  };
  /// With which requests differ in size or pattern, come at a pace or in batches, or wait for flushes, if there is such
  /// an option: no scenario made of a job says so.
  [[nodiscard]] std::optional<Refused> refused() const;

  /// Names of options that may change the load or not.
  [[nodiscard]] std::vector<std::string> unknown() const;

 private:
  std::map<std::string, std::string, std::less<>> values_;  // by name
  std::set<std::string, std::less<>> own_;
};

}  // namespace doorbell::tools
