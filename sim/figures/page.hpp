// index.html: every picture, the error table, the claims and the points, in one file that needs nothing else.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/collection.hpp"
#include "figures/definition.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// `folder` holds the SVGs that `draw` made; they become part of the page.
[[nodiscard]] std::string html_page(const std::vector<Figure>& figures, const std::vector<FigureResult>& results,
                                    const std::vector<Collection>& collections, const std::filesystem::path& folder,
                                    const std::string& version);

/// For HTML text and attributes.
[[nodiscard]] std::string escape_html(const std::string& text);
[[nodiscard]] std::string base64(const std::string& bytes);

}  // namespace doorbell::figures
