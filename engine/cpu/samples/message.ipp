// Messages between the slots of two processes of SamplePacked; included at the end of sample_packed.hpp.
#pragma once
#include <cstring>

namespace psflip::cpu {

/// Calls f(data, count) for every array of a slot in memory that an exchange swaps. Group may be const.
template <class Group, class F>
void for_each_swapped(Group& group, std::size_t slot, F f) {
  const auto visit = [&](auto& words) { f(words.data(), words.size()); };
  visit(group.spins[slot]);
  visit(group.tempering.bonds[slot]);
  visit(group.tempering.field_sums[slot]);
  visit(group.tempering.from_cold[slot]);
  visit(group.tempering.from_hot[slot]);
}

template <class W, class T>
std::size_t SamplePacked<W, T>::message_bytes() const {
  std::size_t bytes = 0;
  for_each_swapped(groups_[0], 0, [&](const auto* data, std::size_t count) { bytes += count * sizeof(*data); });
  return bytes;
}

template <class W, class T>
double SamplePacked<W, T>::bytes_of_message(const System& system, const Share& share) {
  const SamplePacked lattices = without_samples(system, share);
  const double words = static_cast<double>(2 * lattices.words_per_parity() + 2) * lattices.replicas_,
               numbers = 2.0 * W::bits * lattices.replicas_;
  return words * sizeof(W) + numbers * sizeof(std::int32_t);
}

template <class W, class T>
void SamplePacked<W, T>::pack(std::size_t batch, std::size_t slot, std::byte* message) const {
  for_each_swapped(groups_[batch], stored(slot), [&](const auto* data, std::size_t count) {
    std::memcpy(message, data, count * sizeof(*data));
    message += count * sizeof(*data);
  });
}

template <class W, class T>
void SamplePacked<W, T>::unpack(std::size_t batch, std::size_t slot, const std::byte* message) {
  for_each_swapped(groups_[batch], stored(slot), [&](auto* data, std::size_t count) {
    std::memcpy(data, message, count * sizeof(*data));
    message += count * sizeof(*data);
  });
}

}  // namespace psflip::cpu
