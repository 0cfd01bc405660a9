// What tests look for in results: a counter, which must be there.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "models/common/result.hpp"

namespace doorbell::model {

inline CounterReading counter(const RunResult& result, std::string_view name) {
  for (const CounterReading& reading : result.counters) {
    if (reading.name == name) return reading;
  }
  ADD_FAILURE() << "no counter " << name;
  return {};
}

}  // namespace doorbell::model
