#include "engine/io/fnv1a.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace psflip::io {
namespace {

std::uint64_t hash_of(std::string_view text) {
  Fnv1a hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

/// Test vectors of the reference implementation of FNV, http://www.isthe.com/chongo/tech/comp/fnv.
TEST(Fnv1a, GivesTheKnownAnswers) {
  EXPECT_EQ(hash_of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_of("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hash_of("foobar"), 0x85944171f73967e8U);
}

TEST(Fnv1a, DoesNotDependOnThePiecesInWhichBytesCome) {
  Fnv1a hash;
  hash.add("foo", 3);
  hash.add("bar", 3);
  EXPECT_EQ(hash.value(), hash_of("foobar"));
}

}  // namespace
}  // namespace psflip::io
