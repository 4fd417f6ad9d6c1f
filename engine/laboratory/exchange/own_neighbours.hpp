#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/driver/ranks.hpp"

namespace psflip::laboratory {

/// A rank whose messages come back to it: it updates its planes as if those of its neighbours were its own. To time a
/// slab that does not wait for others; its spins are not those of the system.
class OwnNeighbours final : public Ranks {
 public:
  OwnNeighbours(int rank, int count) : rank_(rank), count_(count) {}

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  void start_send(int /*to*/, int tag, const void* data, std::size_t bytes) override {
    sent_.push_back({tag, static_cast<const std::byte*>(data), bytes});
  }
  void start_receive(int /*from*/, int tag, void* data, std::size_t bytes) override {
    awaited_.push_back({tag, static_cast<std::byte*>(data), bytes});
  }
  /// A message to the smaller side is the one that the neighbour there gets from its larger side: the tags agree.
  void wait() override {
    for (const auto& message : awaited_)
      for (const auto& other : sent_)
        if (other.tag == message.tag) std::copy_n(other.data, std::min(other.bytes, message.bytes), message.data);
    sent_.clear();
    awaited_.clear();
  }

 private:
  template <class Byte>
  struct Message {
    int tag;
    Byte* data;
    std::size_t bytes;
  };

  int rank_, count_;
  std::vector<Message<const std::byte>> sent_;
  std::vector<Message<std::byte>> awaited_;
};

}  // namespace psflip::laboratory
