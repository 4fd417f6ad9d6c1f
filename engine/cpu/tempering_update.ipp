// Sweeps and exchanges of Tempering; included at the end of tempering.hpp.
#pragma once

namespace psflip::cpu {

template <class W>
Slots Tempering<W>::groups_of(std::uint64_t round) const {
  const std::size_t odd = round % 2, first = (own_.first + odd) / 2, last = (own_.first + own_.count - 1 + odd) / 2;
  return {first, last - first + 1};
}

template <class W>
void Tempering<W>::finish_group(std::size_t part, std::size_t group, std::uint64_t round, Memory& memory) {
  Slab& slab = slabs_[part];
  const std::size_t odd = round % 2, last = system_.slots() - 1;
  const std::size_t begin = group == 0 ? 0 : 2 * group - odd, end = std::min(2 * group + 1 - odd, last);
  if (begin < end) exchange_pair(slab, begin, round);
  if (end == last && is_own(last)) turn_hottest(slab);
  if (begin == 0 && is_own(0)) count_round_trips(slab);
  for (std::size_t slot = begin; slot <= end; ++slot)
    if (is_own(slot) && system_.is_measured(round)) measure_slot(slab, slot, memory);
}

template <class W>
template <class Scheme>
void Tempering<W>::sweep(std::size_t part, std::size_t slot, std::size_t set, std::uint64_t round,
                         ResidualQueue<W, Scheme::bits>& queue, Memory& memory) {
  Slab& slab = slabs_[part];
  const Key key = tempering_key(system_, Stream::metropolis);
  const auto slot_number = static_cast<std::uint32_t>(slot), set_number = static_cast<std::uint32_t>(set);
  const FieldTables<W, Scheme> tables(thresholds_[slot]);
  const std::uint32_t* packs = slab.packs.data();
  const std::uint32_t c3_high = (static_cast<std::uint32_t>(slab.first_pack >> 32) << 24) | (slot_number << 8);
  const std::uint64_t begin = 2 * round * system_.exchange_interval, end = begin + 2 * system_.exchange_interval;
  for (std::uint64_t half = begin; half < end; ++half) {
    const auto h = static_cast<std::uint32_t>(half);
    FieldDecision<W, Scheme> decide{numbers(slab, Stream::metropolis, h, slot), &tables, &queue, set_number};
    const std::size_t first_site = (h & 1u) * std::size_t{lattice_.sites_per_parity()};
    const auto resolve = [&] {
      queue.resolve(
          reinterpret_cast<std::uint32_t*>(&slab.spins[unit(slot, set)][first_site]), tables.threshold, key, h,
          [=](std::uint32_t address, std::uint32_t site) {
            return typename ResidualQueue<W, Scheme::bits>::Where{site, packs[address % W::packs], c3_high, set_number};
          });
    };
    half_sweep<Scheme>(slab, unit(slot, set), h, decide, resolve);
  }
  sum_energies(slab, unit(slot, set), memory);
}

template <class W>
template <class Scheme, class Resolve>
void Tempering<W>::half_sweep(Slab& slab, std::size_t u, std::uint32_t h, FieldDecision<W, Scheme> decide,
                              Resolve resolve) const {
  const std::size_t sites = lattice_.sites_per_parity();
  const std::uint32_t parity = h & 1u;
  W* mine = slab.spins[u].data() + parity * sites;
  const W* other = slab.spins[u].data() + (1 - parity) * sites;
  const W* fields = slab.fields.data() + parity * sites;
  const Lattice<3> lattice = lattice_;
  for (std::uint32_t number = 0; number < lattice.rows(); ++number) {
    const Row<3> row = lattice.row(number, parity);
    for (std::uint32_t c = 0; c < lattice.half(); ++c) {
      const std::uint32_t site = row.begin + c;
      const W spin = mine[site];
      const W neighbour[6] = {other[row.begin + lattice.right(c, row.shift)],
                              other[row.begin + lattice.left(c, row.shift)],
                              other[row.plus[0] + c],
                              other[row.minus[0] + c],
                              other[row.plus[1] + c],
                              other[row.minus[1] + c]};
      mine[site] = decide(site, spin, neighbour, fields[site], site * W::packs);
    }
    if (decide.queue->wants_resolving()) resolve();
  }
  resolve();
}

template <class W>
void Tempering<W>::exchange_pair(Slab& slab, std::size_t k, std::uint64_t round) const {
  const PackNumbers<W> random = numbers(slab, Stream::exchange, static_cast<std::uint32_t>(round), k);
  alignas(64) std::uint32_t u[sets][W::bits];  // [chunk][lane in the chunk] is the order of lanes
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const Four<W> drawn = random.draw(lane, 0);
    for (std::size_t set = 0; set < sets; ++set) {
      alignas(64) std::uint32_t chunk[W::packs];
      drawn.x[set].store(chunk);
      for (int pack = 0; pack < W::packs; ++pack) u[set][pack * 32 + static_cast<int>(lane)] = chunk[pack];
    }
  }
  for (std::size_t set = 0; set < sets; ++set) {
    const W mask = accepted_lanes(slab, k, set, u[set]);
    const auto swap = [&](W& a, W& b) {
      const W differ = (a ^ b) & mask;
      a = a ^ differ;
      b = b ^ differ;
    };
    const std::size_t cold = unit(k, set), hot = cold + sets;
    swap(slab.from_cold[cold], slab.from_cold[hot]);
    swap(slab.from_hot[cold], slab.from_hot[hot]);
    for (std::size_t i = 0; i < slab.spins[cold].size(); ++i) swap(slab.spins[cold][i], slab.spins[hot][i]);
  }
}

