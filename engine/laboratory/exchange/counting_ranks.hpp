#pragma once
#include <cstddef>

#include "engine/driver/ranks.hpp"

namespace psflip::laboratory {

/// Ranks that count the messages that this rank sends.
class CountingRanks final : public Ranks {
 public:
  explicit CountingRanks(Ranks& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  int rank_on_machine() const override { return ranks_.rank_on_machine(); }
  double sum_on_machine(double value) const override { return ranks_.sum_on_machine(value); }
  using Ranks::broadcast;
  void add_up(std::vector<std::int64_t>& values) const override { ranks_.add_up(values); }
  void broadcast(void* data, std::size_t bytes) const override { ranks_.broadcast(data, bytes); }
  void start_send(int to, int tag, const void* data, std::size_t bytes) override {
    ++messages_;
    bytes_ += bytes;
    ranks_.start_send(to, tag, data, bytes);
  }
  void start_receive(int from, int tag, void* data, std::size_t bytes) override {
    ranks_.start_receive(from, tag, data, bytes);
  }
  void poll() override { ranks_.poll(); }
  void wait() override { ranks_.wait(); }
  int fail(const std::string& message, int exit_code) const override { return ranks_.fail(message, exit_code); }

  std::size_t messages() const { return messages_; }
  std::size_t bytes() const { return bytes_; }

 private:
  Ranks& ranks_;
  std::size_t messages_ = 0, bytes_ = 0;
};

}  // namespace psflip::laboratory
