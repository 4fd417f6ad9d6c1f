// Rounds of SamplePacked: sweeps, exchanges, flow labels; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

/// The labels of the configurations that begin at an end of the temperature grid.
template <class W, class T>
void SamplePacked<W, T>::start_labels(TemperingState<W>& state) const {
  if (const std::size_t last = system_.slots() - 1; is_own(last)) {
    state.from_cold[stored(last)].assign(replicas_, W::ones());
    state.from_hot[stored(last)].assign(replicas_, W::ones());
  }
  if (!is_own(0)) return;
  state.from_cold[stored(0)].assign(replicas_, W::ones());
  state.from_hot[stored(0)].assign(replicas_, W::zero());
}

template <class W, class T>
void SamplePacked<W, T>::sweep(std::size_t batch, std::size_t slot, std::size_t unit, std::uint64_t round,
                               ResidualQueue<W>& queue, Memory& memory) {
  const auto in_unit = static_cast<std::uint32_t>(replicas_ / units()),
             first = static_cast<std::uint32_t>(unit) * in_unit;
  const ReplicaRange replicas{first, first + in_unit};
  const std::uint64_t begin = round * system_.round.half_sweeps;
  update(batch, slot, replicas, {begin, begin + system_.round.half_sweeps}, {0, domain_.rows()}, queue);
  if (system_.slots() > 1 || system_.is_summed(round)) store_energies(groups_[batch], slot, replicas, memory);
}

/// Bond sum and field sum of every lane.
template <class W, class T>
void SamplePacked<W, T>::store_energies(Group& group, std::size_t slot, ReplicaRange replicas, Memory& memory) const {
  const auto N = static_cast<std::int32_t>(domain_.sites());
  const auto store = [&](Integer integer, std::int32_t words, std::vector<std::int32_t>& sums) {
    const std::int32_t* set = memory.energies->set_bits(integer, 0);
    std::int32_t* sum = &sums[replicas.first * W::bits];
    for (std::size_t i = 0; i < (replicas.last - replicas.first) * W::bits; ++i) sum[i] = words * N - 2 * set[i];
  };
  memory.energies->measure(slot_view(group, slot, replicas.first));
  store(Integer::bond_sum, D, group.tempering.bonds[stored(slot)]);
  if (system_.has_field()) store(Integer::field_sum, 1, group.tempering.field_sums[stored(slot)]);
}

template <class W, class T>
Slots SamplePacked<W, T>::exchange_groups(std::uint64_t round) const {
  const std::size_t odd = round % 2, first = (own_.first + odd) / 2, last = (own_.first + own_.count - 1 + odd) / 2;
  return {first, last - first + 1};
}

template <class W, class T>
void SamplePacked<W, T>::finish_group(std::size_t batch, std::size_t group_number, std::uint64_t round,
                                      Memory& memory) {
  Group& group = groups_[batch];
  const std::size_t odd = round % 2, last = system_.slots() - 1;
  const std::size_t begin = group_number == 0 ? 0 : 2 * group_number - odd;
  const std::size_t end = std::min(2 * group_number + 1 - odd, last);
  if (begin < end) exchange_pair(group, begin, round);
  if (last > 0 && end == last && is_own(last)) relabel_hottest(group);
  if (last > 0 && begin == 0 && is_own(0)) count_round_trips(group);
  for (std::size_t slot = begin; slot <= end; ++slot) {
    if (!is_own(slot)) continue;
    if (last > 0) count_flow(group, slot);
    if (system_.is_summed(round)) add_to_sums(group, slot, memory);
  }
}

