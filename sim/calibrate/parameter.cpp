#include "calibrate/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>
#include <type_traits>

#include "models/common/describe.hpp"
#include "scenario/form.hpp"

namespace doorbell::calibrate {
namespace {

template <class T> std::optional<double> read(const T& member) {
  if constexpr (std::is_same_v<T, Time>) return to_seconds(member);
  if constexpr (std::is_same_v<T, Bytes>) return static_cast<double>(member.count);
  if constexpr (std::is_same_v<T, Bandwidth>) return member.bytes_per_second;
  if constexpr (std::is_same_v<T, Rate>) return member.per_second;
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, double>) return static_cast<double>(member);
  return std::nullopt;
}

template <class T> bool write(T& member, double value) {
  if constexpr (std::is_same_v<T, Time>) {
    member = from_seconds(value);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    member = Bytes{std::llround(value)};
  } else if constexpr (std::is_same_v<T, Bandwidth> || std::is_same_v<T, Rate>) {
    member = T{value};
  } else if constexpr (std::is_same_v<T, int>) {
    member = static_cast<int>(std::lround(value));
  } else if constexpr (std::is_same_v<T, double>) {
    member = value;
  } else {
    return false;
  }
  return true;
}

template <class T>
concept Structure = requires(T& value, model::FieldInfo& visitor) {
  describe(visitor, value);
};

/// Walks down one pointer and reads or writes what it finds.
class Walk {
 public:
  Walk(std::string_view pointer, std::optional<double> value) : rest_{pointer}, value_{value} {}

  template <class T> void field(std::string_view name, T& member, const model::FieldInfo& info) {
    if (done_ || rest_.empty() || rest_.front() != '/') return;
    const std::string_view head = rest_.substr(1, rest_.find('/', 1) - 1);
    if (head != name) return;
    const std::string_view tail = rest_.substr(head.size() + 1);
    if constexpr (Structure<T>) {
      rest_ = tail;
      describe(*this, member);
    } else if constexpr (requires { member.value(); }) {
      if (!member) return;
      rest_ = tail;
      describe(*this, *member);
    } else if (tail.empty()) {
      found_ = read(member);
      limits_ = {info.min, info.max};
      if constexpr (scenario::dimension_of<T>().has_value()) text_ = scenario::text_of(member);
      if (value_ && found_) write(member, *value_);
    }
    done_ = true;
  }
  template <class T> void optional(std::string_view name, T& member, const model::FieldInfo& info) {
    field(name, member, info);
  }

  [[nodiscard]] std::optional<double> found() const { return found_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Limits limits() const { return limits_; }

 private:
  std::string_view rest_;
  std::optional<double> value_;
  std::optional<double> found_;
  std::string text_;
  Limits limits_;
  bool done_ = false;
};

/// At `pointer` of a copy, so that a machine that is only read can be asked.
Walk look(Machine machine, std::string_view pointer) {
  Walk walk{pointer, std::nullopt};
  std::visit([&](auto& profile) { describe(walk, profile); }, machine);
  return walk;
}

void collect(const scenario::Form& form, const std::string& pointer, std::vector<std::string>& found) {
  if (form.shape == scenario::Shape::quantity) found.push_back(pointer);
  for (const scenario::FormField& field : form.fields) collect(field.form, pointer + "/" + field.name, found);
}

/// The number at `pointer` of a structure, which becomes `value` if there is one.
template <class T>
std::optional<double> value_at(T& place, std::string_view pointer, std::optional<double> value = std::nullopt) {
  Walk walk{pointer, value};
  describe(walk, place);
  return walk.found();
}

[[noreturn]] void refuse(std::string_view pointer) {
  throw std::invalid_argument("no number at " + std::string{pointer});
}

}  // namespace

std::optional<double> get(const Machine& machine, std::string_view pointer) { return look(machine, pointer).found(); }

std::string text(const Machine& machine, std::string_view pointer) {
  const Walk walk = look(machine, pointer);
  if (!walk.found()) refuse(pointer);
  return walk.text();
}

Limits limits(const Machine& machine, std::string_view pointer) {
  const Walk walk = look(machine, pointer);
  if (!walk.found()) refuse(pointer);
  return walk.limits();
}

std::vector<std::string> paths(const Machine& machine) {
  std::vector<std::string> found;
  std::visit([&](const auto& profile) { collect(scenario::form_of<std::decay_t<decltype(profile)>>(), {}, found); },
             machine);
  std::erase_if(found, [&](const std::string& pointer) { return !get(machine, pointer); });  // parts that are left out
  return found;
}

void set(Machine& machine, std::string_view pointer, double value) {
  Walk walk{pointer, value};
  std::visit([&](auto& profile) { describe(walk, profile); }, machine);
  if (!walk.found()) refuse(pointer);
}

std::vector<std::string> vary(model::Scenario& scenario, const Varied& varied, const Machine& trial) {
  std::set<std::string> somewhere;
  const auto vary_in = [&](const std::string& title, auto& place) {
    if (title != varied.title || !std::holds_alternative<std::decay_t<decltype(place)>>(varied.profile)) return;
    for (const std::string& pointer : varied.pointers) {
      if (value_at(place, pointer) != get(varied.profile, pointer)) continue;
      static_cast<void>(value_at(place, pointer, get(trial, pointer)));
      somewhere.insert(pointer);
    }
  };
  for (auto& [name, group] : scenario.machines) vary_in(group.hardware_name, group.hardware);
  if (auto* storage = scenario.find<model::StorageScenario>()) vary_in(storage->server_name, storage->server);
  if (auto* dma = scenario.find<model::DmaScenario>()) vary_in(dma->hardware_name, dma->hardware);
  std::vector<std::string> found;
  std::ranges::copy_if(varied.pointers, std::back_inserter(found),
                       [&](const std::string& pointer) { return somewhere.contains(pointer); });
  return found;
}

}  // namespace doorbell::calibrate
