// Construction and canonical order of Tempering; included at the end of tempering.hpp.
#pragma once
#include <algorithm>

#include "engine/cpu/lanes.hpp"

namespace psflip::cpu {

template <class W>
Tempering<W>::Tempering(const TemperingSystem& system, const Slots& own, int threads)
    : system_(system),
      own_(own),
      stored_{own.first - (own.first > 0 ? 1 : 0), own.count},
      lattice_{static_cast<std::uint32_t>(system.L)},
      threads_(threads),
      exchange_(make_exchange_table(system)),
      table_(make_fourier_table(system.L)) {
  stored_.count = std::min(own.first + own.count + 1, system.slots()) - stored_.first;
  for (const double beta : system.betas) thresholds_.push_back(make_field_thresholds(system, beta));
  divide_samples();
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::size_t k = 0; k < slabs_.size(); ++k) start(slabs_[k]);
}

/// A word takes so many of the packs as it has room for, all with the same upper bits; places that are left repeat the
/// last pack, which is simulated again for nothing.
template <class W>
void Tempering<W>::divide_samples() {
  const std::vector<std::uint64_t> packs = system_.pack_numbers();
  const std::size_t first = system_.first_lane(), end = first + system_.samples;  // lanes of all packs in turn
  for (std::size_t begin = 0, next = 0; begin < packs.size(); begin = next) {
    Slab slab{};
    slab.first_pack = packs[begin];
    const auto fits = [&](std::size_t k) {
      return k < packs.size() && k < begin + W::packs && packs[k] >> 32 == slab.first_pack >> 32;
    };
    while (fits(next)) ++next;
    for (std::size_t chunk = 0; chunk < W::packs; ++chunk)
      slab.packs[chunk] = static_cast<std::uint32_t>(packs[std::min(begin + chunk, next - 1)]);
    slab.first_lane = static_cast<int>(std::max(first, 32 * begin) - 32 * begin);
    slab.end_lane = static_cast<int>(std::min(end, 32 * next) - 32 * begin);
    slab.first_sample = std::max(first, 32 * begin) - first;
    slabs_.push_back(std::move(slab));
  }
}

template <class W>
void Tempering<W>::start(Slab& slab) const {
  const std::size_t units = stored_.count * sets, sites = lattice_.sites_per_parity();
  slab.fields.assign(2 * sites, W::zero());
  slab.spins.assign(units, std::vector<W>(2 * sites, W::zero()));
  slab.from_cold.assign(units, W::zero());
  slab.from_hot.assign(units, W::zero());
  if (is_own(0))
    for (std::size_t set = 0; set < sets; ++set) slab.from_cold[unit(0, set)] = W::ones();
  slab.bonds.assign(units, std::vector<std::int32_t>(W::bits, 0));
  slab.field_sums = slab.bonds;
  clear_sums(slab);
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> random(disorder_key(system_, Stream::fields), parity, W::load(slab.packs.data()),
                                slab.first_pack, 0);
    for (std::uint32_t i = 0; i < sites; ++i) slab.fields[parity * sites + i] = random.draw(i, 0).x[0];
  }
  if (system_.start == Start::ordered) return;
  for (std::size_t slot = own_.first; slot < own_.first + own_.count; ++slot) {
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      const PackNumbers<W> random = numbers(slab, Stream::initial_spins, parity, slot);
      for (std::uint32_t i = 0; i < sites; ++i) {
        const Four<W> u = random.draw(i, 0);
        for (std::size_t set = 0; set < sets; ++set) slab.spins[unit(slot, set)][parity * sites + i] = u.x[set];
      }
    }
  }
}

template <class W>
void Tempering<W>::clear_sums(Slab& slab) const {
  const std::size_t slots = stored_.count;
  slab.set_sums.assign(slots * sets, std::vector<double>(psflip::set_sums * W::bits, 0.0));
  slab.pair_sums.assign(slots, std::vector<double>(psflip::pair_sums * W::bits, 0.0));
  slab.accepted.assign(slots * sets, std::vector<std::int32_t>(W::bits, 0));
  slab.round_trips.assign(sets * W::bits, 0);
}

template <class W>
void Tempering<W>::clear_sums() {
  for (Slab& slab : slabs_) clear_sums(slab);
}

template <class W>
template <class F>
void Tempering<W>::for_each_sample(F f) const {
  for (std::size_t k = 0; k < slabs_.size(); ++k) {
    const Slab& slab = slabs_[k];
    for (int lane = slab.first_lane; lane < slab.end_lane; ++lane)
      f(k, lane, slab.first_sample + static_cast<std::size_t>(lane - slab.first_lane));
  }
}

