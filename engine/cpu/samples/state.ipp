// Construction and measurement of SamplePacked; included at the end of sample_packed.hpp.
#pragma once
#include <omp.h>

#include <algorithm>

namespace psflip::cpu {

template <class W, class T>
SamplePacked<W, T>::SamplePacked(const System& system, const Share& share, int threads)
    : system_(system),
      own_(share.slots),
      stored_{own_.first - (own_.first > 0 ? 1 : 0), 0},
      domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, share.planes),
      replicas_(static_cast<std::uint32_t>(system.replicas)),
      threads_(threads),
      thresholds_(make_field_thresholds(system)),
      scheme_(cheapest_scheme<D>(thresholds_)),
      exchange_(make_exchange_table(system)),
      table_(make_fourier_table(system.L)),
      lists_(sum_lists_of(system)),
      own_links_(lists_.link_slots_among(own_)),
      groups_(divide_samples<W>(system)) {
  for (std::size_t a = 0; a < replicas_; ++a)
    for (std::size_t b = a + 1; b < replicas_ && lists_.pairs > 0; ++b) pairs_.push_back({a, b});
  stored_.count = std::min(own_.first + own_.count + 1, system.slots()) - stored_.first;
  for (int thread = 0; thread < threads_; ++thread) memories_.push_back(make_memory());
#pragma omp parallel for num_threads(threads_) schedule(dynamic)
  for (std::size_t k = 0; k < groups_.size(); ++k) start(groups_[k]);
}

template <class W, class T>
auto SamplePacked<W, T>::without_samples(System system, const Share& share) -> SamplePacked {
  system.first_sample = system.samples = 0;
  system.packs.clear();
  return SamplePacked(system, share, 1);
}

template <class W, class T>
double SamplePacked<W, T>::bytes(const System& system, const Share& share, int threads) {
  const SamplePacked lattices = without_samples(system, share);
  const Memory& memory = lattices.memories_[0];
  std::size_t of_thread = memory.moment.bytes();
  for (const auto* optional : {&memory.energies, &memory.summed})
    if (optional->has_value()) of_thread += (*optional)->bytes();
  Group group{};
  CountArrays count;
  lattices.for_each_array(group, count);
  return threads * static_cast<double>(of_thread) +
         static_cast<double>(word_groups_of<W>(system)) * (sizeof(Group) + count.bytes);
}

template <class W, class T>
template <class F>
void SamplePacked<W, T>::for_each_array(Group& group, F& f) const {
  const std::size_t sites = 2 * words_per_parity(), slots = stored_.count, lanes = W::bits;
  if (T::has_couplings) f(group.couplings, {sites, D});
  if (T::has_field_words) f(group.fields, {sites});
  f(group.spins, slots, {sites, replicas_});
  if (!does_rounds()) return;
  TemperingState<W>& state = group.tempering;
  f(state.from_cold, slots, {replicas_});
  f(state.from_hot, slots, {replicas_});
  f(state.bonds, slots, {replicas_, lanes});
  f(state.field_sums, slots, {replicas_, lanes});
  for_each_array_of_sums(state, f);
}

template <class W, class T>
template <class F>
void SamplePacked<W, T>::for_each_array_of_sums(TemperingState<W>& state, F& f) const {
  const std::size_t slots = stored_.count, lanes = W::bits;
  f(state.set_sums, slots * replicas_, {lists_.set.size(), lanes});
  f(state.pair_sums, slots * pairs_.size(), {lists_.pair.size(), lanes});
  f(state.overlap_counts, slots, {lists_.overlap_bins, lanes});
  f(state.overlap_link_sums, own_links_.count, {lists_.overlap_bins, lanes});
  f(state.accepted, slots, {replicas_, lanes});
  f(state.round_trips, {replicas_, lanes});
  f(state.flow_cold, slots, {replicas_, lanes});
  f(state.flow_hot, slots, {replicas_, lanes});
}

template <class W, class T>
auto SamplePacked<W, T>::make_memory() const -> Memory {
  IntegerSet measured, energies, summed;
  for (const IntegerInfo& info : integer_table)
    if (system_.measures(info.integer)) measured.add(info.integer);
  Memory memory{Measurement<W, T>(domain_, replicas_, measured, table_), {}, {}};
  if (!does_rounds()) return memory;
  energies.add(Integer::bond_sum);
  if (system_.has_field()) energies.add(Integer::field_sum);
  memory.energies.emplace(domain_, replicas_ / units(), energies, table_);
  if (system_.round.rounds_per_sum == 0) return memory;
  summed.add(Integer::magnetization);
  if (lists_.has(sum_K)) summed.add(Integer::magnetization_k2);
  if (lists_.has(sum_Q)) summed.add(Integer::overlap);
  if (lists_.has(sum_QK)) summed.add(Integer::overlap_k2);
  if (lists_.has(sum_link)) summed.add(Integer::link_overlap);
  memory.summed.emplace(domain_, replicas_, summed, table_);
  return memory;
}

