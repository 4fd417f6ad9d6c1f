#pragma once
#include <barrier>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>

#include "engine/driver/ranks.hpp"

namespace psflip::equality {

/// Where ranks that are threads of one process meet.
struct MeetingPoint {
  /// Memory on either side: a message is copied as late as possible, when its receiver waits for it.
  struct Message {
    const void* data;
    std::size_t bytes;
    int* on_the_way;  ///< of the sender
  };

  explicit MeetingPoint(int count) : everyone(count), shown(static_cast<std::size_t>(count)) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<int, int, int>, std::deque<Message>> messages;  ///< by sender, receiver, tag
  std::barrier<> everyone;
  std::vector<void*> shown;  ///< by each rank to all others, during a collective call
};

/// The interface Ranks with threads instead of processes, so that jobs of several ranks can be compared with the
/// oracle.
class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(MeetingPoint& place, int rank, int count) : place_(place), rank_(rank), count_(count) {}

  int rank() const override { return rank_; }
  int count() const override { return count_; }
  using Ranks::broadcast;
  void add_up(std::vector<std::int64_t>& values) const override;
  void broadcast(void* data, std::size_t bytes) const override;
  void start_send(int to, int tag, const void* data, std::size_t bytes) override;
  void start_receive(int from, int tag, void* data, std::size_t bytes) override;
  void wait() override;

 private:
  struct Receive {
    int from, tag;
    void* data;
    std::size_t bytes;
  };
  MeetingPoint& place_;
  int rank_, count_;
  int on_the_way_ = 0;
  std::vector<Receive> receives_;
};

/// One object for every rank, used by threads of this process that do everything together.
template <class OfRank>
class Ranked {
 public:
  template <class Make>
  Ranked(int count, Make make) : place_(count) {
    for (int rank = 0; rank < count; ++rank) {
      ranks_.push_back(std::make_unique<ThreadRanks>(place_, rank, count));
      all_.push_back(make(*ranks_.back()));
    }
  }

  const OfRank& first() const { return *all_[0]; }

  template <class F>
  void each(F f) const {
    std::vector<std::jthread> threads;
    for (const auto& one : all_) threads.emplace_back([&one, f] { f(*one); });
  }

  /// The result of f at each rank.
  template <class Value, class F>
  std::vector<Value> of_each(F f) const {
    std::vector<Value> values(all_.size());
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < all_.size(); ++rank)
      threads.emplace_back([&, rank] { values[rank] = f(*all_[rank]); });
    threads.clear();
    return values;
  }

 private:
  MeetingPoint place_;
  std::vector<std::unique_ptr<ThreadRanks>> ranks_;
  std::vector<std::unique_ptr<OfRank>> all_;
};

}  // namespace psflip::equality
