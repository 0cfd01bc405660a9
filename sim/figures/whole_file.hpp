// Writing files so that nobody ever sees half of one.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "figures/temporary_file.hpp"

namespace doorbell::figures {

/// A place where nothing can be written: a folder, a folder that does not exist, one without permission.
class PlaceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was begun cannot be completed: the disk is full, or nobody reads any more.
class WriteError : public std::runtime_error {
 public:
  /// `what` cannot be written; `reason` is an errno.
  WriteError(const std::string& what, int reason);
  /// The reader of a pipe went away, which is no news to anyone.
  [[nodiscard]] bool nobody_reads() const;

 private:
  int reason_;
};

/// A file to be written. A regular one, also where a link leads, is replaced when all is written; until then its
/// content is in a temporary file beside it. Anything else (a pipe, a device, what a process has open) is written
/// through, as nothing could take its place.
class WholeFile {
 public:
  /// Opens at once, so that a wrong path is known before a long run. Throws PlaceError with the reason only.
  explicit WholeFile(const std::filesystem::path& file);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Gives the file its content. Throws WriteError when something could not be written.
  void finish();

 private:
  class Buffer;

  std::string name_;                     ///< For people.
  std::filesystem::path target_;         ///< Behind all links.
  std::optional<TemporaryFile> beside_;  ///< None where the file is written through.
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_;
};

/// A whole file with this content. Throws PlaceError, naming the file, or WriteError.
void write_atomically(const std::filesystem::path& file, std::string_view content);

}  // namespace doorbell::figures
