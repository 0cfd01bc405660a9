#include "scenario/explain.hpp"

#include <fmt/format.h>

#include "scenario/document.hpp"
#include "scenario/form.hpp"
#include "scenario/pointer.hpp"
#include "scenario/resolution.hpp"

namespace doorbell::scenario {
namespace {

std::string place(const Node& node) { return fmt::format("{}:{}", node.at.file_name(), node.at.line); }

std::string_view author_name(Author author) {
  switch (author) {
    case Author::file: return "scenario";
    case Author::option: return "override";
    case Author::sweep: return "sweep";
  }
  return {};
}

/// Walks a form and the document beside it.
class Listing {
 public:
  std::vector<Parameter> parameters;

  void members(const Node& node, const Form& form, const Pointer& pointer) {
    for (const FormField& field : form.fields) {
      const Node* value = node.find(field.name);
      const bool other_kind = form.shape == Shape::alternatives && value == nullptr;
      if (!other_kind) add(value, field.form, pointer / field.name, field);
    }
  }

 private:
  void add(const Node* node, const Form& form, const Pointer& pointer, const FormField& field) {
    if (form.is_leaf()) return leaf(node, pointer, field);
    if (node == nullptr) {
      // A structure that was left out still has defaults worth telling.
      if (form.shape == Shape::structure && !form.nullable) members({}, form, pointer);
      return;
    }
    switch (form.shape) {
      case Shape::named:
        for (const Member& member : node->members)
          add(&member.value, form.element.front(), pointer / member.name, field);
        return;
      case Shape::list:
        for (std::size_t i = 0; i < node->items.size(); ++i)
          add(&node->items[i], form.element.front(), pointer / i, field);
        return;
      default: members(*node, form, pointer);
    }
  }

  void leaf(const Node* node, const Pointer& pointer, const FormField& field) {
    Parameter& parameter = parameters.emplace_back();
    parameter.pointer = pointer.text();
    parameter.meaning = field.doc;
    if (node == nullptr) {
      parameter.value = field.default_text;
      parameter.provenance = "default";
      return;
    }
    parameter.value = coordinate_text(*node);
    const Node* provenance = node->find("provenance");
    const Node* source = node->find("source");
    parameter.provenance = provenance != nullptr ? provenance->text : author_name(node->author);
    parameter.source = source != nullptr ? source->text : place(*node);
  }
};

}  // namespace

std::vector<Parameter> explain(const std::filesystem::path& file, const LoadOptions& options, std::size_t point) {
  Resolution resolution{file, options};
  const Node tree = resolution.tree(point);
  Listing listing;
  listing.members(tree, document_form(tree), Pointer{});
  return std::move(listing.parameters);
}

}  // namespace doorbell::scenario
