// Construction and canonical order of Tempering; included at the end of tempering.hpp.
#pragma once
#include "engine/cpu/lanes.hpp"

namespace psflip::cpu {

template <class W>
Tempering<W>::Tempering(const TemperingSystem& system, int threads)
    : system_(system),
      lattice_{static_cast<std::uint32_t>(system.L)},
      threads_(threads),
      exchange_(make_exchange_table(system)),
      table_(make_fourier_table(system.L)) {
  for (const double beta : system.betas) thresholds_.push_back(make_field_thresholds(system, beta));
  for (const std::uint64_t pack : first_packs<W>(system.first_sample, system.samples)) {
    slabs_.push_back({});
    slabs_.back().first_pack = pack;
  }
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t k = 0; k < slabs_.size(); ++k) start(slabs_[k]);
}

template <class W>
void Tempering<W>::start(Slab& slab) const {
  const std::size_t slots = system_.slots(), units = slots * sets, sites = lattice_.sites_per_parity();
  slab.fields.assign(2 * sites, W::zero());
  slab.spins.assign(units, std::vector<W>(2 * sites, W::zero()));
  slab.from_cold.assign(units, W::zero());
  slab.from_hot.assign(units, W::zero());
  for (std::size_t set = 0; set < sets; ++set) slab.from_cold[set] = W::ones();
  slab.bonds.assign(units, std::vector<std::int32_t>(W::bits, 0));
  slab.field_sums = slab.bonds;
  clear_sums(slab);
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(disorder_key(system_, Stream::fields), parity, slab.first_pack);
    for (std::uint32_t i = 0; i < sites; ++i) slab.fields[parity * sites + i] = numbers.draw(i, 0).x[0];
  }
  if (system_.start == Start::ordered) return;
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      const PackNumbers<W> numbers(tempering_key(system_, Stream::initial_spins), parity, slab.first_pack, slot);
      for (std::uint32_t i = 0; i < sites; ++i) {
        const Four<W> u = numbers.draw(i, 0);
        for (std::size_t set = 0; set < sets; ++set) slab.spins[slot * sets + set][parity * sites + i] = u.x[set];
      }
    }
  }
}

template <class W>
void Tempering<W>::clear_sums(Slab& slab) const {
  const std::size_t slots = system_.slots();
  slab.set_sums.assign(slots * sets, std::vector<double>(psflip::set_sums * W::bits, 0.0));
  slab.pair_sums.assign(slots, std::vector<double>(psflip::pair_sums * W::bits, 0.0));
  slab.accepted.assign((slots - 1) * sets, std::vector<std::int32_t>(W::bits, 0));
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
    for (int lane = 0; lane < W::bits; ++lane) {
      const std::uint64_t id = slabs_[k].first_pack * 32 + static_cast<std::uint64_t>(lane);
      if (id >= system_.first_sample && id < system_.first_sample + system_.samples)
        f(k, lane, id - system_.first_sample);
    }
  }
}

/// Calls copy(in the slab, in the sums) for every number of the sums, in either direction.
template <class W>
template <class Slabs, class Sums, class Copy>
void Tempering<W>::for_each_sum(Slabs& slabs, Sums& sums, Copy copy) const {
  const std::size_t slots = system_.slots(), samples = system_.samples;
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t unit = 0; unit < slots * sets; ++unit) {
      const std::size_t slot = unit / sets, place = sample * sets + unit % sets;
      for (std::size_t i = 0; i < psflip::set_sums; ++i)
        copy(slabs[k].set_sums[unit][i * W::bits + lane], sums.set[(i * slots + slot) * samples * sets + place]);
      if (slot + 1 < slots) copy(slabs[k].accepted[unit][lane], sums.accepted[slot * samples * sets + place]);
    }
    for (std::size_t slot = 0; slot < slots; ++slot)
      for (std::size_t i = 0; i < psflip::pair_sums; ++i)
        copy(slabs[k].pair_sums[slot][i * W::bits + lane], sums.pair[(i * slots + slot) * samples + sample]);
    for (std::size_t set = 0; set < sets; ++set)
      copy(slabs[k].round_trips[set * W::bits + lane], sums.round_trips[sample * sets + set]);
  });
}

template <class W>
TemperingSums Tempering<W>::sums() const {
  TemperingSums all = empty_sums(system_);
  for_each_sum(slabs_, all, [](const auto& mine, auto& out) { out = mine; });
  return all;
}

template <class W>
std::vector<std::int8_t> Tempering<W>::spins(std::size_t slot) const {
  const std::size_t N = system_.sites();
  std::vector<std::int8_t> out(system_.samples * sets * N);
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t set = 0; set < sets; ++set)
      for (std::size_t s = 0; s < N; ++s)
        out[(sample * sets + set) * N + s] =
            sign_of_lane(slabs_[k].spins[slot * sets + set][checkerboard_place(lattice_, s)], lane);
  });
  return out;
}

template <class W>
std::vector<std::int8_t> Tempering<W>::fields() const {
  const std::size_t N = system_.sites();
  std::vector<std::int8_t> out(system_.samples * N);
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t s = 0; s < N; ++s)
      out[sample * N + s] = sign_of_lane(slabs_[k].fields[checkerboard_place(lattice_, s)], lane);
  });
  return out;
}

template <class W>
std::vector<Journey> Tempering<W>::journeys() const {
  std::vector<Journey> out(system_.slots() * system_.samples * sets);
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t unit = 0; unit < system_.slots() * sets; ++unit) {
      const bool cold = sign_of_lane(slabs_[k].from_cold[unit], lane) < 0;
      const bool hot = sign_of_lane(slabs_[k].from_hot[unit], lane) < 0;
      out[(unit / sets * system_.samples + sample) * sets + unit % sets] = cold  ? Journey::from_cold
                                                                           : hot ? Journey::from_hot
                                                                                 : Journey::none;
    }
  });
  return out;
}

template <class W>
void Tempering<W>::restore_spins(std::size_t slot, const std::vector<std::int8_t>& spins) {
  const std::size_t N = system_.sites();
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t set = 0; set < sets; ++set)
      for (std::size_t s = 0; s < N; ++s)
        set_lane(slabs_[k].spins[slot * sets + set][checkerboard_place(lattice_, s)], lane,
                 spins[(sample * sets + set) * N + s] < 0);
  });
}

template <class W>
void Tempering<W>::restore(std::uint64_t rounds, const std::vector<Journey>& journeys, const TemperingSums& sums) {
  rounds_ = rounds;
  for_each_sum(slabs_, sums, [](auto& mine, const auto& in) { mine = in; });
  for_each_sample([&](std::size_t k, int lane, std::size_t sample) {
    for (std::size_t unit = 0; unit < system_.slots() * sets; ++unit) {
      const Journey journey = journeys[(unit / sets * system_.samples + sample) * sets + unit % sets];
      set_lane(slabs_[k].from_cold[unit], lane, journey == Journey::from_cold);
      set_lane(slabs_[k].from_hot[unit], lane, journey == Journey::from_hot);
    }
  });
}

}  // namespace psflip::cpu
