#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/driver/ranks.hpp"

namespace psflip {

/// The two ranks that hold the planes next to those of this rank, which may be one and the same: [0] towards smaller
/// coordinates, [1] towards larger. The lattice is periodic, and so are they.
class Neighbours {
 public:
  explicit Neighbours(Ranks& ranks) : ranks_(ranks) {}

  void start_send(int side, const void* data, std::size_t bytes) const {
    ranks_.start_send(rank(side), side == 0 ? to_smaller : to_larger, data, bytes);
  }
  void start_receive(int side, void* data, std::size_t bytes) const {
    ranks_.start_receive(rank(side), side == 0 ? to_larger : to_smaller, data, bytes);
  }
  void poll() const { ranks_.poll(); }
  void wait() const { ranks_.wait(); }  ///< until everything has arrived, also there

  /// One value to each side, one from each.
  template <class Value>
  void exchange(const Value (&mine)[2], Value (&theirs)[2]) const {
    for (const int side : {0, 1}) start_receive(side, &theirs[side], sizeof(Value));
    for (const int side : {0, 1}) start_send(side, &mine[side], sizeof(Value));
    wait();
  }

  /// Whether a condition holds on any rank of all; all ranks call it together.
  bool any(bool here) const { return ranks_.any(here); }
  /// Whether all ranks pass different values; all ranks call it together.
  bool all_differ(std::uint64_t here) const {
    std::vector<std::int64_t> values(static_cast<std::size_t>(ranks_.count()));
    values[static_cast<std::size_t>(ranks_.rank())] = static_cast<std::int64_t>(here);
    ranks_.add_up(values);
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) == values.end();
  }

  enum Tag { to_smaller, to_larger, other };  ///< other: not of neighbours

 private:
  int rank(int side) const { return (ranks_.rank() + (side == 0 ? ranks_.count() - 1 : 1)) % ranks_.count(); }

  Ranks& ranks_;
};

}  // namespace psflip
