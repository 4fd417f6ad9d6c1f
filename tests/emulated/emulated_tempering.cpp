#include "emulated_tempering.hpp"

#include "emulated_lattices.hpp"
#include "engine/cuda/measure/count_kernels.cuh"
#include "engine/cuda/measure/sum_kernel.cuh"
#include "engine/cuda/sweep/choose_decision.cuh"
#include "engine/cuda/tempering/member/known_slots.cuh"
#include "engine/cuda/tempering/member/measured_sums_kernels.cuh"
#include "engine/cuda/tempering/member/slot_cube_kernel.cuh"
#include "engine/cuda/tempering/member/slot_member_kernel.cuh"
#include "engine/cuda/tempering/member/sums_kernel.cuh"
#include "engine/cuda/tempering/start_kernel.cuh"
#include "engine/cuda/tempering/swap_kernel.cuh"
#include "engine/cuda/update/start_samples.cuh"
#include "engine/models/tables.hpp"

namespace psflip::cuda {
namespace {

template <class T>
class EmulatedTempering final : public Engine {
  static constexpr int D = T::dimension;
  static constexpr bool is_cubic_glass = D == 3 && T::has_couplings && !T::has_field;  ///< has z-sweeps

 public:
  EmulatedTempering(const System& system, bool persistent)
      : Engine(system),
        system_(system),
        persistent_(persistent),
        lists_(sum_lists_of(system)),
        packs_(system.pack_numbers()),
        table_(make_fourier_table(system.L)),
        exchange_(make_exchange_table(system)),
        sets_(static_cast<std::uint32_t>(system.replicas)),
        pairs_(static_cast<std::uint32_t>(lists_.pairs)),
        shape_{static_cast<std::uint32_t>(system.L),
               static_cast<std::uint32_t>(system.sites() / 2),
               sets_,
               0,
               static_cast<std::uint32_t>(system.slots()),
               static_cast<std::uint32_t>(packs_.size()),
               static_cast<std::uint32_t>(system.sites() / 2),
               sets_ * static_cast<std::uint32_t>(system.sites() / 2),
               packs_.data()},
        spins_(shape_.spins(shape_.packs, 0)),
        couplings_(shape_.couplings(shape_.packs, D)),
        fields_(shape_.fields(shape_.packs)),
        masks_(shape_.unit(shape_.packs, 0, 0)),
        from_cold_(masks_.size()),
        from_hot_(masks_.size()) {
    start_disorder();
    if (system.start == Start::random) start_spins();
    for (std::uint32_t pack = 0; pack < shape_.packs; ++pack)
      for (std::uint32_t set = 0; set < sets_; ++set) {
        const std::size_t hottest = shape_.unit(pack, shape_.slots - 1, set);
        from_cold_[hottest] = from_hot_[hottest] = from_cold_[shape_.unit(pack, 0, set)] = ~0u;
      }
    link_places_.assign(shape_.slots, -1);
    for (std::size_t i = 0; i < lists_.link_slots.size(); ++i) link_places_[lists_.link_slots[i]] = static_cast<int>(i);
    clear_sums();
  }

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override {
    for (const std::uint64_t end = rounds_ + rounds; rounds_ < end; ++rounds_) round();
  }
  Sums sums() const override;
  void clear_sums() override {
    const std::size_t lanes = shape_.lanes();
    set_sums_.assign(lanes * shape_.units() * lists_.set.size(), 0);
    pair_sums_.assign(lanes * shape_.slots * pairs_ * lists_.pair.size(), 0);
    overlap_counts_.assign(lanes * shape_.slots * lists_.overlap_bins, 0);
    overlap_link_sums_.assign(lanes * lists_.link_slots.size() * lists_.overlap_bins, 0);
    accepted_.assign(lanes * shape_.units(), 0);
    round_trips_.assign(lanes * sets_, 0);
    flow_cold_.assign(lanes * shape_.units(), 0);
    flow_hot_ = flow_cold_;
  }
  PackedSigns packed_spins(std::size_t slot) const override {
    return rows(spins_.data() + shape_.spins(0, static_cast<std::uint32_t>(slot)), shape_.spins(1, 0), sets_);
  }
  PackedSigns packed_couplings() const override {
    return T::has_couplings ? rows(couplings_.data(), shape_.couplings(1, D), D) : PackedSigns();
  }
  PackedSigns packed_fields() const override {
    return T::has_field_words ? rows(fields_.data(), shape_.fields(1), 1) : PackedSigns();
  }
  std::vector<FlowLabel> flow_labels() const override;
  void restore_spins(std::size_t, const PackedSigns&) override { throw std::logic_error("not used"); }
  void restore_disorder(const PackedSigns&, const PackedSigns&) override { throw std::logic_error("not used"); }
  void restore(std::uint64_t, const std::vector<FlowLabel>&, const Sums&) override {
    throw std::logic_error("not used");
  }

