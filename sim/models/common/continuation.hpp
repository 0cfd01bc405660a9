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

/// Calls `Member` of `object` with `argument`, which must live until then.
template <auto Member, class Object, class Argument>
[[nodiscard]] Continuation continue_with(Object& object, Argument& argument) {
  struct Call {
    static void call(void* self, std::uint64_t pointer) {
      (static_cast<Object*>(self)->*Member)(*reinterpret_cast<Argument*>(pointer));
    }
  };
  return {&Call::call, &object, reinterpret_cast<std::uintptr_t>(&argument)};
}

/// Calls `Member` of `object`.
template <auto Member, class Object> [[nodiscard]] Continuation continue_with(Object& object) {
  struct Call {
    static void call(void* self, std::uint64_t) { (static_cast<Object*>(self)->*Member)(); }
  };
  return {&Call::call, &object, 0};
}

}  // namespace doorbell::model
