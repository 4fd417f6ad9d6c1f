// Sums and flow labels of SamplePacked; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

template <class W, class T>
void SamplePacked<W, T>::clear_sums() {
  if (!does_rounds()) return;
  const MakeArrays make;
  for (Group& group : groups_) for_each_array_of_sums(group.tempering, make);
}

/// Adds value(lane)[i] to sums[place * bits + lane] for those of i = I, I + 1, ... that are in the list, `place` their
/// place in it: one loop for each sum, which is a vector loop if `values` is inlined into it.
template <class W, int I, int COUNT, class List, class Values>
PSFLIP_INLINE void add_values(const List& list, double* sums, Values values) {
  const auto place = std::find(list.begin(), list.end(), I);
  if (place != list.end()) {
    double* sum = sums + (place - list.begin()) * W::bits;
#pragma omp simd
    for (int lane = 0; lane < W::bits; ++lane) {
      double value[COUNT];
      values(lane, value);
      sum[lane] = rounded_sum(sum[lane], value[I]);
    }
  }
  if constexpr (I + 1 < COUNT) add_values<W, I + 1, COUNT>(list, sums, values);
}

/// Measures a slot; its energies are those of the last sweep.
template <class W, class T>
void SamplePacked<W, T>::add_to_sums(Group& group, std::size_t slot, Memory& memory) const {
  Measurement<W, T>& measured = *memory.summed;
  measured.measure(slot_view(group, slot, 0));
  for (std::size_t r = 0; r < replicas_; ++r) add_replica(group, slot, r, measured);
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) add_pair(group, slot, pair, measured);
  if (lists_.overlap_bins == 0) return;
  const Slots link = lists_.link_slots_among({slot, 1});
  std::int64_t* link_sums =
      link.count > 0 ? group.tempering.overlap_link_sums[link.first - own_links_.first].data() : nullptr;
  count_overlaps(group.tempering.overlap_counts[stored(slot)].data(), link_sums, measured);
}

/// Counts the configurations that visited either end of the grid last.
template <class W, class T>
void SamplePacked<W, T>::count_flow(Group& group, std::size_t slot) const {
  TemperingState<W>& state = group.tempering;
  const std::size_t k = stored(slot);
  alignas(64) std::int32_t set[W::bits];
  for (std::size_t r = 0; r < replicas_; ++r) {
    const W hot = state.from_hot[k][r], cold = state.from_cold[k][r] & ~hot;
    const auto add = [&](const W& labels, std::vector<std::int32_t>& counts) {
      spread_digits(&labels, 1, set);
      for (int lane = 0; lane < W::bits; ++lane) counts[r * W::bits + lane] += set[lane];
    };
    add(cold, state.flow_cold[k]);
    add(hot, state.flow_hot[k]);
  }
}

template <class W, class T>
void SamplePacked<W, T>::add_replica(Group& group, std::size_t slot, std::size_t r,
                                     const Measurement<W, T>& measured) const {
  TemperingState<W>& state = group.tempering;
  const auto N = static_cast<std::int32_t>(domain_.sites());
  const std::size_t k = stored(slot);
  const std::int32_t *B = &state.bonds[k][r * W::bits], *F = &state.field_sums[k][r * W::bits];
  const std::int32_t* minus = measured.set_bits(Integer::magnetization, r);
  alignas(64) static constexpr std::int64_t zeros[W::bits] = {};
  const std::int64_t* k2 = lists_.has(sum_K) ? measured.k2(Integer::magnetization_k2, r) : zeros;
  const auto values = [&](int lane, double(&value)[psflip::set_sums]) __attribute__((always_inline)) {
    set_values(B[lane], F[lane], N - 2 * minus[lane], k2[lane], value);
  };
  add_values<W, 0, psflip::set_sums>(lists_.set, state.set_sums[k * replicas_ + r].data(), values);
}

