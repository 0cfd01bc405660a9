#include "figures/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <streambuf>
#include <system_error>

namespace doorbell::figures {
namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

[[noreturn]] void refuse(int error) { throw PlaceError{"cannot write there: " + reason_of(error)}; }

/// Where the links from `file` lead; nothing when one of them is no name of a file but of what a process has open
/// (/dev/stdout).
std::optional<std::filesystem::path> behind_links(std::filesystem::path file) {
  constexpr int longest_chain = 40;  // as the kernel's
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(file, error); ++links) {
    if (links == longest_chain) refuse(ELOOP);
    const std::filesystem::path folder =
        std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path());
    if (folder.native().starts_with("/proc/")) return std::nullopt;
    file = folder / std::filesystem::read_symlink(file);
  }
  return file;
}

}  // namespace

WriteError::WriteError(const std::string& what, int reason)
    : std::runtime_error{fmt::format("cannot write {}: {}", what, reason_of(reason))}, reason_{reason} {}

bool WriteError::nobody_reads() const { return reason_ == EPIPE; }

/// Bytes on their way to a descriptor. Unlike std::filebuf it takes one that is open, and keeps why writing failed.
class WholeFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(int descriptor) : descriptor_{descriptor} { setp(bytes_.data(), bytes_.data() + bytes_.size()); }
  ~Buffer() override { close(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// 0: all was written.
  [[nodiscard]] int error() const { return error_; }

  void close() {
    if (descriptor_ < 0) return;
    if (::close(descriptor_) != 0 && error_ == 0 && errno != EINTR) error_ = errno;
    descriptor_ = -1;
  }

 protected:
  int_type overflow(int_type next) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }

  int sync() override {
    const char* from = pbase();
    while (error_ == 0 && from < pptr()) {
      const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
      if (written < 0 && errno != EINTR) error_ = errno;
      if (written > 0) from += written;
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int descriptor_;
  int error_ = 0;
  std::array<char, 65536> bytes_{};
};

WholeFile::WholeFile(const std::filesystem::path& file) : name_{file.string()}, stream_{nullptr} {
  if (file.empty()) throw PlaceError{"expected the name of a file"};
  struct stat there {};
  const bool exists = ::stat(file.c_str(), &there) == 0;
  if (!exists && errno != ENOENT) refuse(errno);
  if (exists && S_ISDIR(there.st_mode)) throw PlaceError{"it is a folder"};
  const auto target = behind_links(file);
  int descriptor = -1;
  if ((exists && !S_ISREG(there.st_mode)) || !target) {
    descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);  // behind what `>>` leaves alone
  } else {
    if (exists && ::access(target->c_str(), W_OK) != 0) refuse(errno);
    target_ = *target;
    std::filesystem::path temporary = target_;
    temporary += fmt::format(".{}.tmp", ::getpid());
    ::unlink(temporary.c_str());  // of a process that had this number before
    beside_.emplace(temporary);
    constexpr mode_t for_all = 0666;  // but for what the user's mask takes away
    descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_all);
    if (descriptor >= 0 && exists) static_cast<void>(::fchmod(descriptor, there.st_mode & 07777U));
  }
  if (descriptor < 0) refuse(errno);
  buffer_ = std::make_unique<Buffer>(descriptor);
  stream_.rdbuf(buffer_.get());
}

WholeFile::~WholeFile() = default;

void WholeFile::finish() {
  stream_.flush();
  buffer_->close();
  if (buffer_->error() != 0) throw WriteError{name_, buffer_->error()};
  if (!beside_) return;
  try {
    beside_->keep_as(target_);
  } catch (const std::filesystem::filesystem_error& error) {
    throw WriteError{name_, error.code().value()};
  }
}

void write_atomically(const std::filesystem::path& file, std::string_view content) {
  std::optional<WholeFile> whole;
  try {
    whole.emplace(file);
  } catch (const PlaceError& error) {
    throw PlaceError{fmt::format("{}: {}", file.string(), error.what())};
  }
  whole->stream() << content;
  whole->finish();
}

}  // namespace doorbell::figures
