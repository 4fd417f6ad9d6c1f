#include <optional>
#include <span>
#include <stdexcept>

#include "emulated_lattices.hpp"
#include "engine/cuda/measure/count_kernels.cuh"
#include "engine/cuda/measure/measure_kernel.cuh"
#include "engine/cuda/measure/reduce_kernel.cuh"
#include "engine/cuda/measure/sum_kernel.cuh"
#include "engine/cuda/sweep/choose_decision.cuh"
#include "engine/cuda/sweep/half_sweep/half_sweep_kernel.cuh"
#include "engine/cuda/sweep/half_sweep/slab_sweeps_kernel.cuh"
#include "engine/cuda/sweep/half_sweep/slab_z_sweep_kernel.cuh"
#include "engine/cuda/sweep/persistent/known_member_kernel.cuh"
#include "engine/cuda/sweep/persistent/member_kernel.cuh"
#include "engine/cuda/sweep/persistent/persistent_kernel.cuh"
#include "engine/cuda/update/start_samples.cuh"
#include "engine/models/tables.hpp"

namespace psflip::cuda {
namespace {

/// The linear size for which kernels of known sizes are emulated.
template <int D>
inline constexpr std::uint32_t known_size = D == 2 ? 32 : 8;

template <class T>
class EmulatedSamples final : public EmulatedLattices {
  static constexpr int D = T::dimension;
  static constexpr bool is_cubic_glass = D == 3 && T::has_couplings && !T::has_field;  ///< has z-sweeps

 public:
  EmulatedSamples(const System& system, const Planes& planes)
      : system_(system),
        planes_(planes),
        domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, planes),
        layout_{domain_.L, domain_.stored_per_parity(), static_cast<std::uint32_t>(system.replicas),
                system.first_sample / 32},
        packs_(static_cast<std::uint32_t>(system.pack_numbers().size())),
        keys_(trajectory_key(system, Stream::metropolis)),
        metropolis_{system.random == Random::shared, make_thresholds(system.betas[0], D),
                    make_field_thresholds(system, system.betas[0])},
        spins_(std::size_t{2} * packs_ * layout_.sites * layout_.replicas),
        couplings_(std::size_t{2} * D * packs_ * layout_.sites),
        fields_(std::size_t{2} * packs_ * layout_.sites) {
    if (system.start == Start::random) fill(spins_, layout_.replicas, trajectory_key(system, Stream::initial_spins));
    if (T::has_couplings && system.couplings == Couplings::bimodal) fill_couplings();
    if (T::has_field_words) fill(fields_, 1, disorder_key(system, Stream::fields));
  }

  PlaneMemory memory() override { return {spins_.data(), packs_, layout_.replicas, planes_.count, plane()}; }
  void update_all(std::uint32_t h) override {
    update(h, PlaneSegments::all(layout_.L, is_cubic_glass ? slab_segment : layout_.L));
  }
  void update_all_in_shared_memory(std::uint32_t first, std::uint32_t count) override {
    if constexpr (is_cubic_glass) {
      for_each_cubic_decision([&](const auto& decide, std::uint32_t replica) {
        if (!keep_cube_in_shared_memory(decide.queued(), replica, first, count))
          for (std::uint32_t h = first; h != first + count; ++h)
            update_planes(h, PlaneSegments::all(layout_.L, slab_segment), replica, decide.queued());
      });
    } else {
      if constexpr (!T::has_couplings)
        if (layout_.L == known_size<D>) return keep_known_in_shared_memory(first, count);
      for_each_decision<T>(layout_.replicas, metropolis_, [&](const auto& decide, std::uint32_t replica) {
        keep_in_shared_memory(decide.queued(), replica, first, count);
      });
    }
  }
  void update_slab(std::uint32_t h, std::uint32_t, bool boundary_first) override {
    const std::uint32_t at_each_end = is_cubic_glass ? PlaneSegments::at_thick_ends(planes_.count) : 1;
    if (boundary_first) update(h, PlaneSegments::boundary(planes_.count, at_each_end));
    update(h, PlaneSegments::interior(planes_.count, at_each_end, slab_segment));
    if (!boundary_first) update(h, PlaneSegments::boundary(planes_.count, at_each_end));
  }
  std::vector<std::function<void()>> slab_launches(std::uint32_t first, std::uint32_t count,
                                                   const SlabNeighbours& neighbours) override;
  Observation observe() override;