template <class W, class T>
void SamplePacked<W, T>::add_pair(Group& group, std::size_t slot, std::size_t pair,
                                  const Measurement<W, T>& measured) const {
  TemperingState<W>& state = group.tempering;
  const auto [a, b] = pairs_[pair];
  const auto N = static_cast<std::int32_t>(domain_.sites());
  const std::size_t k = stored(slot);
  alignas(64) std::int64_t k_product[W::bits] = {};
  if (lists_.has(sum_MK_MK)) measured.k2_product(Integer::magnetization_k2, a, b, k_product);
  const bool is_glass = lists_.has(sum_QK);
  alignas(64) static constexpr std::int64_t zeros[W::bits] = {};
  const std::int64_t* k2 = is_glass ? measured.k2(Integer::overlap_k2, pair) : zeros;
  const std::int32_t* differ = measured.set_bits(Integer::overlap, pair);
  const std::int32_t* links = is_glass ? measured.set_bits(Integer::link_overlap, pair) : differ;
  const std::int32_t* minus[2] = {measured.set_bits(Integer::magnetization, a),
                                  measured.set_bits(Integer::magnetization, b)};
  const std::int32_t* B[2] = {&state.bonds[k][a * W::bits], &state.bonds[k][b * W::bits]};
  const auto values = [&](int lane, double(&value)[psflip::pair_sums]) __attribute__((always_inline)) {
    pair_values({N - 2 * differ[lane], N - 2 * minus[0][lane], N - 2 * minus[1][lane], k_product[lane], k2[lane],
                 D * N - 2 * links[lane], B[0][lane] + B[1][lane]},
                value);
  };
  add_values<W, 0, psflip::pair_sums>(lists_.pair, state.pair_sums[k * pairs_.size() + pair].data(), values);
}

/// Counts the overlaps of all pairs and, unless `link_sums` is null, adds their link overlaps. The bins are those of
/// overlap_bin(); the quotient is taken in double, since there is no vector division of integers: of 36 by 30 bits, so
/// it is never rounded up to the next integer. The counts of a lane fit in the first level cache, those of all lanes do
/// not.
template <class W, class T>
void SamplePacked<W, T>::count_overlaps(std::int32_t* counts, std::int64_t* link_sums,
                                        const Measurement<W, T>& measured) const {
  constexpr std::size_t most_pairs = 28, lanes = W::bits;
  const auto N = static_cast<std::int32_t>(domain_.sites());
  const std::size_t bins = lists_.overlap_bins, pairs = pairs_.size();
  const double divisor = 2 * (N + 1), scale = static_cast<double>(bins);
  const std::int32_t* differ = measured.set_bits(Integer::overlap, 0);  // [pair][lane]
  alignas(64) std::uint8_t bin[most_pairs * lanes];
#pragma omp simd
  for (std::size_t i = 0; i < pairs * lanes; ++i)
    bin[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>((2 * (N - differ[i]) + 1) * scale / divisor));
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t pair = 0; pair < pairs; ++pair) ++counts[lane * bins + bin[pair * lanes + lane]];
  if (link_sums == nullptr) return;
  const std::int32_t* links = measured.set_bits(Integer::link_overlap, 0);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t pair = 0; pair < pairs; ++pair)
      link_sums[lane * bins + bin[pair * lanes + lane]] += D * N - 2 * links[pair * lanes + lane];
}

template <class W, class T>
template <class F>
void SamplePacked<W, T>::for_each_sample(F f) const {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Group& group = groups_[k];
    for (int lane = group.first_lane; lane < group.end_lane; ++lane)
      f(k, lane, group.first_sample + static_cast<std::size_t>(lane - group.first_lane));
  }
}

