#pragma once
#include <algorithm>

#include "engine/cuda/sweep/persistent/member_kernel.cuh"
#include "engine/cuda/tempering/member/sweep_kernels.cuh"

namespace psflip::cuda {

inline constexpr std::uint32_t most_slot_threads = 512;

/// Most bytes of shared memory of a thread block, if a multiprocessor holds one or two.
struct SlotMemory {
  std::size_t of_one, of_two;
};

/// Words of shared memory of the spins and, if `couplings`, the bonds, a multiple of the entry of a WarpQueue.
template <class T, class Decision>
PSFLIP_HD constexpr std::size_t slot_pack_words(std::uint32_t sites, bool couplings) {
  constexpr int D = T::dimension, G = Decision::group;
  const std::size_t words = couplings ? SharedPack<D, G, true>::words(sites) : SharedPack<D, G, false>::words(sites);
  return (words + 3) / 4 * 4;
}

/// Thread blocks of slot_member_kernel. Each of them holds a full lattice.
template <class T, class Decision>
struct SlotMember {
  MemberShape shape;
  bool couplings;     ///< in shared memory
  std::size_t bytes;  ///< of shared memory; 0: the lattice does not fit

  /// Two blocks on a multiprocessor, if they fit: one updates while the other loads, stores or waits at a barrier. With
  /// a queue a thread has too many registers for two blocks of most_slot_threads.
  static SlotMember on(std::uint32_t L, const SlotMemory& most) {
    constexpr std::uint32_t threads = Decision::uses_queue ? most_slot_threads / 2 : most_slot_threads;
    SlotMember block(L, threads, T::has_couplings, most.of_two);
    if (block.bytes == 0) block = SlotMember(L, threads, false, most.of_two);
    if (block.bytes == 0) block = SlotMember(L, most_slot_threads, false, most.of_one);
    if (block.bytes == 0) block = SlotMember(L, threads, false, most.of_one);
    return block;
  }

  /// `most`: bytes of shared memory.
  SlotMember(std::uint32_t L, std::uint32_t threads, bool with_couplings, std::size_t most)
      : shape(member_shape(T::dimension, L, 0, {0, 1, threads, 1, 1})), couplings(with_couplings), bytes(0) {
    constexpr int D = T::dimension;
    const std::uint32_t sites = L / 2 * L * (D == 3 ? L : 1);
    const std::size_t pack = slot_pack_words<T, Decision>(sites, couplings);
    shape.places = 0;
    const std::size_t without_places = 4 * (pack + member_queue_words<Decision>(shape));
    if (without_places > most) return;
    // twice the average number of undecided lanes; lanes without a place are decided at once
    shape.places = static_cast<std::uint32_t>(std::min<std::size_t>(sites / 4, (most - without_places) / 4));
    bytes = 4 * (pack + member_queue_words<Decision>(shape));
  }
};

/// Many half sweeps of a group of sets of any member of the family, its spins and, if COUPLINGS, its couplings in
/// shared memory. `decisions` of all slots of the grid, with a queue. Grid (slots, packs).
template <class T, class Decision, bool COUPLINGS>
__global__ void __launch_bounds__(most_slot_threads, Decision::uses_queue ? 1 : 2)
    slot_member_kernel(const __grid_constant__ MemberSweep job, const __grid_constant__ KeySchedule keys,
                       const Decision* __restrict__ decisions, const __grid_constant__ MemberShape shape) {
  using Pack = SharedPack<T::dimension, Decision::group, COUPLINGS>;
  std::uint32_t* shared = shared_memory();
  const MemberBlock<T> slot(job, blockIdx.x, blockIdx.y);
  const Decision& of_slot = decisions[slot.slot_of_grid()];
  const Decision decide = of_slot;  // its tables stay in registers
  const std::uint32_t L = slot.shape.L, sites = slot.shape.sites;
  PackView own = Pack::view(shared, sites);
  if constexpr (!COUPLINGS) own.first_coupling = slot.global.first_coupling;
  const MemberPlanes<T::dimension> block{own, own, own, L, sites / L, 0, L, L};
  MemberQueue<Decision> queue(shared + slot_pack_words<T, Decision>(sites, COUPLINGS), shape.places, block.own, 0,
                              of_slot);
  const MemberSegment first(threadIdx.x, block, shape);
  Pack::load(slot.global, shared, sites, 0, sites);
  queue.clear();
  __syncthreads();
  for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h)
    sweep_member<T, Decision, false>(block, first, shape, slot.fields_of(h & 1u),
                                     slot.half_sweep(keys, h, job.first_set), h & 1u, queue, decide);
  Pack::store(slot.global, shared, sites, 0, sites);
}

}  // namespace psflip::cuda
