#include "scenario/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/document.hpp"
#include "scenario/error.hpp"
#include "scenario/leaf.hpp"

namespace doorbell::scenario {
namespace {

constexpr std::size_t most_points = 100'000;

[[noreturn]] void refuse(ErrorCode code, const Node& node, const Pointer& pointer, std::string expected,
                         const std::string& found = {}) {
  throw ScenarioError{
      {code, node.at, pointer.text(), std::move(expected), found.empty() ? description(node) : found, {}}};
}

Pointer read_path(const Node& node, const Pointer& pointer) {
  if (!node.is(Kind::text)) refuse(ErrorCode::sweep_form, node, pointer, "a path such as \"/programs/worker/threads\"");
  const auto path = Pointer::parse(node.text);
  if (!path) refuse(ErrorCode::sweep_form, node, pointer, "a path such as \"/programs/worker/threads\"");
  return *path;
}

void read_rows(const Node& values, const Pointer& pointer, bool zipped, Axis& axis) {
  if (!values.is(Kind::array)) refuse(ErrorCode::sweep_form, values, pointer, "an array of values");
  if (values.items.empty()) refuse(ErrorCode::sweep_empty, values, pointer, "at least one value");
  for (std::size_t i = 0; i < values.items.size(); ++i) {
    const Node& item = values.items[i];
    if (!zipped) {
      axis.rows.push_back({item});
    } else {
      const std::string expected = fmt::format("an array of {} values, one for each path", axis.paths.size());
      if (!item.is(Kind::array)) refuse(ErrorCode::sweep_row, item, pointer / i, expected);
      if (item.items.size() != axis.paths.size())
        refuse(ErrorCode::sweep_row, item, pointer / i, expected, std::to_string(item.items.size()));
      axis.rows.push_back(item.items);
    }
    for (Node& value : axis.rows.back()) set_author(value, Author::sweep);
  }
}

Axis read_axis(const Node& node, const Pointer& pointer) {
  if (!node.is(Kind::object))
    refuse(ErrorCode::sweep_form, node, pointer, "an axis {\"path\": ..., \"values\": [...]}");
  refuse_unknown_keys(node, pointer, {"path", "paths", "values"});
  const Node* path = node.find("path");
  const Node* paths = node.find("paths");
  const Node* values = node.find("values");
  if ((path == nullptr) == (paths == nullptr))
    refuse(ErrorCode::sweep_form, node, pointer, "either \"path\" or \"paths\"", path == nullptr ? "neither" : "both");
  if (values == nullptr) refuse(ErrorCode::sweep_form, node, pointer, "\"values\"", "none");
  Axis axis;
  if (path != nullptr) {
    axis.paths.push_back(read_path(*path, pointer / "path"));
    axis.places.push_back(path->at);
  } else {
    if (!paths->is(Kind::array) || paths->items.empty())
      refuse(ErrorCode::sweep_form, *paths, pointer / "paths", "an array of paths");
    for (std::size_t i = 0; i < paths->items.size(); ++i) {
      axis.paths.push_back(read_path(paths->items[i], pointer / "paths" / i));
      axis.places.push_back(paths->items[i].at);
    }
  }
  read_rows(*values, pointer / "values", paths != nullptr, axis);
  return axis;
}

void refuse_repetition(const std::vector<Axis>& axes) {
  std::vector<Pointer> seen;
  for (const Axis& axis : axes) {
    for (std::size_t i = 0; i < axis.paths.size(); ++i) {
      if (std::find(seen.begin(), seen.end(), axis.paths[i]) != seen.end()) {
        throw ScenarioError{{ErrorCode::sweep_repeated,
                             axis.places[i],
                             axis.paths[i].text(),
                             "each parameter on one axis",
                             "it again",
                             {}}};
      }
      seen.push_back(axis.paths[i]);
    }
  }
}

bool lies_in(const Pointer& path, const Pointer& around) {
  const std::vector<std::string>& outer = around.tokens();
  return outer.size() <= path.tokens().size() && std::equal(outer.begin(), outer.end(), path.tokens().begin());
}

}  // namespace

std::vector<Axis> read_sweep(const Node& sweep) {
  const Pointer pointer = Pointer{} / keys::sweep;
  if (!sweep.is(Kind::array)) refuse(ErrorCode::sweep_form, sweep, pointer, "an array of axes");
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < sweep.items.size(); ++i) {
    axes.push_back(read_axis(sweep.items[i], pointer / i));
    if (point_count(axes) > most_points) {
      refuse(ErrorCode::sweep_too_large, sweep, pointer, fmt::format("at most {} points", most_points), "more");
    }
  }
  refuse_repetition(axes);
  return axes;
}

void drop_path(std::vector<Axis>& axes, const Pointer& path) {
  for (Axis& axis : axes) {
    for (std::size_t i = axis.paths.size(); i-- > 0;) {
      if (!lies_in(axis.paths[i], path)) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      axis.paths.erase(axis.paths.begin() + at);
      axis.places.erase(axis.places.begin() + at);
      for (std::vector<Node>& row : axis.rows) row.erase(row.begin() + at);
    }
  }
  std::erase_if(axes, [](const Axis& axis) { return axis.paths.empty(); });
}

void drop_from_sweep(Node& sweep, const std::function<bool(const std::string&)>& drop) {
  std::erase_if(sweep.items, [&](Node& axis) {
    const Node* path = axis.find("path");
    if (path != nullptr && path->is(Kind::text)) return drop(path->text);
    Node* paths = axis.find("paths");
    Node* values = axis.find("values");
    if (paths == nullptr || values == nullptr) return false;
    const std::size_t width = paths->items.size();
    for (std::size_t i = width; i-- > 0;) {
      if (!paths->items[i].is(Kind::text) || !drop(paths->items[i].text)) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      paths->items.erase(paths->items.begin() + at);
      for (Node& row : values->items) {
        if (i < row.items.size()) row.items.erase(row.items.begin() + at);
      }
    }
    return width > 0 && paths->items.empty();
  });
}

std::size_t point_count(const std::vector<Axis>& axes) {
  std::size_t points = 1;
  for (const Axis& axis : axes) points *= axis.rows.size();
  return points;
}

std::vector<std::size_t> rows_at(const std::vector<Axis>& axes, std::size_t point) {
  std::vector<std::size_t> rows(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    rows[i] = point % axes[i].rows.size();
    point /= axes[i].rows.size();
  }
  return rows;
}

std::string coordinate_text(const Node& value) {
  if (is_leaf_object(value)) return coordinate_text(*value.find("value"));
  return value.is(Kind::text) ? value.text : to_json(value);
}

}  // namespace doorbell::scenario
