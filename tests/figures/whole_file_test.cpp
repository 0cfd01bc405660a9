#include "figures/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "scratch.hpp"

namespace doorbell::figures {
namespace {

std::size_t files_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files{folder};
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

std::string refusal_of(const std::filesystem::path& file) {
  try {
    const WholeFile whole{file};
  } catch (const PlaceError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(WholeFile, TakesThePlaceOfARegularFileWhenItIsWhole) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("out.txt", "old");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  {
    WholeFile whole{file};
    whole.stream() << "new";
    EXPECT_EQ(read_text(file), "old");
    whole.finish();
  }
  EXPECT_EQ(read_text(file), "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(files_in(scratch.path()), 1U);
}

TEST(WholeFile, LeavesAnOldFileWhenItIsAbandoned) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("out.txt", "old");
  {
    WholeFile whole{file};
    whole.stream() << std::string(1 << 20, 'x');
  }
  EXPECT_EQ(read_text(file), "old");
  EXPECT_EQ(files_in(scratch.path()), 1U);
}

TEST(WholeFile, FollowsLinks) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path() / "far");
  const std::filesystem::path target = scratch.write("far/target.txt", "old");
  std::filesystem::create_symlink("far/target.txt", scratch.path() / "near");
  std::filesystem::create_symlink("near", scratch.path() / "link");
  write_atomically(scratch.path() / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path() / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch.path() / "near"));
  EXPECT_EQ(read_text(target), "new");
  std::filesystem::remove(target);
  write_atomically(scratch.path() / "link", "made");
  EXPECT_EQ(read_text(target), "made");
}

TEST(WholeFile, IsWrittenThroughAPipe) {
  const Scratch scratch;
  const std::filesystem::path pipe = scratch.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  write_atomically(pipe, "text");
  std::array<char, 8> got{};
  EXPECT_EQ(::read(reader, got.data(), got.size()), 4);
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(WholeFile, IsWrittenToWhatTheProcessHasOpen) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("log.txt", "first\n");
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND);
  write_atomically("/dev/fd/" + std::to_string(descriptor), "second\n");
  ::close(descriptor);
  EXPECT_EQ(read_text(file), "first\nsecond\n");
}

TEST(WholeFile, SaysWhyADeviceTakesNothing) {
  const Scratch scratch;
  const std::filesystem::path link = scratch.path() / "full";
  std::filesystem::create_symlink("/dev/full", link);  // never by its own name, lest a mistake here replaces it
  if (!std::filesystem::is_character_file(link)) GTEST_SKIP() << "no /dev/full";
  try {
    write_atomically(link, "text");
    ADD_FAILURE();
  } catch (const WriteError& error) {
    EXPECT_EQ(error.what(), "cannot write " + link.string() + ": No space left on device");
    EXPECT_FALSE(error.nobody_reads());
  }
  EXPECT_TRUE(std::filesystem::is_character_file(link));
}

TEST(WholeFile, RefusesAPlaceThatIsNone) {
  const Scratch scratch;
  EXPECT_EQ(refusal_of(""), "expected the name of a file");
  EXPECT_EQ(refusal_of(scratch.path()), "it is a folder");
  EXPECT_EQ(refusal_of(scratch.path() / "no" / "file"), "cannot write there: No such file or directory");
  EXPECT_EQ(refusal_of(scratch.write("file", "") / "x"), "cannot write there: Not a directory");
  std::filesystem::create_symlink("round", scratch.path() / "round");
  EXPECT_EQ(refusal_of(scratch.path() / "round"), "cannot write there: Too many levels of symbolic links");
}

}  // namespace
}  // namespace doorbell::figures