template <class W, class T>
std::size_t SamplePacked<W, T>::slot_bytes() const {
  const WordGroup<W>& group = groups_[0];
  return sizeof(W) * (group.spins[0].size() + group.couplings.size() + group.fields.size());
}

template <class W, class T>
std::size_t SamplePacked<W, T>::batch_bytes() const {
  return slot_bytes() + sizeof(W) * (stored_.count - 1) * groups_[0].spins[0].size();
}

template <class W, class T>
void SamplePacked<W, T>::start(Group& group) const {
  const std::size_t sites_of_parity = words_per_parity();
  const MakeArrays make;
  for_each_array(group, make);
  if (T::has_couplings && system_.couplings == Couplings::bimodal) draw_couplings(group);
  if (T::has_field_words)
    draw(group, disorder_key(system_, Stream::fields), 0, 0,
         [&](std::uint32_t parity, std::size_t i, const Four<W>& u) {
           group.fields[parity * sites_of_parity + i] = u.x[0];
         });
  if (system_.start == Start::random)
    for (std::size_t slot = own_.first; slot < own_.first + own_.count; ++slot) fill_spins(group, slot);
  if (does_rounds()) start_labels(group.tempering);
}

/// Compact index in the full lattice of site i in memory.
template <class W, class T>
std::uint32_t SamplePacked<W, T>::address_of(std::uint32_t i) const {
  const std::uint32_t plane = domain_.sites_in_plane() / 2;
  return domain_.plane(i / plane) * plane + i % plane;
}

/// Calls store(parity, site in memory, words) for all stored sites.
template <class W, class T>
template <class Store>
void SamplePacked<W, T>::draw(const Group& group, Key key, std::size_t slot, std::uint32_t group_of_words,
                              Store store) const {
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const PackNumbers<W> numbers(key, parity, group.packs, slot);
    for (std::uint32_t i = 0; i < words_per_parity(); ++i)
      store(parity, std::size_t{i}, numbers.words(address_of(i), group_of_words));
  }
}

template <class W, class T>
void SamplePacked<W, T>::draw_couplings(Group& group) const {
  const Key key = disorder_key(system_, Stream::couplings);
  const auto bonds = [&](std::uint32_t parity) { return &group.couplings[parity * words_per_parity() * D]; };
  if (system_.p == 0.5)
    return draw(group, key, 0, 0, [&](std::uint32_t parity, std::size_t i, const Four<W>& u) {
      std::copy_n(u.x, D, bonds(parity) + i * D);
    });
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    draw_random_bonds<D>(group.packs, key, parity, bond_threshold(system_), words_per_parity(), bonds(parity),
                         [&](std::uint32_t i) { return address_of(i); });
}

template <class W, class T>
void SamplePacked<W, T>::fill_spins(Group& group, std::size_t slot) const {
  W* spins = group.spins[stored(slot)].data();
  for (std::uint32_t first = 0; first < replicas_; first += 4)
    draw(group, trajectory_key(system_, Stream::initial_spins), slot, first / 4,
         [&](std::uint32_t parity, std::size_t i, const Four<W>& u) {
           const std::uint32_t count = std::min(4u, replicas_ - first);
           std::copy_n(u.x, count, spins + (parity * words_per_parity() + i) * replicas_ + first);
         });
}

template <class W, class T>
SlotView<W> SamplePacked<W, T>::slot_view(const Group& group, std::size_t slot, std::size_t first_replica) const {
  SlotView<W> view{};
  view.replicas = replicas_;
  for (std::size_t parity = 0; parity < 2; ++parity) {
    const std::size_t first = parity * words_per_parity();
    view.spins[parity] = group.spins[stored(slot)].data() + first * replicas_ + first_replica;
    if (T::has_couplings) view.couplings[parity] = group.couplings.data() + first * D;
    if (T::has_field_words) view.fields[parity] = group.fields.data() + first;
  }
  return view;
}

template <class W, class T>
Observation SamplePacked<W, T>::observe() const {
  Observation o = memories_[0].moment.empty_observation(system_.samples);
#pragma omp parallel num_threads(threads_)
  {
    Measurement<W, T>& measurement = memory(omp_get_thread_num()).moment;
#pragma omp for schedule(dynamic)
    for (std::size_t k = 0; k < groups_.size(); ++k) {
      const Group& group = groups_[k];
      measurement.measure(slot_view(group, own_.first, 0));
      measurement.store(static_cast<std::size_t>(group.first_lane),
                        static_cast<std::size_t>(group.end_lane - group.first_lane), group.first_sample, o);
    }
  }
  return o;
}

}  // namespace psflip::cpu
