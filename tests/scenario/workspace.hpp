// A folder of its own for each test, with a hardware profile made from the declarations themselves, so that these tests
// do not change when a parameter is added to a model.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "models/hardware/hardware_profile.hpp"
#include "scenario/document.hpp"
#include "scenario/form.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario::testing {

inline const std::filesystem::path repository{DOORBELL_SOURCE_DIR};

inline std::string read_all(const std::filesystem::path& file) {
  std::ifstream stream{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

/// A valid value for a leaf: its lower limit, or something small where that is zero; never beyond the upper limit.
inline std::string sample_value(const Form& form) {
  switch (form.shape) {
    case Shape::boolean: return "true";
    case Shape::text: return "\"text\"";
    case Shape::choice: return json_string(form.choices.front());
    case Shape::list: return "[" + sample_value(form.element.front()) + "]";
    default: break;
  }
  const bool bare = form.dimension == Dimension::count || form.dimension == Dimension::number;
  const double small = form.dimension == Dimension::time ? 1e-9 : 1;
  double value = form.min > 0 ? form.min : std::min(small, form.max);
  // A pure number is taken well inside its range: the upper limit, printed with six digits, may lie above itself.
  if (form.dimension == Dimension::number && form.max <= small) value = (form.min + form.max) / 2;
  const std::string text = format_quantity(value, form.dimension);
  return bare ? text : json_string(text);
}

/// A complete hardware profile; `cores` threads fit on it.
inline std::string sample_profile(const Form& form, int cores, const std::string& indent = "") {
  std::string json = "{";
  for (const FormField& field : form.fields) {
    json += (json.size() > 1 ? ",\n" : "\n") + indent + "  " + json_string(field.name) + ": ";
    if (!field.form.is_leaf()) {
      json += sample_profile(field.form, cores, indent + "  ");
      continue;
    }
    const std::string value = field.name == "cores" ? std::to_string(cores) : sample_value(field.form);
    json += "{\"value\": " + value + ", \"provenance\": \"assumed\", \"source\": \"test\"}";
  }
  return json + "\n" + indent + "}";
}

class Workspace {
 public:
  Workspace() {
    static int serial = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("doorbell-scenario-" + std::to_string(::getpid()) + "-" + std::to_string(serial++));
    std::filesystem::create_directories(folder_);
    write("hardware.json", sample_profile(form_of<model::HardwareProfile>(), 16));
  }
  ~Workspace() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream{file, std::ios::binary} << text;
    return file;
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// A scenario in which everything is right: a sequencer and its clients.
inline const std::string good_scenario = R"({
  "title": "Sequencer",
  "machines": {
    "server": {"hardware": "hardware.json"},
    "client": {"hardware": "hardware.json", "count": 5}
  },
  "fabric": {"switch_latency": "200 ns"},
  "programs": {
    "worker": {
      "machine": "server", "threads": 6,
      "queue_pairs": {"responses": {"transport": "UD", "count": 3, "ports": "all"}},
      "loop": [
        {"collect": {"via": "memory", "at_most": 32, "per_slot": "1 ns", "per_item": "5 ns"}},
        {"increment": {"line": "counter"}},
        {"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", "destination": "origin"}}
      ]
    },
    "client": {
      "machine": "client", "threads": 14,
      "queue_pairs": {"requests": {"transport": "UC"}},
      "loop": [
        {"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker", "window": 32}},
        {"await": {"at_least": 0}}
      ]
    }
  },
  "measure": {"program": "client", "warmup": "50 us", "duration": "500 us"}
})";

/// `text` with the first occurrence of `from` replaced; fails the test when there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error{"nothing to replace: " + from};
  return text.replace(at, from.size(), to);
}

}  // namespace doorbell::scenario::testing
