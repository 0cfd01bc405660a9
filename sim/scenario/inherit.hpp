// `extends`: files that inherit from files, and scenarios that name the files of their profiles.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "scenario/file_kind.hpp"
#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// Deep merge: members of objects merge, everything else in `over` replaces what is in `base`. A parameter with its
/// provenance counts as one value, so that a number never keeps the source of another number.
[[nodiscard]] Node merge(Node base, Node over);

/// Reads files and follows what they inherit. One object serves one scenario; it notices circles.
class Inheritance {
 public:
  /// A scenario with all it extends, and with every profile in place of its file name.
  [[nodiscard]] Node scenario(const std::filesystem::path& file);
  /// A profile of this kind, or of any, with all it extends. Its title is the file's name unless it has one.
  [[nodiscard]] Node profile(const std::filesystem::path& file, std::optional<FileKind> kind, const Location& from,
                             const std::string& pointer);
  /// Puts profiles in place wherever the hardware or software of a machine, or the fabric, is a file name or extends
  /// one.
  void expand_profiles(Node& scenario);

 private:
  /// `kind`: nothing for a profile of any kind.
  Node resolve(const std::filesystem::path& file, std::optional<FileKind> kind, const Location& from,
               const std::string& pointer);
  /// `member`: which of the owner's members is a profile, and of which kind.
  void expand_profile(Node& owner, const Pointer& pointer, std::string_view member, FileKind kind);
  Node base_of(Node over, std::optional<FileKind> kind, const std::string& pointer);

  std::vector<std::filesystem::path> open_;
};

}  // namespace doorbell::scenario
