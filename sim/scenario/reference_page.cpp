#include "scenario/reference_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scenario/document.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? "\\|" : std::string{c};
  return safe;
}

std::string unit_text(const Form& form) {
  if (form.shape == Shape::list) return "list of " + unit_text(form.element.front());
  if (form.shape != Shape::quantity) return form.shape == Shape::choice ? "word" : expectation(form);
  switch (form.dimension) {
    case Dimension::count: return "count";
    case Dimension::number: return "number";
    default: return fmt::format("{}", fmt::join(units(form.dimension), ", "));
  }
}

std::string range_text(const Form& form) {
  if (form.shape == Shape::choice) return fmt::format("{}", fmt::join(form.choices, ", "));
  if (form.shape != Shape::quantity) return {};
  const std::string least = format_quantity(form.min, form.dimension);
  return std::isfinite(form.max) ? least + " to " + format_quantity(form.max, form.dimension) : "at least " + least;
}

/// Writes the tables of one document, a section for each structure.
class Page {
 public:
  std::string text;

  void section(const std::string& path, const Form& form, const std::string& doc) {
    switch (form.shape) {
      case Shape::structure: return table(path, form, doc);
      case Shape::named: return section(path + "/NAME", form.element.front(), doc);
      case Shape::list:
        if (!form.is_leaf()) section(path + "/N", form.element.front(), doc);
        return;
      case Shape::alternatives:
        for (const FormField& kind : form.fields) section(path + "/" + kind.name, kind.form, kind.doc);
        return;
      default: return;
    }
  }

 private:
  void table(const std::string& path, const Form& form, const std::string& doc) {
    if (form.hardware && !path.empty()) return;  // Profiles have a part of their own.
    text += fmt::format("### `{}`\n\n", path.empty() ? "/" : path);
    if (!doc.empty()) text += doc + "\n\n";
    text += "| Name | Unit | Range | Default | Meaning | Symbol |\n|---|---|---|---|---|---|\n";
    for (const FormField& field : form.fields) row(field);
    text += "\n";
    for (const FormField& field : form.fields) section(path + "/" + field.name, field.form, field.doc);
  }

  void row(const FormField& field) {
    const std::string fallback = field.required ? "required" : field.default_text;
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name,
                        field.form.is_leaf() ? unit_text(field.form) : "see below", range_text(field.form),
                        cell(fallback), cell(field.doc), cell(field.symbol));
  }
};

constexpr std::string_view introduction =
    R"(# Reference of all parameters

This page is printed by `doorbell reference`; it comes from the declarations that the program itself reads files with.

A quantity is text with a unit: `"450 ns"`, `"4 KiB"`, `"984.6 MB/s"`, `"56 Gb/s"`, `"10 M/s"`, `"2.0 GHz"`. k, M, G
and T are powers of 1000, Ki, Mi, Gi and Ti powers of 1024; B is a byte, b a bit. Counts and numbers are bare.
Unknown names are errors. `//` begins a comment. Every file may have `$schema` and `extends`; the path of another
file is relative to the file that names it. Objects merge with what they extend, everything else replaces it. A
parameter written with its provenance is one value: it replaces the inherited number together with its source.

`--set programs.worker.threads=6` (or `--set /programs/worker/threads=6`) overrides any parameter, also inside a
profile: `--set machines.server.hardware.nic.processing_units=8`.

A scenario may have a `sweep`: a list of axes `{"path": "/programs/worker/threads", "values": [1, 3, 6]}`. Every
combination of values is a point, and the last axis changes fastest. An axis `{"paths": [p, q], "values": [[1, 2],
[3, 4]]}` varies several parameters together, one row at a time. `--set` on a swept parameter replaces its axis,
`--set sweep=[]` removes all. A file that extends another one inherits its axes, except those of parameters that it
sets itself; a `sweep` of its own replaces them all.

)";

}  // namespace

std::string reference_page() {
  Page page;
  page.text = introduction;
  page.text += "## Scenario\n\n";
  page.section("", form_of<Document>(), "A scenario file.");
  page.text +=
      "## Hardware profile\n\n"
      "Each parameter is an object `{\"value\": ..., \"provenance\": \"datasheet\" | \"stated\" | \"fitted\" | "
      "\"assumed\", "
      "\"source\": \"...\"}`.\nA profile may have a `title`.\n\n";
  page.section("", form_of<model::HardwareProfile>(), "A profile, or `/machines/NAME/hardware` of a scenario.");
  page.text += "## NVMe drive profile\n\n";
  page.section("", form_of<model::NvmeDriveParameters>(),
               "A profile, or `/machines/NAME/drives/hardware` of a scenario.");
  page.text += "## Storage scenario\n\n";
  page.section("", form_of<StorageDocument>(), "A scenario file about a storage server.");
  page.text += "## Storage server profile\n\n";
  page.section("", form_of<model::StorageServer>(), "A profile, or `/storage/hardware` of a storage scenario.");
  page.text += "## Remote-memory scenario\n\n";
  page.section("", form_of<DocumentAbout<model::RemoteMemoryScenario>>(),
               "A scenario file about a host that uses remote memory. Its `machines` and `programs`, which run beside "
               "the load, are those of other scenarios; `host` and `peer` are machines, too.");
  page.text += "## Transfer scenario\n\n";
  page.section("", form_of<TransferDocument>(), "A scenario file about streams of data that share what they cross.");
  page.text += "## Shared-files scenario\n\n";
  page.section("", form_of<SharedFilesDocument>(), "A scenario file about machines that share files on one server.");
  page.text += "## Client node profile\n\n";
  page.section("", form_of<model::ClientNode>(), "A profile, or `/shared_files/node` of a scenario.");
  page.text += "## DMA scenario\n\n";
  page.section("", form_of<DmaDocument>(), "A scenario file about a device that reads and writes host memory.");
  page.text += "## DMA machine profile\n\n";
  page.section("", form_of<model::DmaMachine>(), "A profile, or `/dma/hardware` of a scenario.");
  page.text += "## Software profile\n\n";
  page.section("", form_of<model::HostSoftware>(),
               "A profile, or `/remote_memory/software` or `/machines/NAME/software` of a scenario.");
  page.text += "## Fabric profile\n\n";
  page.section("", form_of<model::Fabric>(), "A profile, or `/fabric` or `/remote_memory/fabric` of a scenario.");
  while (page.text.ends_with("\n\n")) page.text.pop_back();
  return page.text;
}

}  // namespace doorbell::scenario
