#include "core/frame_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace doorbell::core::detail {
namespace {

TEST(FramePool, WhatWasFreedLastIsTakenFirst) {
  void* const first = allocate_frame(200);
  void* const second = allocate_frame(200);
  EXPECT_NE(first, second);
  free_frame(first, 200);
  free_frame(second, 200);
  EXPECT_EQ(allocate_frame(193), second) << "of the same four cache lines";
  EXPECT_EQ(allocate_frame(256), first);
  free_frame(first, 256);
  free_frame(second, 193);
}

TEST(FramePool, FramesShareNoCacheLine) {
  std::set<std::uintptr_t> lines;
  std::vector<void*> frames;
  for (int i = 0; i < 50; ++i) {
    frames.push_back(allocate_frame(65));
    const auto address = reinterpret_cast<std::uintptr_t>(frames.back());
    EXPECT_EQ(address % 64, 0U);
    EXPECT_TRUE(lines.insert(address / 64).second && lines.insert(address / 64 + 1).second);
  }
  for (void* frame : frames) free_frame(frame, 65);
}

TEST(FramePool, LongFramesAreNotKept) {
  void* const frame = allocate_frame(1 << 20);
  ASSERT_NE(frame, nullptr);
  free_frame(frame, 1 << 20);
}

TEST(FramePool, AFrameMayBeFreedByAnotherThread) {
  void* const frame = allocate_frame(300);
  void* again = nullptr;
  std::thread{[&] {
    free_frame(frame, 300);
    again = allocate_frame(300);
    free_frame(again, 300);
  }}.join();
  EXPECT_EQ(again, frame);
}

}  // namespace
}  // namespace doorbell::core::detail
