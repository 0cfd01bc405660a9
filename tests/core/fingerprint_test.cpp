#include "core/fingerprint.hpp"

#include <gtest/gtest.h>

namespace doorbell::core {
namespace {

TEST(Fingerprint, IsThatOfThePublishedTestVectors) {
  EXPECT_EQ(fingerprint(""), 0xcbf29ce484222325U);
  EXPECT_EQ(fingerprint("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fingerprint("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace doorbell::core
