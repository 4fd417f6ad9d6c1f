#include "engine/cuda/tempering/member/kernels.hpp"

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/launch.hpp"
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

/// Kind of decision that all slots have.
struct DecisionKind {
  bool shared, in_field;
};

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
  const MemberSweep& job;
  KeySchedule keys;
  const Decision* decisions;
  EnergyCounts energies;  ///< of persistent kernels of a cubic lattice with random bonds
  cudaStream_t stream;

  /// The spins stay in shared memory.
  void start_cubes() const {
    if constexpr (std::is_same_v<Decision, SharedDecision<4>>)
      if (start_cube<8>() || start_cube<12>() || start_cube<16>() || start_cube<20>() || start_cube<24>()) return;
    start_cube<0>();
  }

  /// The same for all other lattices; returns false if they do not fit.
  bool start_member() const {
    const SlotMemory memory{{most_shared_bytes(1), most_shared_bytes(2), most_shared_bytes(3), most_shared_bytes(4)}};
    const auto block = SlotMember<T, Decision>::on(job.words.shape.L, memory);
    if (block.bytes == 0) return false;
    const dim3 grid(job.slots, job.words.shape.packs);
    const auto go = [&](auto kernel) {
      with_shared_memory(kernel, block.bytes)<<<grid, block.shape.threads, block.bytes, stream>>>(job, keys, decisions,
                                                                                                  block.shape);
      check(cudaGetLastError(), "sweeps");
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
      with_shared_memory(kernel, bytes)<<<dim3(job.slots, job.words.shape.packs), shape.threads, bytes, stream>>>(
          job, keys, decisions, shape, energies);
      check(cudaGetLastError(), "sweeps");
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
      : sets_(sets), kind_{slots[0].shared, T::has_field_words}, known_(slots, count, scheme) {
    for (std::size_t k = 0; k < count && T::has_field; ++k)
      kind_.in_field = kind_.in_field || !NoField<T::dimension>::allows(slots[k].field);
    for_each_group_of_sets<T>(sets, kind_, [&]<class Decision>(std::uint32_t first) {
      if (first % 4 != 0) return;  // the same decisions as the first of four
      DeviceArray<std::byte>& all = decisions_[first / 4];
      all = DeviceArray<std::byte>(count * sizeof(Decision));
      for (std::size_t k = 0; k < count; ++k) {
        const Decision decision = decision_of<Decision>(slots[k]);
        check(cudaMemcpy(all.data() + k * sizeof(Decision), &decision, sizeof(Decision), cudaMemcpyHostToDevice),
              "copy to the GPU");
      }
    });
  }

  bool sweep(MemberSweep job, const Key& key, const EnergyCounts& energies, cudaStream_t stream) const override {
    if (known_.sweep(job, key, stream)) return false;
    // cubic lattices: all groups the same way, so that either all energies are counted or none
    const bool cubes = has_cubic_kernels<T> && cubes_fit(job.words.shape.L, std::min(sets_, 4u));
    for_each_group_of_sets<T>(sets_, kind_, [&]<class Decision>(std::uint32_t first) {
      job.first_set = first;
      const auto* decisions = reinterpret_cast<const Decision*>(decisions_[first / 4].data());
      const SweepLaunch<T, Decision> launch{job, KeySchedule(key), decisions, energies, stream};
      if constexpr (has_cubic_kernels<T>) {
        if (cubes) return launch.start_cubes();
      } else {
        if (launch.start_member()) return;
      }
      launch.start_half_sweeps();
    });
    return cubes;
  }
  bool measures_at_once(std::uint32_t L, const SumPlaces& places) const override {
    if (!has_measured_sums || !are_measured(sets_, places)) return false;
    return T::dimension == 3 ? is_measured_cube(L, MeasuredCubes{}) : is_measured_square(L, most_shared_bytes());
  }
  void add_sums_at_once(const SlotCountJob& job, const SlotSums& sums, const EnergiesBefore& energies,
                        cudaStream_t stream) const override {
    const auto go = [&](auto kernel, std::uint32_t threads, std::size_t bytes) {
      with_shared_memory(kernel, bytes)<<<job.packs, threads, bytes, stream>>>(job, sums, energies);
    };
    if constexpr (has_measured_sums && T::dimension == 3) {
      const auto start = [&]<int L>() { go(cube_sums_kernel<L>, CubeSize<L>::threads, sizeof(CubeCounts<L>)); };
      with_cube_size(job.rows.L, start, MeasuredCubes{});
    } else if constexpr (has_measured_sums) {
      go(square_sums_kernel, SquareSize::threads, SquareSize{job.rows.L}.bytes());
    }
    check(cudaGetLastError(), "round");
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
  std::uint32_t sets_;
  DecisionKind kind_;
  KnownSlots<T> known_;
  DeviceArray<std::byte> decisions_[2];  ///< of the slots, for the groups of sets from 0 and from 4 on
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