 private:
  std::size_t lane_of(std::size_t sample) const { return system_.first_lane() + sample; }
  void start_disorder();
  void start_spins() {
    launch({blocks_for(shape_.sites, 256), shape_.slots, shape_.packs}, 256,
           [&] { fill_slots_kernel(spins_.data(), shape_, trajectory_key(system_, Stream::initial_spins)); });
  }
  /// Rows [sample][array] of arrays in the order [parity][array][site] of each pack.
  PackedSigns rows(const std::uint32_t* words, std::size_t per_pack, std::size_t arrays) const;

  BinSums bin_sums() {
    return {set_sums_.data(), pair_sums_.data(),         overlap_counts_.data(), flow_cold_.data(),
            flow_hot_.data(), overlap_link_sums_.data(), link_places_.data()};
  }
  MemberWords member_words() { return {spins_.data(), couplings_.data(), fields_.data(), shape_}; }
  void round();
  EnergyCounts energies_of(std::vector<int>& counts, std::uint32_t stride) const;
  void sweep(const EnergyCounts& energies);
  template <class Decision>
  void sweep_group(std::uint32_t first_set, const std::vector<Decision>& decisions, const EnergyCounts& energies);
  template <int L, class Decision>
  void sweep_cubes(const MemberSweep& job, const Decision* decisions, const EnergyCounts& energies);
  template <class Decision>
  void sweep_members(const MemberSweep& job, const Decision* decisions);
  /// A size with a kernel of its own for lattices without couplings, in two blocks.
  using Known = std::conditional_t<D == 2, KnownMember<2, 32, 2, 4>, KnownMember<3, 8, 2, 2>>;
  void sweep_known();
  void count(const SlotCountJob& job);
  template <class X>
  void count_sum(const SlotCountJob& job, std::uint32_t width, int* counts);
  void exchange(const EnergyCounts& energies);
  void add_sums(const EnergyCounts& energies);
  void add_measured_sums(const SlotCountJob& job, const SlotSums& sums, const EnergyCounts& energies);
  CountRows rows_of(std::uint32_t spins, std::uint32_t pairs) const { return {shape_.L, D, sets_, spins, pairs}; }
  SlotCountJob job_of(const CountRows& rows, std::uint32_t stride, std::vector<int>& counts) {
    return {member_words(), 0,      shape_.slots,  0,   shape_.slots * shape_.packs, {0, shape_.L},
            rows,           stride, counts.data(), true};
  }

