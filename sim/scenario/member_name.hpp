// The name under which a member stands in files, found through its structure's describe().
#pragma once

#include <string>
#include <string_view>

#include "models/common/describe.hpp"

namespace doorbell::scenario {

/// The visitor that looks for one member by its address.
class MemberFinder {
 public:
  explicit MemberFinder(const void* address) : address_{address} {}

  template <class T> void field(std::string_view name, const T& member, const model::FieldInfo& /*info*/) {
    if (static_cast<const void*>(&member) == address_ && name_.empty()) name_ = name;
  }
  template <class T> void optional(std::string_view name, const T& member, const model::FieldInfo& info) {
    field(name, member, info);
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const void* address_;
  std::string name_;
};

/// The name of `member`, which must be a described member of `structure`.
template <class S, class T> std::string member_name(S& structure, const T& member) {
  MemberFinder finder{&member};
  describe(finder, structure);
  return finder.name();
}

}  // namespace doorbell::scenario
