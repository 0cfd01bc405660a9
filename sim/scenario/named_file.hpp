// Files that are named inside files.
#pragma once

#include <filesystem>
#include <string>

namespace doorbell::scenario {

/// The file that `folder`, where the file that names it lies, has under this relative or absolute name: without "."
/// and "..", except where a folder on the way is a symbolic link, of which ".." is the folder that it points into. A
/// file that is only there if ".." is the folder of the link is found, too.
[[nodiscard]] std::filesystem::path named_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace doorbell::scenario