  System system_;
  bool persistent_;
  SumLists lists_;
  std::vector<std::uint64_t> packs_;
  FourierTable table_;
  ExchangeTable exchange_;
  std::uint32_t sets_, pairs_;
  TemperingShape shape_;
  Words32 spins_, couplings_, fields_, masks_, from_cold_, from_hot_;
  std::vector<int> accepted_, round_trips_, overlap_counts_, flow_cold_, flow_hot_;
  std::vector<unsigned long long> overlap_link_sums_;
  std::vector<int> link_places_;
  std::vector<double> set_sums_, pair_sums_;
  std::uint64_t rounds_ = 0;
};

template <class T>
void EmulatedTempering<T>::start_disorder() {
  for (std::uint32_t pack = 0; pack < shape_.packs; ++pack) {
    Layout layout{shape_.L, shape_.sites, D, packs_[pack]};
    const Addresses addresses{0, shape_.sites};
    const Key key = disorder_key(system_, Stream::couplings);
    const emulated::Index grid{blocks_for(shape_.sites, 256), 1};
    std::uint32_t* words = couplings_.data() + shape_.couplings(pack, D);
    if (T::has_couplings && system_.p == 0.5)
      launch(grid, 256, [&] { fill_words_kernel(words, layout, addresses, key); });
    else if (T::has_couplings)
      launch(grid, 256, [&] { fill_bonds_kernel(words, layout, addresses, key, bond_threshold(system_)); });
    layout.replicas = 1;
    const Key of_fields = disorder_key(system_, Stream::fields);
    if (T::has_field_words)
      launch(grid, 256, [&] { fill_words_kernel(fields_.data() + shape_.fields(pack), layout, addresses, of_fields); });
  }
}

template <class T>
PackedSigns EmulatedTempering<T>::rows(const std::uint32_t* words, std::size_t per_pack, std::size_t arrays) const {
  const std::size_t sites = system_.sites(), L = shape_.L;
  PackedSigns packed(system_.samples * arrays, sites);
  for (std::size_t sample = 0; sample < system_.samples; ++sample) {
    const std::size_t lane = lane_of(sample);
    for (std::size_t array = 0; array < arrays; ++array) {
      for (std::size_t site = 0; site < sites; ++site) {
        const std::size_t parity = (site % L + site / L % L + site / L / L) & 1u;
        const std::size_t word = lane / 32 * per_pack + (parity * arrays + array) * shape_.sites + site / 2;
        packed.row(sample * arrays + array)[site / 32] |= ((words[word] >> (lane % 32)) & 1u) << (site % 32);
      }
    }
  }
  return packed;
}

template <class T>
void EmulatedTempering<T>::round() {
  const CountRows rows = rows_of(0, 0);
  const std::uint32_t stride = rows.count() + (T::has_field_words ? sets_ : 0);
  std::vector<int> counts(std::size_t{32} * stride * shape_.slots * shape_.packs);
  const EnergyCounts energies = energies_of(counts, stride);
  sweep(energies);
  const SlotCountJob job = job_of(rows, stride, counts);
  if (!(persistent_ && is_cubic_glass)) count(job);  // else the sweeps have counted them
  if constexpr (T::has_field_words) count_sum<FieldSum>(job, sets_, counts.data() + 32 * rows.count());
  exchange(energies);
  if (system_.is_summed(rounds_)) add_sums(energies);
}

template <class T>
void EmulatedTempering<T>::sweep(const EnergyCounts& energies) {
  if constexpr (!T::has_couplings)
    if (persistent_ && shape_.L == Known::L) return sweep_known();
  const auto with = [&]<class Decision>(std::uint32_t first, auto make) {
    std::vector<Decision> decisions;
    for (const double beta : system_.betas) decisions.push_back(make(beta));
    sweep_group<Decision>(first, decisions, energies);
  };
  if constexpr (T::has_field) {
    for (std::uint32_t set = 0; set < sets_; ++set)
      with.template operator()<SiteFieldDecision<T>>(set, [&](double beta) {
        return SiteFieldDecision<T>(make_field_thresholds(system_, beta), system_.random == Random::shared);
      });
  } else {
    for_each_group(sets_, [&]<int G>(std::uint32_t first) {
      if (system_.random == Random::shared)
        return with.template operator()<SharedDecision<G, D>>(
            first, [&](double beta) { return SharedDecision<G, D>{make_thresholds(beta, D)}; });
      using Decision = IndependentDecision<G, D, 0, !is_cubic_glass>;
      with.template operator()<Decision>(first, [&](double beta) { return Decision(make_thresholds(beta, D)); });
    });
  }
}

template <class T>
template <class Decision>
void EmulatedTempering<T>::sweep_group(std::uint32_t first_set, const std::vector<Decision>& decisions,
                                       const EnergyCounts& energies) {
  const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps);
  const KeySchedule keys(trajectory_key(system_, Stream::metropolis));
  MemberSweep job{member_words(), 0,        shape_.slots, half_sweeps * static_cast<std::uint32_t>(rounds_),
                  half_sweeps,    first_set};
  if constexpr (is_cubic_glass) {
    if (persistent_) {
      if constexpr (std::is_same_v<Decision, SharedDecision<4>>) {  // sizes with kernels of their own
        if (shape_.L == 8) return sweep_cubes<8>(job, decisions.data(), energies);
        if (shape_.L == 12) return sweep_cubes<12>(job, decisions.data(), energies);
        if (shape_.L == 16) return sweep_cubes<16>(job, decisions.data(), energies);
        if (shape_.L == 20) return sweep_cubes<20>(job, decisions.data(), energies);
      }
      return sweep_cubes<0>(job, decisions.data(), energies);
    }
  } else if (persistent_) {
    return sweep_members(job, decisions.data());
  }
  for (std::uint32_t k = 0; k < half_sweeps; ++k, ++job.first_half_sweep) {
    if constexpr (is_cubic_glass) {
      const std::uint32_t columns = blocks_for(shape_.L * shape_.L / 2, z_sweep_threads);
      launch({columns * blocks_for(shape_.L, slab_segment), shape_.slots, shape_.packs}, z_sweep_threads,
             [&] { slot_z_sweep_kernel<T, Decision>(job, keys, decisions.data()); });
    } else {
      launch({blocks_for(shape_.sites, 64), shape_.slots, shape_.packs}, 64,
             [&] { member_half_sweep_kernel<T, Decision>(job, keys, decisions.data()); });
    }
  }
}

/// With the couplings in shared memory up to L = 16, as on a GPU.
template <class T>
template <int L, class Decision>
void EmulatedTempering<T>::sweep_cubes(const MemberSweep& job, const Decision* decisions,
                                       const EnergyCounts& energies) {
  using Known = KnownSlotCube<L>;
  const KeySchedule keys(trajectory_key(system_, Stream::metropolis));
  const CubicShape shape = L != 0 ? Known::shape : slot_cube_shape(shape_.L, unknown_threads);
  const bool couplings = shape_.L <= 16;
  const std::size_t words = slot_cube_bytes(shape_.L, Decision::group, couplings) / 4;
  const std::uint32_t threads = (shape.threads + 31) / 32 * 32;  // the emulator runs complete warps
  launch(
      {shape_.slots, shape_.packs}, threads,
      [&] {
        if (couplings)
          slot_cube_kernel<T, Known, Decision, true>(job, keys, decisions, shape, energies);
        else
          slot_cube_kernel<T, Known, Decision, false>(job, keys, decisions, shape, energies);
      },
      1, words);
}

/// Rounds alternate between couplings in shared and in global memory, and between one warp and two: so few that each
/// thread has several segments of columns. Few places in the queue, so that some lanes find none.
template <class T>
template <class Decision>
void EmulatedTempering<T>::sweep_members(const MemberSweep& job, const Decision* decisions) {
  const KeySchedule keys(trajectory_key(system_, Stream::metropolis));
  const std::uint32_t threads = rounds_ / 2 % 2 == 0 ? 32 : 64;
  const SlotMember<T, Decision> block(shape_.L, threads, T::has_couplings && rounds_ % 2 == 0, 3, std::size_t{1} << 20);
  launch(
      {shape_.slots, shape_.packs}, block.shape.threads,
      [&] {
        if (block.couplings)
          slot_member_kernel<T, Decision, true>(job, keys, decisions, block.shape);
        else
          slot_member_kernel<T, Decision, false>(job, keys, decisions, block.shape);
      },
      1, block.bytes / 4);
}

/// One cluster takes all lattices in turn.
template <class T>
void EmulatedTempering<T>::sweep_known() {
  const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps);
  const MemberSweep job{member_words(), 0, shape_.slots, half_sweeps * static_cast<std::uint32_t>(rounds_),
                        half_sweeps,    0};
  const std::vector<FieldThresholds> fields = make_field_thresholds(system_);
  with_scheme<T>(cheapest_scheme<D>(fields), [&]<class Scheme>() {
    using Decision = ReplicaDecision<T, Scheme>;
    const std::vector<Decision> decisions(fields.begin(), fields.end());
    const std::uint32_t lattices = shape_.packs * shape_.units();
    Words32 done(lattices);
    const Schedule schedule{{lattices, 1, job.first_half_sweep, half_sweeps}, done.data()};
    const SetsOfSlots<T, Decision> sets{job, decisions.data()};
    emulated::run({Known::blocks, Known::threads, known_member_bytes<Known, Decision> / 4}, next_seed(), [&] {
      known_member_kernel<Known>(sets, KeySchedule(trajectory_key(system_, Stream::metropolis)), schedule);
    });
  });
}