/// The exchange of slots `cold` and `cold` + 1. Four replicas share the words of a call, number r is component r & 3.
template <class W, class T>
void SamplePacked<W, T>::exchange_pair(Group& group, std::size_t cold, std::uint64_t round) const {
  const PackNumbers<W> numbers(trajectory_key(system_, Stream::exchange), static_cast<std::uint32_t>(round),
                               group.packs, cold);
  alignas(64) std::uint32_t u[4][W::bits];  // [chunk][lane in the chunk] is the order of lanes
  W accepted[8];
  for (std::uint32_t r = 0; r < replicas_; ++r) {
    for (std::uint32_t lane = 0; lane < 32 && r % 4 == 0; ++lane) {
      const Four<W> drawn = numbers.words(lane, r / 4);
      for (std::size_t k = 0; k < 4; ++k) {
        alignas(64) std::uint32_t chunk[W::packs];
        drawn.x[k].store(chunk);
        for (std::size_t pack = 0; pack < W::packs; ++pack) u[k][pack * 32 + lane] = chunk[pack];
      }
    }
    accepted[r] = accepted_lanes(group, cold, r, u[r % 4]);
  }
  const auto swap = [&](std::vector<W>& a, std::vector<W>& b) {
    for (std::size_t i = 0; i < a.size(); i += replicas_) {
      for (std::size_t r = 0; r < replicas_; ++r) {
        const W differ = (a[i + r] ^ b[i + r]) & accepted[r];
        a[i + r] = a[i + r] ^ differ;
        b[i + r] = b[i + r] ^ differ;
      }
    }
  };
  const std::size_t k = stored(cold);
  for (auto* words : {&group.tempering.from_cold, &group.tempering.from_hot, &group.spins})
    swap((*words)[k], (*words)[k + 1]);
}

/// Decides about the exchange in every lane, counts it and exchanges the energies.
template <class W, class T>
W SamplePacked<W, T>::accepted_lanes(Group& group, std::size_t cold, std::size_t replica,
                                     const std::uint32_t* numbers) const {
  TemperingState<W>& state = group.tempering;
  const std::size_t k = stored(cold), first = replica * W::bits;
  std::int32_t *cold_bonds = &state.bonds[k][first], *hot_bonds = &state.bonds[k + 1][first];
  std::int32_t *cold_fields = &state.field_sums[k][first], *hot_fields = &state.field_sums[k + 1][first];
  std::int32_t* count = &state.accepted[k][first];
  alignas(64) std::int32_t accepted[W::bits];
  decide_exchanges({exchange_.weights[cold], exchange_.shift}, W::bits, numbers, cold_bonds, hot_bonds, cold_fields,
                   hot_fields, accepted);
  const auto swap = [&](std::int32_t* a, std::int32_t* b) {
    for (int lane = 0; lane < W::bits; ++lane) {
      const std::int32_t differ = (a[lane] ^ b[lane]) & accepted[lane];
      a[lane] ^= differ;
      b[lane] ^= differ;
    }
  };
  swap(cold_bonds, hot_bonds);
  if (system_.has_field()) swap(cold_fields, hot_fields);
  for (int lane = 0; lane < W::bits; ++lane) count[lane] -= accepted[lane];
  alignas(64) std::uint32_t words[W::packs] = {};
  for (std::size_t pack = 0; pack < W::packs; ++pack)
    for (int bit = 0; bit < 32; ++bit) words[pack] |= (accepted[32 * pack + bit] & 1u) << bit;
  return W::load(words);
}

/// A configuration from the cold end that reaches the hot end is on its way back. One without a label gets both bits.
template <class W, class T>
void SamplePacked<W, T>::relabel_hottest(Group& group) const {
  const std::size_t hottest = stored(system_.slots() - 1);
  for (std::size_t r = 0; r < replicas_; ++r) {
    W &cold = group.tempering.from_cold[hottest][r], &hot = group.tempering.from_hot[hottest][r];
    cold = ~(cold ^ hot);
    hot = W::ones();
  }
}

/// A configuration that is back at the cold end is counted, unless it comes there for the first time, and begins again.
template <class W, class T>
void SamplePacked<W, T>::count_round_trips(Group& group) const {
  alignas(64) std::int32_t back[W::bits];
  for (std::size_t r = 0; r < replicas_; ++r) {
    W &cold = group.tempering.from_cold[stored(0)][r], &hot = group.tempering.from_hot[stored(0)][r];
    const W returned = hot & ~cold;
    spread_digits(&returned, 1, back);
    for (int lane = 0; lane < W::bits; ++lane) group.tempering.round_trips[r * W::bits + lane] += back[lane];
    hot = W::zero();
    cold = W::ones();
  }
}

}  // namespace psflip::cpu