  int spin(std::uint64_t sample, std::uint32_t replica, std::uint32_t x, std::uint32_t y,
           std::uint32_t own_plane) const override {
    const std::uint64_t lane = system_.first_lane() + sample, pack = lane / 32;
    const std::uint32_t L = layout_.L, parity = (x + (D == 3 ? y : 0) + planes_.first + own_plane) & 1u;
    const std::size_t index = (own_plane + domain_.ghosts) * plane() + (D == 3 ? y : 0) * (L / 2) + x / 2;
    const std::uint32_t word = spins_[((2 * pack + parity) * layout_.replicas + replica) * layout_.sites + index];
    return 1 - 2 * static_cast<int>((word >> (lane % 32)) & 1u);
  }

 private:
  std::uint32_t plane() const { return domain_.sites_in_plane() / 2; }
  CountJob count_job(std::vector<int>& counts);
  template <class X>
  void append_sums(const int* counts, std::vector<std::int64_t>& sums) const;
  void count_sums(Observation& o);
  Measured resize(Observation& o, std::size_t intervals) const;
  void compare_with_blocks(const Observation& o);
  std::optional<Observation> observe_in_blocks(const Snapshots& spins);

  Layout layout_of(std::uint32_t arrays) const {
    Layout layout = layout_;
    layout.replicas = arrays;
    return layout;
  }
  Addresses addresses() const { return {domain_.plane(0) * plane(), domain_.lattice().sites_per_parity()}; }
  void fill(Words32& words, std::uint32_t arrays, const Key& key) {
    launch({blocks_for(layout_.sites, 256), packs_}, 256,
           [&] { fill_words_kernel(words.data(), layout_of(arrays), addresses(), key); });
  }
  void fill_couplings() {
    const Key key = disorder_key(system_, Stream::couplings);
    if (system_.p == 0.5) return fill(couplings_, D, key);
    launch({blocks_for(layout_.sites, 256), packs_}, 256,
           [&] { fill_bonds_kernel(couplings_.data(), layout_of(D), addresses(), key, bond_threshold(system_)); });
  }

  CountRows rows() const {
    const std::uint32_t replicas = layout_.replicas, pairs = static_cast<std::uint32_t>(system_.pairs());
    return {layout_.L, D, replicas, system_.measures(Integer::magnetization_k2) ? replicas : 0,
            system_.measures(Integer::overlap) ? pairs : 0};
  }

