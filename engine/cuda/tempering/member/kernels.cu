#include "engine/cuda/tempering/member/kernels.hpp"

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/measure/count_launch.cuh"
#include "engine/cuda/measure/sum_launch.cuh"
#include "engine/cuda/sweep/choose_decision.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/tempering/member/known_slots_launch.cuh"
#include "engine/cuda/tempering/member/measured_sums_kernels.cuh"
#include "engine/cuda/tempering/member/slot_cube_kernel.cuh"
#include "engine/cuda/tempering/member/slot_member_kernel.cuh"
#include "engine/cuda/tempering/member/sums_kernel.cuh"

// Exchange Monte Carlo of one preset, whose traits are the definitions PSFLIP_DIMENSION, PSFLIP_COUPLINGS and
// PSFLIP_FIELD.
namespace psflip::cuda {

namespace {

/// Kind of decision that all slots have. Independent numbers: most significant bits that are zero in all thresholds.
struct DecisionKind {
  bool shared, in_field;
  int leading;
};

/// The decision of the colder slots of a grid, which takes less time and has the same results.
template <class Decision>
struct ColderDecision {
  using type = void;
};
template <>
struct ColderDecision<SharedDecision<4>> {
  using type = SharedDecision<4, 3, true>;
  static bool allows(const Metropolis& m) { return is_cold(m.thresholds); }
  static constexpr bool has_kernel(std::uint32_t L) { return L == 16 || L == 20; }  ///< where it is faster
};
template <>
struct ColderDecision<IndependentDecision<4, 3, 3>> {
  using type = IndependentDecision<4, 3, 5>;
  static bool allows(const Metropolis& m) { return leading_planes(m.thresholds, 3) >= 5; }
  static constexpr bool has_kernel(std::uint32_t) { return true; }
};
/// Sizes of cubic lattices with random bonds whose sweeps have kernels of their own. With independent numbers those of
/// larger lattices would spill registers.
template <class Decision>
struct KnownSlotCubes {
  using type = std::integer_sequence<int>;
};
template <>
struct KnownSlotCubes<SharedDecision<4>> {
  using type = std::integer_sequence<int, 8, 12, 16, 20, 24>;
};
template <>
struct KnownSlotCubes<SharedDecision<4, 3, true>> {
  using type = std::integer_sequence<int, 16, 20>;
};
template <int LEADING>
struct KnownSlotCubes<IndependentDecision<4, 3, LEADING>> {
  using type = std::integer_sequence<int, 8, 12, 16>;
};

template <class Decision>
inline constexpr bool has_colder_decision = !std::is_void_v<typename ColderDecision<Decision>::type>;

/// Calls f.template operator()<Decision>(first) for the groups of sets that a kernel updates together. Decisions with
/// independent numbers have a queue, but not those of cubic lattices with random bonds.
template <class T, class F>
void for_each_group_of_sets(std::uint32_t sets, const DecisionKind& kind, F f) {
  if constexpr (T::has_field) {
    if (kind.in_field) {
      for (std::uint32_t set = 0; set < sets; ++set) f.template operator()<SiteFieldDecision<T>>(set);
      return;
    }
  }
  if constexpr (!T::has_field_words) {
    for_each_group(sets, [&]<int G>(std::uint32_t first) {
      if constexpr (T::has_couplings)
        if (kind.shared) return f.template operator()<SharedDecision<G, T::dimension>>(first);
      if constexpr (has_cubic_kernels<T> && G == 4)
        if (kind.leading >= 3) return f.template operator()<IndependentDecision<G, 3, 3>>(first);
      f.template operator()<IndependentDecision<G, T::dimension, 0, !has_cubic_kernels<T>>>(first);
    });
  }
}

template <class Decision>
Decision decision_of(const Metropolis& m) {
  if constexpr (std::is_constructible_v<Decision, const FieldThresholds&, bool>)
    return Decision(m.field, m.shared);
  else
    return Decision{m.thresholds};
}

/// Whether the spins of a group of G sets of a cubic lattice with random bonds fit in shared memory.
bool cubes_fit(std::uint32_t L, std::uint32_t G) {
  return slot_cube_bytes(L, G, false) <= most_shared_bytes() && slot_cube_shape(L, unknown_threads).blocks > 0;
}

/// Launches of the half sweeps of a group of sets.
template <class T, class Decision>
struct SweepLaunch {
  MemberSweep job;
  KeySchedule keys;
  const Decision* decisions;
  EnergyCounts energies;  ///< of persistent kernels of a cubic lattice with random bonds
  cudaStream_t stream;

  /// The spins stay in shared memory.
  void start_cubes() const {
    if (!start_known_cube(typename KnownSlotCubes<Decision>::type{})) start_cube<0>();
  }