/// Decides about the exchange of slots k and k + 1 in every lane, counts it and exchanges the energies.
template <class W>
W Tempering<W>::accepted_lanes(Slab& slab, std::size_t k, std::size_t set, const std::uint32_t* numbers) const {
  const std::size_t cold = unit(k, set), hot = cold + sets;
  const ExchangeWeights w = exchange_.weights[k];
  std::int32_t *cold_bonds = slab.bonds[cold].data(), *hot_bonds = slab.bonds[hot].data();
  std::int32_t *cold_fields = slab.field_sums[cold].data(), *hot_fields = slab.field_sums[hot].data();
  std::int32_t* count = slab.accepted[cold].data();
  alignas(64) std::uint32_t words[W::packs] = {};
  for (int lane = 0; lane < W::bits; ++lane) {
    const std::int64_t x =
        w.bond * (hot_bonds[lane] - cold_bonds[lane]) + w.field * (hot_fields[lane] - cold_fields[lane]);
    if (numbers[lane] >= exchange_threshold(x, exchange_.shift)) continue;
    words[lane / 32] |= 1u << (lane % 32);
    std::swap(cold_bonds[lane], hot_bonds[lane]);
    std::swap(cold_fields[lane], hot_fields[lane]);
    ++count[lane];
  }
  return W::load(words);
}

/// A configuration that has come from the cold end to the hot end is on its way back.
template <class W>
void Tempering<W>::turn_hottest(Slab& slab) const {
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t hottest = unit(system_.slots() - 1, set);
    slab.from_hot[hottest] = slab.from_hot[hottest] | slab.from_cold[hottest];
    slab.from_cold[hottest] = W::zero();
  }
}

/// One that has come back is counted and begins again.
template <class W>
void Tempering<W>::count_round_trips(Slab& slab) const {
  alignas(64) std::int32_t back[W::bits];
  for (std::size_t coldest = 0; coldest < sets; ++coldest) {  // units of slot 0
    spread_digits(&slab.from_hot[coldest], 1, back);
    for (int lane = 0; lane < W::bits; ++lane) slab.round_trips[coldest * W::bits + lane] += back[lane];
    slab.from_hot[coldest] = W::zero();
    slab.from_cold[coldest] = W::ones();
  }
}

}  // namespace psflip::cpu