  void update(std::uint32_t h, const PlaneSegments& segments) {
    if (segments.count == 0) return;
    if constexpr (is_cubic_glass) {
      for_each_cubic_decision(
          [&](const auto& decide, std::uint32_t first) { update_planes(h, segments, first, decide.queued()); });
    } else {
      update_sites(h, segments);
    }
  }
  /// Calls f(decision, first replica).
  template <class F>
  void for_each_cubic_decision(F f) {
    for_each_group(layout_.replicas, [&]<int G>(std::uint32_t first) {
      with_cubic_decision<G>(metropolis_, [&](const auto& decide) { f(decide, first); });
    });
  }
  void update_sites(std::uint32_t h, const PlaneSegments& segments) {
    for_each_decision<T>(layout_.replicas, metropolis_, [&](const auto& decide, std::uint32_t first) {
      launch({blocks_for(std::size_t{segments.length} * plane(), 256), segments.count, packs_}, 256, [&] {
        half_sweep_kernel<T>(spins_.data(), couplings_.data(), fields_.data(), layout_, domain_, segments, keys_, h,
                             first, decide);
      });
    });
  }
  /// In one thread block, and the last half sweeps in a cluster of two or four. Few threads, so that each one has
  /// several rows; few places in the queue, so that some lanes find none.
  template <class Decision>
  void keep_in_shared_memory(const Decision& decide, std::uint32_t replica, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t in_cluster = has_clusters<T, Decision> ? count / 2 : 0, L = layout_.L;
    run_in_blocks<false>(decide, shape_of_planes(L), replica, first, count - in_cluster);
    if constexpr (has_clusters<T, Decision>) {
      const MemberShape four = shape_of_planes((L + 3) / 4);
      run_in_blocks<true>(decide, four.blocks != 0 ? four : shape_of_planes((L + 1) / 2), replica,
                          first + count - in_cluster, in_cluster);
    }
  }
  /// With at most so many planes in a block.
  MemberShape shape_of_planes(std::uint32_t planes) const {
    MemberShape shape = member_shape(D, layout_.L, 1, {std::size_t{planes} * plane(), most_member_blocks, 32, 1, 0});
    shape.places = 3;
    return shape;
  }
  template <bool CLUSTER, class Decision>
  void run_in_blocks(const Decision& decide, const MemberShape& shape, std::uint32_t replica, std::uint32_t first,
                     std::uint32_t count) {
    const std::size_t words =
        member_pack_words<T, Decision>(shape.planes * plane()) + member_queue_words<Decision>(shape);
    Words32 done(packs_);
    const Schedule schedule{{packs_, 1, first, count}, done.data()};  // one cluster takes all packs in turn
    emulated::run({shape.blocks, shape.threads, words}, next_seed(), [&] {
      member_kernel<T, Decision, CLUSTER>(spins_.data(), couplings_.data(), fields_.data(), layout_, keys_, schedule,
                                          packs_, replica, shape, decide);
    });
  }
  /// In one block with several segments of each column, and the last half sweeps in a cluster with fewer in a block.
  void keep_known_in_shared_memory(std::uint32_t first, std::uint32_t count) {
    with_scheme<T>(cheapest_scheme<D>(std::span(&metropolis_.field, 1)), [&]<class Scheme>() {
      const ReplicaDecision<T, Scheme> decide(metropolis_.field);
      if constexpr (D == 2) {
        run_known<KnownMember<2, 32, 1, 8>>(decide, first, count / 2);
        run_known<KnownMember<2, 32, 4, 2>>(decide, first + count / 2, count - count / 2);
      } else {
        run_known<KnownMember<3, 8, 1, 4>>(decide, first, count / 2);
        run_known<KnownMember<3, 8, 2, 4>>(decide, first + count / 2, count - count / 2);
      }
    });
  }
  /// In two intervals if the number of half sweeps is even. The spins after the first one are those after half of them.
  template <class Shape, class Decision>
  void run_known(const Decision& decide, std::uint32_t first, std::uint32_t count) {
    if (count == 0 || count % 2 == 1) return run_intervals<Shape>(decide, {spins_.data()}, first, count);
    Words32 half = spins_, after_first(spins_.size());
    run_intervals<Shape>(decide, {half.data()}, first, count / 2);
    run_intervals<Shape>(decide, {spins_.data(), after_first.data(), spins_.size(), 2}, first, count);
    if (after_first != half) throw std::logic_error("the spins after an interval are not those of as many half sweeps");
  }
  template <class Shape, class Decision>
  void run_intervals(const Decision& decide, const Snapshots& spins, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t lattices = packs_ * layout_.replicas;
    Words32 done(lattices);
    Schedule schedule{{lattices, 1, first, count}, done.data()};  // one cluster takes all lattices in turn
    if (spins.intervals > 1) {                                    // stored by one task for each lattice
      schedule.intervals = 1;
      schedule.length = count;
    }
    const ReplicasOfPacks<Decision> replicas{spins, fields_.data(), layout_, packs_, decide};
    emulated::run({Shape::blocks, Shape::threads, known_member_bytes<Shape, Decision> / 4}, next_seed(),
                  [&] { known_member_kernel<Shape>(replicas, keys_, schedule); });
  }
  /// False if a lattice does not fit. The sizes of incomplete warps that have kernels of their own: in one thread block
  /// and in a cluster whose last block has fewer planes.
  template <class Decision>
  bool keep_cube_in_shared_memory(const Decision& decide, std::uint32_t replica, std::uint32_t first,
                                  std::uint32_t count) {
    constexpr int G = Decision::group;
    if constexpr (std::is_same_v<Decision, IndependentDecision<4, 3, 5, true>>) {
      if (layout_.L == 16) return run_cubes<KnownCube<16, G>>(KnownCube<16, G>::shape, decide, replica, first, count);
      if (layout_.L == 24) return run_cubes<KnownCube<24, G>>(KnownCube<24, G>::shape, decide, replica, first, count);
      if (layout_.L == 32) return run_cubes<KnownCube<32, G>>(KnownCube<32, G>::shape, decide, replica, first, count);
    }
    if constexpr (G == 4 && Decision::uses_queue) {
      if (layout_.L == 18) return run_cubes<KnownCube<18, G>>(KnownCube<18, G>::shape, decide, replica, first, count);
      if (layout_.L == 30) return run_cubes<KnownCube<30, G>>(KnownCube<30, G>::shape, decide, replica, first, count);
    }
    const CubicShape shape = cubic_shape(layout_.L, G, known_limit, most_blocks, unknown_threads);
    return shape.blocks != 0 && run_cubes<KnownCube<0, G>>(shape, decide, replica, first, count);
  }
  /// One cluster takes all packs in turn.
  template <class Known, class Decision>
  bool run_cubes(const CubicShape& shape, const Decision& decide, std::uint32_t replica, std::uint32_t first,
                 std::uint32_t count) {
    const std::uint32_t threads = (shape.threads + 31) / 32 * 32;  // the emulator runs complete warps
    Words32 done(packs_);
    std::vector<uint4> queue(shape.blocks * threads / 32 * queue_entries<Decision::group>(shape));
    const Schedule schedule{{packs_, 1, first, count}, done.data()};
    const std::size_t bytes =
        cubic_bytes(layout_.L, shape.planes, Decision::group) + BarrierOfCube<Known, Decision>::bytes;
    emulated::run({shape.blocks, threads, bytes / 4}, next_seed(), [&] {
      persistent_cubic_kernel<Known>(spins_.data(), couplings_.data(), layout_, keys_, schedule, replica, shape,
                                     queue.data(), decide);
    });
    return true;
  }
  template <class Decision>
  void update_planes(std::uint32_t h, const PlaneSegments& segments, std::uint32_t first, const Decision& decide) {
    launch({blocks_for(plane(), z_sweep_threads), segments.count, packs_}, z_sweep_threads, [&] {
      slab_z_sweep_kernel<0, Decision>(spins_.data(), couplings_.data(), layout_, planes_, segments, keys_, h, first,
                                       decide);
    });
  }

