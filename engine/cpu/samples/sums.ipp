// Sums and flow labels of SamplePacked; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

template <class W, class T>
void SamplePacked<W, T>::clear_sums(Group& group) const {
  TemperingState<W>& state = group.tempering;
  const std::size_t slots = stored_.count, lanes = replicas_ * W::bits;
  state.set_sums.assign(slots * replicas_, std::vector<double>(psflip::set_sums * W::bits, 0.0));
  state.pair_sums.assign(slots, std::vector<double>(psflip::pair_sums * W::bits, 0.0));
  state.accepted.assign(slots, std::vector<std::int32_t>(lanes, 0));
  state.round_trips.assign(lanes, 0);
}

template <class W, class T>
void SamplePacked<W, T>::clear_sums() {
  if (!does_rounds()) return;
  for (Group& group : groups_) clear_sums(group);
}

/// Adds value(lane)[i] to sums[i * bits + lane] for i = I, I + 1, ...: one loop for each sum, which is a vector loop
/// if `values` is inlined into it.
template <class W, int I, int COUNT, class Values>
PSFLIP_INLINE void add_values(double* sums, Values values) {
  double* sum = sums + I * W::bits;
#pragma omp simd
  for (int lane = 0; lane < W::bits; ++lane) {
    double value[COUNT];
    values(lane, value);
    sum[lane] = rounded_sum(sum[lane], value[I]);
  }
  if constexpr (I + 1 < COUNT) add_values<W, I + 1, COUNT>(sums, values);
}

/// Measures a slot; its energies are those of the last sweep. The pair of replicas 0 and 1 has sums.
template <class W, class T>
void SamplePacked<W, T>::add_to_sums(Group& group, std::size_t slot, Memory& memory) const {
  Measurement<W, T>& measured = *memory.summed;
  TemperingState<W>& state = group.tempering;
  const auto N = static_cast<std::int32_t>(domain_.sites());
  const std::size_t k = stored(slot);
  measured.measure(slot_view(group, slot, 0));
  for (std::size_t r = 0; r < replicas_; ++r) {
    const std::int32_t *B = &state.bonds[k][r * W::bits], *F = &state.field_sums[k][r * W::bits];
    const std::int32_t* minus = measured.set_bits(Integer::magnetization, r);
    const std::int64_t* k2 = measured.k2(Integer::magnetization_k2, r);
    const auto values = [&](int lane, double(&value)[psflip::set_sums]) __attribute__((always_inline)) {
      set_values(B[lane], F[lane], N - 2 * minus[lane], k2[lane], value);
    };
    add_values<W, 0, psflip::set_sums>(state.set_sums[k * replicas_ + r].data(), values);
  }
  if (replicas_ < 2) return;
  alignas(64) std::int64_t k2[W::bits];
  measured.k2_product(Integer::magnetization_k2, 0, 1, k2);
  const std::int32_t* differ = measured.set_bits(Integer::overlap, 0);
  const std::int32_t* minus[2] = {measured.set_bits(Integer::magnetization, 0),
                                  measured.set_bits(Integer::magnetization, 1)};
  const auto values = [&](int lane, double(&value)[psflip::pair_sums]) __attribute__((always_inline)) {
    pair_values(N - 2 * differ[lane], N - 2 * minus[0][lane], N - 2 * minus[1][lane], k2[lane], value);
  };
  add_values<W, 0, psflip::pair_sums>(state.pair_sums[k].data(), values);
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
  const std::size_t slots = own_.count, samples = system_.samples, R = replicas_;
  for_each_sample([&](std::size_t g, int lane, std::size_t sample) {
    auto& state = groups[g].tempering;
    for (std::size_t i = 0; i < slots * R; ++i) {
      const std::size_t slot = i / R, r = i % R, k = stored(own_.first + slot), index = sample * R + r;
      for (std::size_t q = 0; q < psflip::set_sums; ++q)
        copy(state.set_sums[k * R + r][q * W::bits + lane], sums.set[(q * slots + slot) * samples * R + index]);
      if (own_.first + slot + 1 < system_.slots())
        copy(state.accepted[k][r * W::bits + lane], sums.accepted[slot * samples * R + index]);
    }
    for (std::size_t slot = 0; slot < slots; ++slot)
      for (std::size_t q = 0; q < psflip::pair_sums; ++q)
        copy(state.pair_sums[stored(own_.first + slot)][q * W::bits + lane],
             sums.pair[(q * slots + slot) * samples + sample]);
    for (std::size_t r = 0; r < R; ++r) copy(state.round_trips[r * W::bits + lane], sums.round_trips[sample * R + r]);
  });
}

template <class W, class T>
Sums SamplePacked<W, T>::sums() const {
  if (!does_rounds()) return {};
  Sums all = empty_sums(system_, own_.count, std::min(own_.count, system_.slots() - 1 - own_.first));
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
      labels[(slot * system_.samples + sample) * replicas_ + r] = cold  ? FlowLabel::from_cold
                                                                  : hot ? FlowLabel::from_hot
                                                                        : FlowLabel::none;
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
      set_lane(state.from_cold[k][r], lane, label == FlowLabel::from_cold);
      set_lane(state.from_hot[k][r], lane, label == FlowLabel::from_hot);
    }
  });
}

}  // namespace psflip::cpu
