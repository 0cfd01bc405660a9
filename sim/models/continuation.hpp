// What to call when something that takes time has ended.
#pragma once

#include <cstdint>

#include "core/event.hpp"

namespace doorbell::model {

struct Continuation {
  core::Handler handler = nullptr;
  void* object = nullptr;
  std::uint64_t argument = 0;

  void operator()() const { handler(object, argument); }
};

}  // namespace doorbell::model