/// Calls copy(in the word group, in the sums) for every number of the sums, in either direction.
template <class W, class T>
template <class Groups, class AllSums, class Copy>
void SamplePacked<W, T>::for_each_sum(Groups& groups, AllSums& sums, Copy copy) const {
  const std::size_t slots = own_.count, samples = system_.samples, R = replicas_, P = pairs_.size();
  const std::size_t bins = lists_.overlap_bins;
  for_each_sample([&](std::size_t g, int lane, std::size_t sample) {
    auto& state = groups[g].tempering;
    const auto copy_sums = [&](auto& mine, auto& all, std::size_t count, std::size_t slot, std::size_t width) {
      for (std::size_t q = 0; q < count; ++q)
        for (std::size_t i = 0; i < width; ++i)
          copy(mine[stored(own_.first + slot) * width + i][q * W::bits + lane],
               all[((q * slots + slot) * samples + sample) * width + i]);
    };
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::size_t k = stored(own_.first + slot);
      copy_sums(state.set_sums, sums.set, lists_.set.size(), slot, R);
      copy_sums(state.pair_sums, sums.pair, lists_.pair.size(), slot, P);
      for (std::size_t bin = 0; bin < bins; ++bin)
        copy(state.overlap_counts[k][static_cast<std::size_t>(lane) * bins + bin],
             sums.overlap_counts[(slot * samples + sample) * bins + bin]);
      for (std::size_t r = 0; r < R; ++r) {
        const std::size_t mine = r * W::bits + static_cast<std::size_t>(lane), all = (slot * samples + sample) * R + r;
        copy(state.flow_cold[k][mine], sums.flow_cold[all]);
        copy(state.flow_hot[k][mine], sums.flow_hot[all]);
        if (own_.first + slot + 1 < system_.slots()) copy(state.accepted[k][mine], sums.accepted[all]);
      }
    }
    for (std::size_t i = 0; i < own_links_.count * bins; ++i)
      copy(state.overlap_link_sums[i / bins][static_cast<std::size_t>(lane) * bins + i % bins],
           sums.overlap_link_sums[(i / bins * samples + sample) * bins + i % bins]);
    for (std::size_t r = 0; r < R; ++r) copy(state.round_trips[r * W::bits + lane], sums.round_trips[sample * R + r]);
  });
}

template <class W, class T>
Sums SamplePacked<W, T>::sums() const {
  if (!does_rounds()) return {};
  Sums all = empty_sums(system_, own_);
  for_each_sum(groups_, all, [](const auto& mine, auto& out) { out = mine; });
  return all;
}

template <class W, class T>
std::vector<FlowLabel> SamplePacked<W, T>::flow_labels() const {
  if (system_.slots() == 1) return {};
  std::vector<FlowLabel> labels(own_.count * system_.samples * replicas_);
  for_each_sample([&](std::size_t g, int lane, std::size_t sample) {
    const TemperingState<W>& state = groups_[g].tempering;
    for (std::size_t i = 0; i < own_.count * replicas_; ++i) {
      const std::size_t slot = i / replicas_, r = i % replicas_, k = stored(own_.first + slot);
      const bool cold = lane_of(state.from_cold[k][r], lane), hot = lane_of(state.from_hot[k][r], lane);
      labels[(slot * system_.samples + sample) * replicas_ + r] = flow_label(cold, hot);
    }
  });
  return labels;
}

template <class W, class T>
void SamplePacked<W, T>::restore(const std::vector<FlowLabel>& labels, const Sums& sums) {
  if (!sums.set.empty()) for_each_sum(groups_, sums, [](auto& mine, const auto& in) { mine = in; });
  if (labels.empty()) return;
  for_each_sample([&](std::size_t g, int lane, std::size_t sample) {
    TemperingState<W>& state = groups_[g].tempering;
    for (std::size_t i = 0; i < own_.count * replicas_; ++i) {
      const std::size_t slot = i / replicas_, r = i % replicas_, k = stored(own_.first + slot);
      const FlowLabel label = labels[(slot * system_.samples + sample) * replicas_ + r];
      set_lane(state.from_cold[k][r], lane, has_cold_bit(label));
      set_lane(state.from_hot[k][r], lane, has_hot_bit(label));
    }
  });
}

}  // namespace psflip::cpu
