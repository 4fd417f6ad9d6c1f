#include <algorithm>

#include "engine/cuda/tempering/tempering.hpp"

// Canonical order of Tempering.
namespace psflip::cuda {

SampleWords Tempering::where(std::size_t fields, std::size_t per_pack, std::size_t per_field,
                             std::size_t per_parity) const {
  const std::size_t sites = std::size_t{2} * shape_.sites;
  return {shape_.L, sites, fields, per_pack, per_field, per_parity, lane_of(0), system_.samples};
}

SampleWords Tempering::where_spins() const {
  return where(shape_.sets, shape_.spins(1, 0), shape_.set_stride, shape_.parity_stride);
}

PackedSigns Tempering::packed_spins(std::size_t slot) const {
  return rows_of_words(spins_.data() + shape_.spins(0, slot_index(slot)), where_spins());
}

SampleWords Tempering::where_couplings() const {
  const auto D = static_cast<std::uint32_t>(system_.dimension());
  return where(D, shape_.couplings(1, D), shape_.sites, std::size_t{D} * shape_.sites);
}

SampleWords Tempering::where_fields() const {
  return where(1, shape_.fields(1), std::size_t{2} * shape_.sites, shape_.sites);
}

PackedSigns Tempering::packed_couplings() const {
  return couplings_.size() > 0 ? rows_of_words(couplings_.data(), where_couplings()) : PackedSigns();
}

PackedSigns Tempering::packed_fields() const {
  return fields_.size() > 0 ? rows_of_words(fields_.data(), where_fields()) : PackedSigns();
}

void Tempering::restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) {
  if (couplings_.size() > 0) words_of_rows(couplings, where_couplings(), couplings_.data());
  if (fields_.size() > 0) words_of_rows(fields, where_fields(), fields_.data());
}

void Tempering::restore_spins(std::size_t slot, const PackedSigns& spins) {
  words_of_rows(spins, where_spins(), spins_.data() + shape_.spins(0, slot_index(slot)));
}

template <class F>
void Tempering::for_each_label(F f) const {
  for (std::size_t slot = own_.first; slot < own_.first + own_.count; ++slot) {
    for (std::size_t sample = 0; sample < system_.samples; ++sample) {
      const std::size_t lane = lane_of(sample);
      for (std::uint32_t set = 0; set < shape_.sets; ++set)
        f(shape_.unit(static_cast<std::uint32_t>(lane / 32), slot_index(slot), set), lane % 32);
    }
  }
}

std::vector<FlowLabel> Tempering::flow_labels() const {
  const std::vector<std::uint32_t> cold = from_cold_.download<std::vector<std::uint32_t>>(),
                                   hot = from_hot_.download<std::vector<std::uint32_t>>();
  std::vector<FlowLabel> out;
  for_each_label([&](std::size_t word, std::size_t lane) {
    out.push_back(flow_label((cold[word] >> lane) & 1u, (hot[word] >> lane) & 1u));
  });
  return out;
}

/// Copies Sums between device order and host order, for the own slots.
template <class Device, class Sums, class Copy>
void Tempering::for_each_sum(Device& device, Sums& sums, Copy copy) const {
  const std::size_t stored = shape_.slots, own = own_.count, samples = system_.samples, lanes = shape_.lanes();
  const std::size_t first = slot_index(own_.first), pairs = std::min(own, system_.slots() - 1 - own_.first);
  const auto rows = [&](auto& mine, auto& all, std::size_t quantities, std::size_t slots, std::size_t sets) {
    for (std::size_t i = 0; i < quantities * slots; ++i)
      for (std::size_t sample = 0; sample < samples; ++sample)
        for (std::size_t set = 0; set < sets; ++set)
          copy(mine[((i / slots * stored + first + i % slots) * sets + set) * lanes + lane_of(sample)],
               all[(i * samples + sample) * sets + set]);
  };
  rows(device.set, sums.set, lists_.set.size(), own, shape_.sets);
  rows(device.pair, sums.pair, lists_.pair.size(), own, lists_.pairs);
  rows(device.accepted, sums.accepted, 1, pairs, shape_.sets);
  rows(device.flow_cold, sums.flow_cold, 1, own, shape_.sets);
  rows(device.flow_hot, sums.flow_hot, 1, own, shape_.sets);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    for (std::size_t set = 0; own_.first == 0 && set < shape_.sets; ++set)
      copy(device.round_trips[set * lanes + lane_of(sample)], sums.round_trips[sample * shape_.sets + set]);
    const std::size_t bins = lists_.overlap_bins;
    for (std::size_t i = 0; i < own * bins; ++i)
      copy(device.overlap_counts[((first + i / bins) * lanes + lane_of(sample)) * bins + i % bins],
           sums.overlap_counts[(i / bins * samples + sample) * bins + i % bins]);
    for (std::size_t i = 0; i < own_links_.count * bins; ++i)
      copy(device.overlap_link_sums[(i / bins * lanes + lane_of(sample)) * bins + i % bins],
           sums.overlap_link_sums[(i / bins * samples + sample) * bins + i % bins]);
  }
}

Sums Tempering::device_sums() const {
  return {
      std::vector<double>(set_sums_.size(), 0.0),           std::vector<double>(pair_sums_.size(), 0.0),
      std::vector<std::int32_t>(accepted_.size(), 0),       std::vector<std::int32_t>(round_trips_.size(), 0),
      std::vector<std::int32_t>(overlap_counts_.size(), 0), std::vector<std::int32_t>(flow_cold_.size(), 0),
      std::vector<std::int32_t>(flow_hot_.size(), 0),       std::vector<std::int64_t>(overlap_link_sums_.size(), 0)};
}

Sums Tempering::sums() const {
  using Doubles = std::vector<double>;
  using Integers = std::vector<std::int32_t>;
  const Sums device{set_sums_.download<Doubles>(),        pair_sums_.download<Doubles>(),
                    accepted_.download<Integers>(),       round_trips_.download<Integers>(),
                    overlap_counts_.download<Integers>(), flow_cold_.download<Integers>(),
                    flow_hot_.download<Integers>(),       overlap_link_sums_.download<std::vector<std::int64_t>>()};
  Sums all = empty_sums(system_, own_);
  for_each_sum(device, all, [](const auto& mine, auto& out) { out = mine; });
  return all;
}

void Tempering::restore(const std::vector<FlowLabel>& labels, const Sums& sums) {
  Sums device = device_sums();
  for_each_sum(device, sums, [](auto& mine, const auto& in) { mine = in; });
  set_sums_.upload(device.set);
  pair_sums_.upload(device.pair);
  accepted_.upload(device.accepted);
  round_trips_.upload(device.round_trips);
  overlap_counts_.upload(device.overlap_counts);
  overlap_link_sums_.upload(device.overlap_link_sums);
  flow_cold_.upload(device.flow_cold);
  flow_hot_.upload(device.flow_hot);
  std::vector<std::uint32_t> cold(from_cold_.size(), 0), hot(from_hot_.size(), 0);
  auto label = labels.begin();
  for_each_label([&](std::size_t word, std::size_t lane) {
    if (has_cold_bit(*label)) cold[word] |= 1u << lane;
    if (has_hot_bit(*label)) hot[word] |= 1u << lane;
    ++label;
  });
  from_cold_.upload(cold);
  from_hot_.upload(hot);
}

}  // namespace psflip::cuda