  System system_;
  Planes planes_;
  Domain<D> domain_;
  Layout layout_;
  std::uint32_t packs_;
  KeySchedule keys_;
  Metropolis metropolis_;
  Words32 spins_, couplings_, fields_, progress_;
  Words32 observed_spins_;  ///< of the last observe(), which returned observed_; empty before
  Observation observed_;
  std::vector<std::uint32_t> taken_, begun_;  ///< tiles of each launch, thread blocks of each launch
  std::uint32_t slab_half_sweeps_ = 0;
};

template <class T>
std::vector<std::function<void()>> EmulatedSamples<T>::slab_launches(std::uint32_t first, std::uint32_t count,
                                                                     const SlabNeighbours& neighbours) {
  std::vector<std::function<void()>> launches;
  if constexpr (is_cubic_glass) {
    const PlaneSegments segments = PlaneSegments::all_of_slab(planes_.count, 2 * slab_segment);  // some have two parts
    progress_.resize(SlabSweeps::words(layout_.L, packs_, segments.count));
    taken_.assign(layout_.replicas, 0);
    begun_.assign(layout_.replicas, 0);
    SlabSweeps sweeps(layout_.L, packs_, segments.count, progress_.data());
    sweeps.first = first;
    sweeps.count = count;
    for_each_group(layout_.replicas, [&]<int G>(std::uint32_t replica) {
      const SharedDecision<G> decide{metropolis_.thresholds};
      sweeps.before = slab_half_sweeps_;
      sweeps.taken = &taken_[replica];
      slab_half_sweeps_ += count;
      launches.push_back([this, sweeps, segments, neighbours, replica, decide] {
        std::uint32_t* shared = emulated::shared();
        while (true) {  // few blocks are here at once: each one continues as the next of the launch
          if (threadIdx.x == 0) shared[1] = begun_[replica]++;
          __syncthreads();
          if (shared[1] >= sweeps.count * sweeps.tiles()) return;
          slab_sweeps_kernel<0>(spins_.data(), couplings_.data(), layout_, planes_, segments, keys_, sweeps, neighbours,
                                replica, decide);
        }
      });
    });
  }
  return launches;
}

template <class T>
CountJob EmulatedSamples<T>::count_job(std::vector<int>& counts) {
  const std::uint32_t own = domain_.ghosts * plane();
  return {spins_.data() + own, couplings_.data() + own, fields_.data() + own, layout_, planes_, 0, packs_, rows(),
          counts.data()};
}

/// `counts`: set bits of an integer, [pack][replica or pair][lane].
template <class T>
template <class X>
void EmulatedSamples<T>::append_sums(const int* counts, std::vector<std::int64_t>& sums) const {
  const std::size_t width = system_.width(X::integer), first = system_.first_lane();
  const std::int64_t words = std::int64_t{2} * plane() * planes_.count * words_of_site<X, T>;
  for (std::size_t lane = first; lane < first + system_.samples; ++lane)
    for (std::size_t i = 0; i < width; ++i)
      sums.push_back(words - 2 * counts[(lane / 32 * width + i) * 32 + lane % 32]);
}

template <class T>
void EmulatedSamples<T>::count_sums(Observation& o) {
  std::vector<int> none;
  const CountJob job = count_job(none);
  const Traversal traversal = traversals_for<D>(job.rows, planes_, packs_).last();
  SumIntegers::for_each([&]<class X>() {
    if constexpr (has_sum_kernel(X::integer, T::has_field_words)) {
      if (!system_.measures(X::integer)) return;
      const auto width = static_cast<std::uint32_t>(system_.width(X::integer));
      std::vector<int> counts(packs_ * std::size_t{width} * 32);
      const std::uint32_t warps = std::clamp(width, 1u, 8u);
      launch(
          {traversal.warp_traversals(), packs_}, 32 * warps,
          [&] { sum_kernel<T, X>(job, traversal, width, counts.data()); }, warps);
      append_sums<X>(counts.data(), o[X::integer]);
    }
  });
}

/// Memory of observations for the kernels that reduce counts.
template <class T>
Measured EmulatedSamples<T>::resize(Observation& o, std::size_t intervals) const {
  const bool components = planes_.count < layout_.L;
  const auto numbers = [&](Integer integer) {
    if (!system_.measures(integer)) return static_cast<std::int64_t*>(nullptr);
    const bool many = components && info_of(integer).kind == Kind::fourier;
    o[integer].resize(intervals * system_.samples * system_.width(integer) * (many ? 2 * D : 1));
    return o[integer].data();
  };
  return {numbers(Integer::bond_sum),   numbers(Integer::magnetization),
          numbers(Integer::overlap),    numbers(Integer::magnetization_k2),
          numbers(Integer::overlap_k2), components,
          system_.first_sample,         system_.samples};
}

template <class T>
Observation EmulatedSamples<T>::observe() {
  std::vector<int> counts(std::size_t{packs_} * rows().count() * 32);
  const CountJob job = count_job(counts);
  const CountRows& rows = job.rows;
  const auto traversals = traversals_for<D>(rows, planes_, packs_);
  const std::uint32_t warps = CountItems(rows, traversals).count();
  with_replicas_together(rows.replicas, [&]<int R>() {
    launch(
        {(warps + count_warps - 1) / count_warps, packs_}, 32 * count_warps,
        [&] { count_kernel<T, R>(job, traversals); }, count_warps);
  });

  Observation o;
  const Measured out = resize(o, 1);
  const FourierTable table = make_fourier_table(system_.L);
  launch(
      {packs_, rows.fields() + 1}, 256,
      [&] {
        reduce_kernel<D>(counts.data(), rows, planes_, layout_.first_pack, table.cosine.data(), table.sine.data(), out);
      },
      8);
  count_sums(o);
  compare_with_blocks(o);
  return o;
}

/// Compares with measure_kernel, which measures the spins of the previous call again, as those after the first of two
/// intervals.
template <class T>
void EmulatedSamples<T>::compare_with_blocks(const Observation& o) {
  const std::size_t own = domain_.ghosts * plane();
  Snapshots spins{spins_.data() + own};
  if (!observed_spins_.empty()) spins = {spins.current, observed_spins_.data() + own, spins_.size(), 2};
  Observation wanted = observed_;
  for (std::size_t i = 0; i < integer_count; ++i)
    wanted.values[i].insert(wanted.values[i].end(), o.values[i].begin(), o.values[i].end());
  if (const std::optional<Observation> found = observe_in_blocks(spins); found && found->values != wanted.values)
    throw std::logic_error("measure_kernel and count_kernel give different integers");
  observed_spins_ = spins_;
  observed_ = o;
}

/// Observations after each interval by measure_kernel, if it may measure these lattices.
template <class T>
std::optional<Observation> EmulatedSamples<T>::observe_in_blocks(const Snapshots& spins) {
  std::vector<int> none, sums[integer_count];
  const FourierTable table = make_fourier_table(system_.L);
  Observation o;
  MeasureJob job{count_job(none), spins, table.cosine.data(), table.sine.data(), resize(o, spins.intervals), {}};
  SumIntegers::for_each([&]<class X>() {
    if constexpr (has_sum_kernel(X::integer, T::has_field_words)) {
      if (!system_.measures(X::integer)) return;
      const std::size_t width = system_.width(X::integer), i = static_cast<std::size_t>(X::integer);
      sums[i].resize(spins.intervals * packs_ * width * 32);
      job.sums[i] = {static_cast<std::uint32_t>(width), sums[i].data()};
    }
  });
  constexpr std::size_t limit = 227 * 1024;
  if (!is_measured_in_block<D>(job, limit)) return {};
  const CountRows& rows = job.count.rows;
  const std::uint32_t warps = spins.intervals == 1 ? most_measure_warps : fewest_measure_warps(rows);
  const auto traversals = traversals_of_block<D>(job.count, warps);
  const std::size_t words = MeasureMemory<D>{rows.count(), job.sums_of_pack(), warps}.bytes() / 4;
  with_replicas_together(rows.replicas, [&]<int R>() {
    launch(
        {packs_, spins.intervals}, 32 * warps, [&] { measure_kernel<T, R>(job, traversals); }, warps, words);
  });
  SumIntegers::for_each([&]<class X>() {
    if constexpr (has_sum_kernel(X::integer, T::has_field_words)) {
      const std::vector<int>& counts = sums[static_cast<std::size_t>(X::integer)];
      for (std::size_t k = 0; k < spins.intervals && !counts.empty(); ++k)
        append_sums<X>(counts.data() + k * counts.size() / spins.intervals, o[X::integer]);
    }
  });
  return o;
}

}  // namespace

std::unique_ptr<EmulatedLattices> emulated_samples(const System& system, const Planes& planes) {
  return with_traits(system.preset(), [&]<class T>() -> std::unique_ptr<EmulatedLattices> {
    return std::make_unique<EmulatedSamples<T>>(system, planes);
  });
}

}  // namespace psflip::cuda
