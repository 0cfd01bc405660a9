#include "figures/temporary_file.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace doorbell::figures {
namespace {

// What a signal handler may read: a fixed number of names. A name belongs to whoever takes it out of its place, so that
// no handler reads what its owner has just freed. Without a free place a file is merely left behind by a signal.
constexpr std::size_t places = 64;
std::array<std::atomic<char*>, places> names{};
static_assert(std::atomic<char*>::is_always_lock_free);

/// A forked process has the names, but the files are its parent's.
std::atomic<pid_t> owner{0};

std::size_t enter(const std::filesystem::path& file) {
  char* name = ::strdup(std::filesystem::absolute(file).c_str());
  for (std::size_t i = 0; i < places; ++i) {
    char* empty = nullptr;
    if (names[i].compare_exchange_strong(empty, name)) return i;
  }
  std::free(name);
  return places;
}

void leave(std::size_t place) {
  if (place < places) std::free(names[place].exchange(nullptr));
}

extern "C" void remove_and_end(int signal) {
  if (::getpid() == owner) {
    for (std::atomic<char*>& place : names) {
      if (const char* name = place.exchange(nullptr)) ::unlink(name);
    }
  }
  ::raise(signal);  // with the default action, once this handler has returned
}

}  // namespace

TemporaryFile::TemporaryFile(std::filesystem::path file) : path_{std::move(file)}, place_{enter(path_)} {}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
  leave(place_);
}

void TemporaryFile::keep_as(const std::filesystem::path& file) {
  std::filesystem::rename(path_, file);
  path_.clear();
}

void remove_temporary_files_on_signals() {
  owner = ::getpid();
  struct sigaction action {};
  action.sa_handler = remove_and_end;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXFSZ}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace doorbell::figures