template <class T>
void EmulatedTempering<T>::count(const SlotCountJob& job) {
  const auto traversals = traversals_for<D>(job.rows, job.planes, job.packs);
  const std::uint32_t warps = CountItems(job.rows, traversals).count();
  with_replicas_together(job.rows.replicas, [&]<int R>() {
    launch(
        {(warps + count_warps - 1) / count_warps, job.packs}, 32 * count_warps,
        [&] { count_kernel<T, R, SlotCountJob>(job, traversals); }, count_warps);
  });
}

template <class T>
template <class X>
void EmulatedTempering<T>::count_sum(const SlotCountJob& job, std::uint32_t width, int* counts) {
  const Traversal traversal = traversals_for<D>(job.rows, job.planes, job.packs).last();
  const std::uint32_t warps = std::clamp(width, 1u, 8u);
  launch(
      {traversal.warp_traversals(), job.packs}, 32 * warps,
      [&] { sum_kernel<T, X, SlotCountJob>(job, traversal, width, counts); }, warps);
}

template <class T>
EnergyCounts EmulatedTempering<T>::energies_of(std::vector<int>& counts, std::uint32_t stride) const {
  const CountRows rows = rows_of(0, 0);
  const std::size_t of_slot = std::size_t{32} * stride;
  return {counts.data(),
          of_slot * shape_.slots,
          of_slot,
          32,
          std::size_t{32} * rows.unsatisfied_bonds(0),
          std::size_t{32} * (T::has_field_words ? rows.count() : rows.minus_spins(0))};
}