  /// The same for all other lattices; returns false if they do not fit.
  bool start_member() const {
    const SlotMemory memory{{most_shared_bytes(1), most_shared_bytes(2), most_shared_bytes(3), most_shared_bytes(4)}};
    const auto block = SlotMember<T, Decision>::on(job.words.shape.L, memory);
    if (block.bytes == 0) return false;
    const dim3 grid(job.slots, job.words.shape.packs);
    const auto go = [&](auto kernel) {
      launch_early("sweeps", with_shared_memory(kernel, block.bytes), grid, block.shape.threads, block.bytes, stream,
                   After::anything, job, keys, decisions, block.shape);
    };
    if constexpr (T::has_couplings)
      if (block.couplings) {
        go(slot_member_kernel<T, Decision, true>);
        return true;
      }
    go(slot_member_kernel<T, Decision, false>);
    return true;
  }

  void start_half_sweeps() const {
    const TemperingShape& shape = job.words.shape;
    MemberSweep one = job;
    for (; one.first_half_sweep != job.first_half_sweep + job.half_sweeps; ++one.first_half_sweep) {
      if constexpr (has_cubic_kernels<T>) {
        const unsigned columns = blocks_for(shape.L * shape.L / 2, z_sweep_threads),
                       segments = blocks_for(shape.L, slab_segment);
        slot_z_sweep_kernel<T>
            <<<dim3(columns * segments, job.slots, shape.packs), z_sweep_threads, 0, stream>>>(one, keys, decisions);
      } else {
        const dim3 grid(blocks_for(shape.sites, member_threads), job.slots, shape.packs);
        member_half_sweep_kernel<T><<<grid, member_threads, 0, stream>>>(one, keys, decisions);
      }
      check(cudaGetLastError(), "half sweep");
    }
  }

 private:
  template <int... L>
  bool start_known_cube(std::integer_sequence<int, L...>) const {
    return (start_cube<L>() || ...);
  }

  /// The kernel for size L, or for L = 0 any size; false if it is for another size. Couplings are kept in shared memory
  /// too where that leaves room for two thread blocks.
  template <int L>
  bool start_cube() const {
    using Known = KnownSlotCube<L>;
    const std::uint32_t given = job.words.shape.L;
    if (L != 0 && given != L) return false;
    const CubicShape shape = L != 0 ? Known::shape : slot_cube_shape(given, unknown_threads);
    const bool couplings = 2 * slot_cube_bytes(given, Decision::group, true) <= most_shared_bytes();
    const std::size_t bytes = slot_cube_bytes(given, Decision::group, couplings);
    const auto go = [&](auto kernel) {
      launch_early("sweeps", with_shared_memory(kernel, bytes), dim3(job.slots, job.words.shape.packs), shape.threads,
                   bytes, stream, After::anything, job, keys, decisions, shape, energies);
    };
    if (couplings)
      go(slot_cube_kernel<T, Known, Decision, true>);
    else
      go(slot_cube_kernel<T, Known, Decision, false>);
    return true;
  }
};

template <class T>
class TraitsKernels final : public MemberKernels {
  /// Overlaps of sets, but no fields.
  static constexpr bool has_measured_sums = T::has_couplings && !T::has_field;

 public:
  TraitsKernels(const Metropolis* slots, std::size_t count, FieldScheme scheme, std::uint32_t sets)
      : sets_(sets), kind_{slots[0].shared, T::has_field_words, plane_count}, known_(slots, count, scheme) {
    for (std::size_t k = 0; k < count && T::has_field; ++k)
      kind_.in_field = kind_.in_field || !NoField<T::dimension>::allows(slots[k].field);
    for (std::size_t k = 0; k < count && has_cubic_kernels<T>; ++k)
      kind_.leading = std::min(kind_.leading, leading_planes(slots[k].thresholds, 3));
    for_each_group_of_sets<T>(sets, kind_, [&]<class Decision>(std::uint32_t first) {
      if (first % 4 != 0) return;  // the same decisions as the first of four
      decisions_[first / 4] = upload<Decision>(slots, count);
      if constexpr (has_colder_decision<Decision>) {
        if (first != 0) return;
        while (colder_ < count && ColderDecision<Decision>::allows(slots[colder_])) ++colder_;
        colder_decisions_ = upload<typename ColderDecision<Decision>::type>(slots, colder_);
      }
    });
  }

