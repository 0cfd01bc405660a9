// What tests look for in results.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "models/common/result.hpp"

namespace doorbell::model {

inline double level(const RunResult& result, std::string_view name) {
  for (const Level& item : result.levels) {
    if (item.name == name) return item.value;
  }
  ADD_FAILURE() << "no level " << name;
  return 0;
}

}  // namespace doorbell::model
