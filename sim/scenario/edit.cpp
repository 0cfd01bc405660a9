#include "scenario/edit.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

/// One path on its way through a document and its form.
class Walk {
 public:
  Walk(Node& root, const Form& form, const Pointer& pointer, const Location& from)
      : node_{&root}, form_{&form}, pointer_{pointer}, from_{from} {}

  Node& end() {
    for (const std::string& token : pointer_.tokens()) {
      ++depth_;
      go(token);
    }
    return *node_;
  }

 private:
  [[nodiscard]] bool last() const { return depth_ == pointer_.tokens().size(); }

  [[noreturn]] void refuse(const std::string& token, const std::string& expected,
                           const std::vector<std::string>& names) const {
    throw ScenarioError{
        {ErrorCode::path_not_found, from_, pointer_.text(), expected, in_quotes(token), nearest(token, names)}};
  }

  void go(const std::string& token) {
    switch (form_->shape) {
      case Shape::structure: return go_to_field(token);
      case Shape::named: return go_to_entry(token);
      case Shape::list: return go_to_item(token);
      case Shape::alternatives: return go_to_kind(token);
      default: refuse(token, "a path that ends at a single value", {});
    }
  }

  void go_to_field(const std::string& token) {
    const FormField* field = form_->find(token);
    const std::vector<std::string> names = form_->field_names();
    if (field == nullptr) refuse(token, "one of " + alternatives(names), names);
    descend(token, "an object", true);
    form_ = &field->form;
  }

  /// Names that the user chose must be there already, unless a whole new entry is put.
  void go_to_entry(const std::string& token) {
    const std::vector<std::string> names = node_->names();
    const std::string expected = names.empty() ? "an entry that exists" : "one of " + alternatives(names);
    if (!last() && node_->find(token) == nullptr) refuse(token, expected, names);
    descend(token, expected, true);
    form_ = &form_->element.front();
  }

  void go_to_item(const std::string& token) {
    // A list with a provenance is one statement of its source.
    if (!node_->is(Kind::array)) refuse(token, "a path that ends at the list, to replace all of it", {});
    const auto index = index_of(token, node_->items.size());
    if (!index) refuse(token, fmt::format("an index below {}", node_->items.size()), {});
    node_ = &node_->items[*index];
    form_ = &form_->element.front();
  }

  void go_to_kind(const std::string& token) {
    const std::vector<std::string> names = node_->names();
    if (node_->find(token) == nullptr) refuse(token, "the kind of the step there, " + alternatives(names), names);
    const FormField* kind = form_->find(token);
    if (kind == nullptr) refuse(token, "one of " + alternatives(form_->field_names()), form_->field_names());
    descend(token, "a step", false);
    form_ = &kind->form;
  }

  void descend(const std::string& token, const std::string& expected, bool may_create) {
    if (!node_->is(Kind::object)) refuse(token, expected, {});
    Node* child = node_->find(token);
    if (child == nullptr && may_create) {
      Node made;
      made.kind = Kind::object;
      made.at = from_;
      child = &node_->members.emplace_back(Member{token, from_, std::move(made)}).value;
    }
    node_ = child;
  }

  Node* node_;
  const Form* form_;
  const Pointer& pointer_;
  const Location& from_;
  std::size_t depth_ = 0;
};

}  // namespace

void put(Node& root, const Form& form, const Pointer& pointer, Node value, const Location& from) {
  Walk{root, form, pointer, from}.end() = std::move(value);
}

}  // namespace doorbell::scenario