template <class T>
void EmulatedTempering<T>::exchange(const EnergyCounts& energies) {
  const FlowLabels labels{from_cold_.data(), from_hot_.data(), accepted_.data(), round_trips_.data()};
  const BinSums sums = bin_sums();
  const auto round = static_cast<std::uint32_t>(rounds_);
  launch(
      {shape_.packs, sets_}, 256,
      [&] {
        exchange_kernel(shape_, trajectory_key(system_, Stream::exchange), round, exchange_.weights.data(),
                        exchange_.shift, energies, masks_.data(), labels, sums);
      },
      8);
  const std::uint32_t cold = round % 2;
  if (cold + 1 >= shape_.slots) return;
  const std::uint32_t pairs = (shape_.slots - cold) / 2;
  launch({blocks_for(shape_.sites / 2, 256), pairs * 2 * sets_, shape_.packs}, 256,
         [&] { swap_slots_kernel(reinterpret_cast<uint2*>(spins_.data()), shape_, cold, masks_.data()); });
}

template <class T>
void EmulatedTempering<T>::add_sums(const EnergyCounts& energies) {
  const CountRows rows = rows_of(lists_.has(sum_K) || lists_.has(sum_MK_MK) ? sets_ : 0, pairs_);
  const std::uint32_t links = rows.count() + (T::has_field_words ? sets_ : 0);
  SlotSums sums{{},
                bin_sums(),
                T::has_field_words ? static_cast<std::int32_t>(rows.count()) : -1,
                lists_.has(sum_link) ? static_cast<std::int32_t>(links) : -1,
                table_.cosine.data(),
                table_.sine.data(),
                static_cast<std::int32_t>(lists_.overlap_bins)};
  const auto place = [](const auto& list, auto& places) {
    std::fill(std::begin(places), std::end(places), std::int8_t{-1});
    for (std::size_t i = 0; i < list.size(); ++i) places[list[i]] = static_cast<std::int8_t>(i);
  };
  place(lists_.set, sums.places.set);
  place(lists_.pair, sums.places.pair);
  std::vector<int> counts(std::size_t{32} * (links + pairs_) * shape_.slots * shape_.packs);
  const SlotCountJob job = job_of(rows, links + pairs_, counts);
  if constexpr (T::has_couplings && !T::has_field)
    if (persistent_ && are_measured(sets_, sums.places)) return add_measured_sums(job, sums, energies);
  count(job);
  if constexpr (T::has_field_words) count_sum<FieldSum>(job, sets_, counts.data() + 32 * rows.count());
  if constexpr (T::has_couplings) count_sum<LinkOverlap>(job, pairs_, counts.data() + std::size_t{32} * links);
  launch(
      {job.packs}, 256, [&] { slot_sums_kernel<D>(job, sums); }, 8);
}

