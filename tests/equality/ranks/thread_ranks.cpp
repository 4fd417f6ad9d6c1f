#include "thread_ranks.hpp"

#include <cstring>
#include <stdexcept>

namespace psflip::equality {

void ThreadRanks::add_up(std::vector<std::int64_t>& values) const {
  place_.shown[static_cast<std::size_t>(rank_)] = &values;
  place_.everyone.arrive_and_wait();
  std::vector<std::int64_t> sums(values.size());
  for (const void* shown : place_.shown) {
    const auto& theirs = *static_cast<const std::vector<std::int64_t>*>(shown);
    if (theirs.size() != sums.size()) throw std::logic_error("ranks add up different numbers of values");
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += theirs[i];
  }
  place_.everyone.arrive_and_wait();
  values = sums;
}

void ThreadRanks::broadcast(void* data, std::size_t bytes) const {
  place_.shown[static_cast<std::size_t>(rank_)] = data;
  place_.everyone.arrive_and_wait();
  if (rank_ != 0) std::memcpy(data, place_.shown[0], bytes);
  place_.everyone.arrive_and_wait();
}

void ThreadRanks::start_send(int to, int tag, const void* data, std::size_t bytes) {
  const std::lock_guard lock(place_.mutex);
  ++on_the_way_;
  place_.messages[{rank_, to, tag}].push_back({data, bytes, &on_the_way_});
  place_.changed.notify_all();
}

void ThreadRanks::start_receive(int from, int tag, void* data, std::size_t bytes) {
  receives_.push_back({from, tag, data, bytes});
}

void ThreadRanks::wait() {
  std::unique_lock lock(place_.mutex);
  for (const Receive& receive : receives_) {
    auto& arriving = place_.messages[{receive.from, rank_, receive.tag}];
    place_.changed.wait(lock, [&] { return !arriving.empty(); });
    const MeetingPoint::Message message = arriving.front();
    if (message.bytes != receive.bytes) throw std::logic_error("a message of another length");
    std::memcpy(receive.data, message.data, message.bytes);
    arriving.pop_front();
    --*message.on_the_way;
    place_.changed.notify_all();
  }
  receives_.clear();
  place_.changed.wait(lock, [&] { return on_the_way_ == 0; });
}

}  // namespace psflip::equality