/// Calls copy(in the slab, in the sums) for every number of the sums, in either direction.
template <class W>
template <class Slabs, class Sums, class Copy>
void Tempering<W>::for_each_sum(Slabs& slabs, Sums& sums, Copy copy) const {
  const std::size_t slots = own_.count, samples = system_.samples;
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t i = 0; i < slots * sets; ++i) {
      const std::size_t slot = i / sets, u = unit(own_.first + slot, i % sets), place = sample * sets + i % sets;
      for (std::size_t q = 0; q < psflip::set_sums; ++q)
        copy(slabs[k].set_sums[u][q * W::bits + lane], sums.set[(q * slots + slot) * samples * sets + place]);
      if (own_.first + slot + 1 < system_.slots())
        copy(slabs[k].accepted[u][lane], sums.accepted[slot * samples * sets + place]);
    }
    for (std::size_t slot = 0; slot < slots; ++slot)
      for (std::size_t q = 0; q < psflip::pair_sums; ++q)
        copy(slabs[k].pair_sums[own_.first + slot - stored_.first][q * W::bits + lane],
             sums.pair[(q * slots + slot) * samples + sample]);
    for (std::size_t set = 0; set < sets; ++set)
      copy(slabs[k].round_trips[set * W::bits + lane], sums.round_trips[sample * sets + set]);
  });
}

template <class W>
TemperingSums Tempering<W>::sums() const {
  const std::size_t samples = system_.samples, pairs = std::min(own_.count, system_.slots() - 1 - own_.first);
  TemperingSums all{std::vector<double>(psflip::set_sums * own_.count * samples * sets, 0.0),
                    std::vector<double>(psflip::pair_sums * own_.count * samples, 0.0),
                    std::vector<std::int32_t>(pairs * samples * sets, 0), std::vector<std::int32_t>(samples * sets, 0)};
  for_each_sum(slabs_, all, [](const auto& mine, auto& out) { out = mine; });
  return all;
}

template <class W>
Checkerboard Tempering<W>::board() const {
  const std::size_t sites = lattice_.sites_per_parity();
  return {2 * sites, lattice_.L, 3, 0, sites, 1};
}

template <class W>
template <class Bits>
LaneRows<Bits> Tempering<W>::sample_rows(const Slab& slab, Bits* first, std::size_t stride) const {
  return {first + slab.first_sample * stride, stride, slab.first_lane, slab.end_lane};
}

template <class W>
PackedSigns Tempering<W>::packed_spins(std::size_t slot) const {
  PackedSigns out(system_.samples * sets, system_.sites());
  const std::size_t tiles = tiles_of(board()), row = out.words_in_row();
  for (const Slab& slab : slabs_) {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < sets * tiles; ++i) {
      const std::size_t set = i / tiles;
      words_to_rows(slab.spins[unit(slot, set)].data(), board(), i % tiles,
                    sample_rows(slab, out.row(set), sets * row));
    }
  }
  return out;
}

template <class W>
PackedSigns Tempering<W>::packed_fields() const {
  PackedSigns out(system_.samples, system_.sites());
  for (const Slab& slab : slabs_)
    for (std::size_t tile = 0; tile < tiles_of(board()); ++tile)
      words_to_rows(slab.fields.data(), board(), tile, sample_rows(slab, out.row(0), out.words_in_row()));
  return out;
}

template <class W>
std::vector<FlowLabel> Tempering<W>::flow_labels() const {
  std::vector<FlowLabel> out(own_.count * system_.samples * sets);
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t i = 0; i < own_.count * sets; ++i) {
      const std::size_t u = unit(own_.first, 0) + i;
      const bool cold = lane_of(slabs_[k].from_cold[u], lane);
      const bool hot = lane_of(slabs_[k].from_hot[u], lane);
      out[(i / sets * system_.samples + sample) * sets + i % sets] = cold  ? FlowLabel::from_cold
                                                                     : hot ? FlowLabel::from_hot
                                                                           : FlowLabel::none;
    }
  });
  return out;
}

template <class W>
void Tempering<W>::restore_spins(std::size_t slot, const PackedSigns& spins) {
  const std::size_t tiles = tiles_of(board()), row = spins.words_in_row();
  for (Slab& slab : slabs_) {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < sets * tiles; ++i) {
      const std::size_t set = i / tiles;
      rows_to_words(sample_rows(slab, spins.row(set), sets * row), board(), i % tiles,
                    slab.spins[unit(slot, set)].data());
    }
  }
}

template <class W>
void Tempering<W>::restore(const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) {
  for_each_sum(slabs_, sums, [](auto& mine, const auto& in) { mine = in; });
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t i = 0; i < own_.count * sets; ++i) {
      const FlowLabel flow_label = flow_labels[(i / sets * system_.samples + sample) * sets + i % sets];
      set_lane(slabs_[k].from_cold[unit(own_.first, 0) + i], lane, flow_label == FlowLabel::from_cold);
      set_lane(slabs_[k].from_hot[unit(own_.first, 0) + i], lane, flow_label == FlowLabel::from_hot);
    }
  });
}

}  // namespace psflip::cpu
