#include "scenario/named_file.hpp"

#include <system_error>

namespace doorbell::scenario {

std::filesystem::path named_file(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::path direct = folder / name;
  std::filesystem::path shorter = direct.lexically_normal();
  std::error_code ignored;
  if (!std::filesystem::exists(direct, ignored)) return shorter;
  return std::filesystem::equivalent(direct, shorter, ignored) ? shorter : direct;
}

}  // namespace doorbell::scenario
