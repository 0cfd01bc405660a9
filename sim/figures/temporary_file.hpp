// Files that must not survive: gone with their owner, and also when a signal ends the process.
#pragma once

#include <filesystem>

namespace doorbell::figures {

/// Owns the name of a file that is not meant to stay. Whoever makes the file keeps this beside it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path file);
  /// Removes the file, unless it was kept.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Gives the file another name, under which it stays. Throws std::filesystem::filesystem_error.
  void keep_as(const std::filesystem::path& file);

 private:
  std::filesystem::path path_;
  std::size_t place_;
};

/// From now on the signals by which users and shells end a program first remove the temporary files of this process;
/// then the signal takes its course. One that is ignored stays so.
void remove_temporary_files_on_signals();

}  // namespace doorbell::figures