template <class T>
void EmulatedTempering<T>::add_measured_sums(const SlotCountJob& job, const SlotSums& sums,
                                             const EnergyCounts& energies) {
  const EnergiesBefore before{energies, {masks_.data(), static_cast<std::uint32_t>(rounds_) % 2}};
  const auto start = [&](std::uint32_t threads, std::size_t bytes, auto kernel) {
    launch(
        {job.packs}, threads, [&] { kernel(job, sums, before); }, 1, bytes / 4);
  };
  if constexpr (D == 2) return start(SquareSize::threads, SquareSize{shape_.L}.bytes(), square_sums_kernel);
  with_cube_size(
      shape_.L, [&]<int L>() { start(CubeSize<L>::threads, sizeof(CubeCounts<L>), cube_sums_kernel<L>); },
      MeasuredCubes{});
}

template <class T>
Sums EmulatedTempering<T>::sums() const {
  Sums all = empty_sums(system_);
  const std::size_t slots = shape_.slots, samples = system_.samples, lanes = shape_.lanes(), bins = lists_.overlap_bins;
  const auto copy = [&](const auto& mine, auto& out, std::size_t rows, std::size_t width) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t sample = 0; sample < samples; ++sample)
        for (std::size_t k = 0; k < width; ++k)
          out[(i * samples + sample) * width + k] = mine[(i * width + k) * lanes + lane_of(sample)];
  };
  copy(set_sums_, all.set, lists_.set.size() * slots, sets_);
  copy(pair_sums_, all.pair, lists_.pair.size() * slots, pairs_);
  copy(accepted_, all.accepted, slots - 1, sets_);
  copy(round_trips_, all.round_trips, 1, sets_);
  copy(flow_cold_, all.flow_cold, slots, sets_);
  copy(flow_hot_, all.flow_hot, slots, sets_);
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (std::size_t sample = 0; sample < samples; ++sample)
      for (std::size_t bin = 0; bin < bins; ++bin)
        all.overlap_counts[(slot * samples + sample) * bins + bin] =
            overlap_counts_[(slot * lanes + lane_of(sample)) * bins + bin];
  for (std::size_t i = 0; i < lists_.link_slots.size() * bins; ++i)
    for (std::size_t sample = 0; sample < samples; ++sample)
      all.overlap_link_sums[(i / bins * samples + sample) * bins + i % bins] =
          static_cast<std::int64_t>(overlap_link_sums_[(i / bins * lanes + lane_of(sample)) * bins + i % bins]);
  return all;
}

template <class T>
std::vector<FlowLabel> EmulatedTempering<T>::flow_labels() const {
  std::vector<FlowLabel> labels;
  for (std::uint32_t slot = 0; slot < shape_.slots; ++slot) {
    for (std::size_t sample = 0; sample < system_.samples; ++sample) {
      for (std::uint32_t set = 0; set < sets_; ++set) {
        const std::size_t lane = lane_of(sample), unit = shape_.unit(static_cast<std::uint32_t>(lane / 32), slot, set);
        labels.push_back(flow_label((from_cold_[unit] >> (lane % 32)) & 1u, (from_hot_[unit] >> (lane % 32)) & 1u));
      }
    }
  }
  return labels;
}

}  // namespace

std::unique_ptr<Engine> emulated_tempering(const System& system, bool persistent) {
  return with_traits(system.preset(), [&]<class T>() -> std::unique_ptr<Engine> {
    return std::make_unique<EmulatedTempering<T>>(system, persistent);
  });
}

}  // namespace psflip::cuda
