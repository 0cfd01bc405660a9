#include "figures/temporary_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "scratch.hpp"

namespace doorbell::figures {
namespace {

TEST(TemporaryFile, IsGoneWithItsOwner) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("part.tmp", "half");
  { const TemporaryFile temporary{file}; }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(TemporaryFile, StaysUnderAnotherName) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("part.tmp", "whole");
  const std::filesystem::path kept = scratch.path() / "kept";
  {
    TemporaryFile temporary{file};
    temporary.keep_as(kept);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(std::filesystem::exists(kept));
}

/// How a process ends in which `work` raised a signal.
template <class Work> int end_of(Work work) {
  const pid_t process = ::fork();
  if (process == 0) {
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return status;
}

TEST(TemporaryFile, IsRemovedWhenASignalEndsTheProcess) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const Scratch scratch;
    const std::filesystem::path file = scratch.write("part.tmp", "half");
    const std::filesystem::path other = scratch.write("other.tmp", "");
    const int status = end_of([&] {
      remove_temporary_files_on_signals();
      { const TemporaryFile before{other}; }
      const TemporaryFile temporary{file};
      ::raise(signal);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_FALSE(std::filesystem::exists(file));
  }
}

TEST(TemporaryFile, OfAParentOutlivesItsChildren) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("part.tmp", "half");
  const int status = end_of([&] {
    remove_temporary_files_on_signals();
    const TemporaryFile temporary{file};
    const int child = end_of([] { ::raise(SIGTERM); });
    ::_exit(WIFSIGNALED(child) && std::filesystem::exists(file) ? 7 : 1);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(TemporaryFile, ASignalThatIsIgnoredStaysSo) {
  const int status = end_of([] {
    ::signal(SIGHUP, SIG_IGN);
    remove_temporary_files_on_signals();
    ::raise(SIGHUP);
    ::_exit(7);
  });
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace doorbell::figures