  Swept sweep(MemberSweep job, const Key& key, const EnergyCounts& energies, cudaStream_t stream) const override {
    if (known_.sweep(job, key, stream)) return {false, false};
    bool waits = false;
    // cubic lattices: all groups the same way, so that either all energies are counted or none
    const bool cubes = has_cubic_kernels<T> && cubes_fit(job.words.shape.L, std::min(sets_, 4u));
    for_each_group_of_sets<T>(sets_, kind_, [&]<class Decision>(std::uint32_t first) {
      job.first_set = first;
      const auto* decisions = reinterpret_cast<const Decision*>(decisions_[first / 4].data());
      const SweepLaunch<T, Decision> launch{job, KeySchedule(key), decisions, energies, stream};
      if constexpr (has_cubic_kernels<T>) {
        if (cubes) {
          waits = start_cubes(launch);
          return;
        }
      } else {
        if (launch.start_member()) return;
      }
      launch.start_half_sweeps();
    });
    return {cubes, waits};
  }
  bool measures_at_once(std::uint32_t L, const SumPlaces& places) const override {
    if (!has_measured_sums || !are_measured(sets_, places)) return false;
    return T::dimension == 3 ? is_measured_cube(L, MeasuredCubes{}) : is_measured_square(L, most_shared_bytes(2));
  }
  void add_sums_at_once(const SlotCountJob& job, const SlotSums& sums, const EnergiesBefore& energies,
                        cudaStream_t stream) const override {
    const auto go = [&](auto kernel, std::uint32_t threads, std::size_t bytes) {
      launch_early("round", with_shared_memory(kernel, bytes), job.packs, threads, bytes, stream, After::kernel, job,
                   sums, energies);
    };
    if constexpr (has_measured_sums && T::dimension == 3) {
      const auto start = [&]<int L>() { go(cube_sums_kernel<L>, CubeSize<L>::threads, sizeof(CubeCounts<L>)); };
      with_cube_size(job.rows.L, start, MeasuredCubes{});
    } else if constexpr (has_measured_sums) {
      go(square_sums_kernel, SquareSize::threads, SquareSize{job.rows.L}.bytes());
    }
  }
  void count(const SlotCountJob& job, cudaStream_t stream) const override { start_count<T>(job, stream); }
  void count_against(const SlotCountJob& job, int* counts, cudaStream_t stream) const override {
    if constexpr (T::has_field_words) start_sum<T, FieldSum>(job, sets_, counts, stream);
  }
  void count_links(const SlotCountJob& job, int* counts, cudaStream_t stream) const override {
    if constexpr (T::has_couplings) start_sum<T, LinkOverlap>(job, job.rows.pairs, counts, stream);
  }
  void add_sums(const SlotCountJob& job, const SlotSums& sums, cudaStream_t stream) const override {
    const std::uint32_t warps = std::min(8u, sets_ + job.rows.pairs);
    slot_sums_kernel<T::dimension><<<job.packs, dim3(32, warps), 0, stream>>>(job, sums);
    check(cudaGetLastError(), "round");
  }

 private:
  template <class Decision>
  static DeviceArray<std::byte> upload(const Metropolis* slots, std::size_t count) {
    DeviceArray<std::byte> all(count * sizeof(Decision));
    for (std::size_t k = 0; k < count; ++k) {
      const Decision decision = decision_of<Decision>(slots[k]);
      check(cudaMemcpy(all.data() + k * sizeof(Decision), &decision, sizeof(Decision), cudaMemcpyHostToDevice),
            "copy to the GPU");
    }
    return all;
  }

  /// The colder slots with a decision of their own; in a stream of their own if there are others. Returns whether the
  /// stream of the launch waits for that one.
  template <class Decision>
  bool start_cubes(const SweepLaunch<T, Decision>& launch) const {
    if constexpr (has_colder_decision<Decision>) {
      const TemperingShape& shape = launch.job.words.shape;
      using Colder = typename ColderDecision<Decision>::type;
      const std::uint32_t first = shape.first_slot + launch.job.first_slot,
                          slots = std::min(launch.job.slots, colder_ > first ? colder_ - first : 0);
      if (slots > 0 && ColderDecision<Decision>::has_kernel(shape.L)) {
        const auto start_colder = [&](cudaStream_t stream) {
          SweepLaunch<T, Colder> colder{launch.job, launch.keys,
                                        reinterpret_cast<const Colder*>(colder_decisions_.data()), launch.energies,
                                        stream};
          colder.job.slots = slots;
          colder.start_cubes();
        };
        if (slots == launch.job.slots) {
          start_colder(launch.stream);
          return false;
        }
        SweepLaunch<T, Decision> others = launch;
        others.job.first_slot += slots;
        others.job.slots -= slots;
        begun_.set(launch.stream);
        begun_.hold(colder_stream_);
        start_colder(colder_stream_);
        others.start_cubes();
        ended_.set(colder_stream_);
        ended_.hold(launch.stream);
        return true;
      }
    }
    launch.start_cubes();
    return false;
  }

  std::uint32_t sets_;
  DecisionKind kind_;
  KnownSlots<T> known_;
  DeviceArray<std::byte> decisions_[2];      ///< of the slots, for the groups of sets from 0 and from 4 on
  std::uint32_t colder_ = 0;                 ///< slots of the grid with a ColderDecision, the first ones
  DeviceArray<std::byte> colder_decisions_;  ///< the same for all groups of four sets
  CudaStream colder_stream_{false};
  CudaEvent begun_, ended_;
};

}  // namespace

template <class T>
std::unique_ptr<MemberKernels> make_member_kernels(const Metropolis* slots, std::size_t count, FieldScheme scheme,
                                                   std::uint32_t sets) {
  return std::make_unique<TraitsKernels<T>>(slots, count, scheme, sets);
}

#ifndef PSFLIP_DIMENSION
#error "compiled once for each preset, see CMakeLists.txt"
#endif
template std::unique_ptr<MemberKernels>
make_member_kernels<Traits<PSFLIP_DIMENSION, ModelCouplings::PSFLIP_COUPLINGS, ModelField::PSFLIP_FIELD>>(
    const Metropolis*, std::size_t, FieldScheme, std::uint32_t);

}  // namespace psflip::cuda
