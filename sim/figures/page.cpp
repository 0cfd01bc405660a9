#include "figures/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>

#include "figures/output.hpp"
#include "figures/picture.hpp"
#include "figures/statistics.hpp"

namespace doorbell::figures {
namespace {

constexpr std::string_view head = R"html(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Doorbell: figures</title>
<style>
  body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1b1f24; background: #fff; max-width: 62rem;
         margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.7rem; margin-bottom: 0.2rem; }
  h2 { font-size: 1.25rem; margin: 3rem 0 0.3rem; border-bottom: 1px solid #d8dee4; padding-bottom: 0.3rem; }
  h2 code { color: #57606a; font-weight: normal; font-size: 0.85em; margin-left: 0.5rem; }
  p.quiet, .notes { color: #57606a; }
  img { display: block; width: 100%; max-width: 46rem; height: auto; margin: 0.8rem 0; }
  table { border-collapse: collapse; font-size: 0.875rem; margin: 0.6rem 0; }
  th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #eaeef2; text-align: right; white-space: nowrap;
           font-variant-numeric: tabular-nums; }
  th { border-bottom: 1px solid #8c959f; font-weight: 600; vertical-align: bottom; }
  td.text, th.text { text-align: left; white-space: normal; }
  table.claims td:first-child { min-width: 14rem; }
  tr.total td { border-top: 1px solid #8c959f; font-weight: 600; }
  tr.target td { color: #57606a; border-bottom: 1px solid #8c959f; } tr.target td.off { color: #b3260b; }
  td.off { color: #b3260b; font-weight: 600; }
  .yes { color: #116329; } .no { color: #b3260b; font-weight: 600; }
  details { margin: 0.5rem 0; } summary { cursor: pointer; color: #0550ae; }
  a { color: #0550ae; }
  .wide { overflow-x: auto; }
</style>
</head>
<body>
)html";

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f} %", *fraction * 100) : "–";
}
std::string signed_percent_or_dash(const std::optional<double>& fraction) {
  return fraction ? signed_percent(*fraction) : "–";
}
std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.4g}", *value) : "–"; }

/// What is between backticks looks like what is typed.
std::string with_code(const std::string& text) {
  std::string html;
  bool code = false;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find('`', from), text.size());
    html += escape_html(text.substr(from, end - from));
    const bool closes = code || text.find('`', end + 1) != std::string::npos;
    if (end < text.size()) html += !closes ? "`" : code ? "</code>" : "<code>";
    if (closes) code = !code;
    from = end + 1;
  }
  return html;
}

/// A claim that is true or false has no number to show.
std::string said(const Value& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
  return to_string(value);
}

std::string read_file(const std::filesystem::path& file) {
  const std::ifstream input{file, std::ios::binary};
  std::ostringstream content;
  content << input.rdbuf();
  return content.str();
}

std::string summary_row(const std::string& name, const Summary& summary, std::string_view row_class) {
  return fmt::format(
      "<tr class=\"{}\"><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "</tr>\n",
      row_class, name, summary.points, percent(summary.fit.median), percent(summary.fit.worst),
      percent(summary.validation.median), percent(summary.validation.worst),
      summary.claims.count == 0 ? "–" : fmt::format("{} of {}", summary.claims.held, summary.claims.count));
}

std::string target_row(const Collection& collection, const Summary& summary) {
  const Misses missed = misses(collection, summary);
  const auto cell = [](const std::string& target, bool off) {
    return fmt::format("<td{}>{}</td>", off ? " class=\"off\"" : "", target);
  };
  const Targets& targets = *collection.targets;
  return fmt::format("<tr class=\"target\"><td class=\"text\">target</td><td></td>{}{}{}{}{}</tr>\n",
                     cell(percent(targets.fit.median), missed.fit_median),
                     cell(percent(targets.fit.worst), missed.fit_worst),
                     cell(percent(targets.validation.median), missed.validation_median),
                     cell(percent(targets.validation.worst), missed.validation_worst),
                     cell(targets.all_claims ? "all" : "–", missed.claims));
}

std::string summary_table(const std::vector<FigureResult>& results, const std::vector<Collection>& collections) {
  std::string html =
      "<div class=\"wide\"><table>\n<tr><th class=\"text\">Figure</th><th>Points</th><th>Fit,<br>median</th>"
      "<th>Fit,<br>worst</th><th>Validation,<br>median</th><th>Validation,<br>worst</th><th>Claims<br>that "
      "hold</th></tr>\n";
  for (const Collection& collection : collections) {
    for (const std::size_t i : collection.figures) {
      const FigureResult& result = results[i];
      html += summary_row(fmt::format("<a href=\"#{}\">{}</a>", file_stem(result.id), escape_html(result.id)),
                          summary_of({&result}), "figure");
    }
    const Summary summary = summary_of(collection, results);
    if (is_told_apart(collection)) html += summary_row(escape_html(collection.name), summary, "total");
    if (collection.targets) html += target_row(collection, summary);
  }
  return html + "</table></div>\n";
}

std::string claims_table(const FigureResult& result) {
  if (result.claims.empty()) return {};
  std::string html =
      "<div class=\"wide\"><table class=\"claims\">\n<tr><th "
      "class=\"text\">Claim</th><th>Stated</th><th>Simulated</th><th>Holds</th><th class=\"text\">Set</th></tr>\n";
  for (const ClaimResult& claim : result.claims) {
    html += fmt::format(
        "<tr><td class=\"text\">{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td class=\"text\">{}</td></tr>\n",
        with_code(claim.text), escape_html(said(claim.stated)), escape_html(said(claim.simulated)),
        claim.holds ? "yes" : "no", claim.holds ? "yes" : "no", to_string(claim.use));
  }
  return html + "</table></div>\n";
}

std::string interval_text(const PointResult& point) {
  return point.simulated_ci95 ? fmt::format("{:.2g}", interval_to_show(*point.simulated_ci95, point.simulated)) : "–";
}

std::string points_table(const FigureResult& result) {
  std::string html =
      "<details><summary>All points</summary><div class=\"wide\"><table>\n<tr><th class=\"text\">Series</th><th>x</th>"
      "<th>Measured</th><th>±</th><th>Simulated</th><th>±</th><th>Closed form</th><th>Unit</th><th>Error</th>"
      "<th class=\"text\">Set</th><th class=\"text\">Note</th></tr>\n";
  for (const PointResult& point : result.points) {
    const auto error = point.error();
    html += fmt::format(
        "<tr><td "
        "class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td{}>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>\n",
        escape_html(point.series), escape_html(to_string(point.x)), number(point.measured),
        number(point.measured_uncertainty), number(point.simulated), interval_text(point), number(point.analytic),
        escape_html(point.unit), error && std::abs(*error) > large_error ? " class=\"off\"" : "",
        signed_percent_or_dash(error), point.measured ? to_string(point.use) : "", escape_html(point.note));
  }
  return html + "</table></div></details>\n";
}

std::string section(const Figure& figure, const FigureResult& result, const std::filesystem::path& folder) {
  std::string html = fmt::format("<h2 id=\"{}\">{}<code>{}</code></h2>\n", file_stem(result.id),
                                 escape_html(result.title), escape_html(result.id));
  if (!result.notes.empty()) html += fmt::format("<p class=\"notes\">{}</p>\n", with_code(result.notes));
  if (figure.external && figure.reference.empty()) {
    html += fmt::format("<p class=\"notes\">Here: {}.</p>\n", with_code(left_out_sentence(*figure.external)));
  }
  for (const Panel& panel : figure.panels) {
    html += fmt::format("<img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n", escape_html(result.title),
                        base64(read_file(folder / (panel_stem(figure, panel) + ".svg"))));
  }
  return html + claims_table(result) + points_table(result);
}

}  // namespace

std::string html_page(const std::vector<Figure>& figures, const std::vector<FigureResult>& results,
                      const std::vector<Collection>& collections, const std::filesystem::path& folder,
                      const std::string& version) {
  std::string html{head};
  html += fmt::format(
      "<h1>Figures, simulated and measured</h1>\n<p class=\"quiet\">Doorbell {}. Error is (simulated − measured) / "
      "measured; "
      "the table shows its magnitude. Parameters were fitted to points of the fit set only, but some that no "
      "publication "
      "states were chosen after looking at validation points: README.md, “How exact it is”, says which. Open markers "
      "are "
      "measured, lines are simulated, thin dotted lines are the closed form.</p>\n",
      escape_html(version));
  html += summary_table(results, collections);
  for (std::size_t i = 0; i < figures.size(); ++i) html += section(figures[i], results[i], folder);
  return html + "</body>\n</html>\n";
}

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    const std::size_t used = std::min<std::size_t>(bytes.size() - i, 3);
    for (std::size_t k = 0; k < 4; ++k) text += k <= used ? digits[group >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

}  // namespace doorbell::figures
