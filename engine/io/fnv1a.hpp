#pragma once
#include <cstddef>
#include <cstdint>

namespace psflip::io {

/// FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): a name for content, no protection against a forger.
class Fnv1a {
 public:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 0x100000001b3u;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace psflip::io
