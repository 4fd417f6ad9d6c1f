#pragma once
#include "engine/cuda/sweep/persistent/member_kernel.cuh"
#include "engine/cuda/tempering/member/sweep_kernels.cuh"

namespace psflip::cuda {

/// Threads of a multiprocessor, each of which has registers for the tables of its decision.
template <class T, class Decision>
inline constexpr std::uint32_t slot_threads = !Decision::uses_queue ? 1024
                                              : T::dimension == 2   ? 768
                                                                    : 512;

/// Most bytes of shared memory of each of n thread blocks of a multiprocessor, of[n - 1].
struct SlotMemory {
  std::size_t of[4];
};

/// Thread blocks of slot_member_kernel. Each of them holds a full lattice.
template <class T, class Decision>
struct SlotMember {
  MemberShape shape;
  bool couplings;     ///< in shared memory
  std::size_t bytes;  ///< of shared memory; 0: the lattice does not fit

  /// Several blocks on a multiprocessor, if they fit: one updates while another loads, stores or waits at a barrier.
  static SlotMember on(std::uint32_t L, const SlotMemory& most) {
    constexpr std::uint32_t threads = slot_threads<T, Decision>, at_once = threads / 256, few_places = 256;
    const auto with = [&](std::uint32_t n, bool couplings, std::uint32_t places) {
      return SlotMember(L, threads / n / 32 * 32, couplings, places, most.of[n - 1]);
    };
    const std::uint32_t places = sites(L) / 4;  // twice the average number of undecided lanes
    for (std::uint32_t n = at_once; T::has_couplings && n >= 2; --n)
      if (const auto block = with(n, true, places); block.bytes > 0) return block;
    for (std::uint32_t n = at_once; n >= 1; --n)
      if (const auto block = with(n, false, places); block.bytes > 0) return block;
    for (std::uint32_t fewer = threads - 128; fewer >= 256 && Decision::group > 1;
         fewer -= 128)  // queues of fewer warps
      if (const SlotMember block(L, fewer, false, places, most.of[0]); block.bytes > 0) return block;
    return with(1, false, few_places);  // a lane without a place is decided at once
  }

  /// `most`: bytes of shared memory.
  SlotMember(std::uint32_t L, std::uint32_t threads, bool with_couplings, std::uint32_t places, std::size_t most)
      : shape(member_shape(T::dimension, L, 0, {0, 1, threads, 1, 1})), couplings(with_couplings) {
    shape.places = places;
    const std::size_t pack =
        couplings ? member_pack_words<T, Decision, true>(sites(L)) : member_pack_words<T, Decision, false>(sites(L));
    bytes = 4 * (pack + member_queue_words<Decision>(shape));
    if (bytes > most) bytes = 0;
  }

 private:
  /// Of one parity.
  static std::uint32_t sites(std::uint32_t L) { return L / 2 * L * (T::dimension == 3 ? L : 1); }
};

/// Many half sweeps of a group of sets of any member of the family, its spins and, if COUPLINGS, its couplings in
/// shared memory. `decisions` of all slots of the grid, with a queue if their numbers are independent. Grid (slots,
/// packs).
template <class T, class Decision, bool COUPLINGS>
__global__ void __launch_bounds__((slot_threads<T, Decision>))
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
  MemberQueue<Decision> queue(shared + member_pack_words<T, Decision, COUPLINGS>(sites), shape.places, block.own, 0,
                              of_slot);
  const MemberSegment first(threadIdx.x, block, shape);
  after_previous_kernel();
  Pack::load(slot.global, shared, sites, 0, sites);
  queue.clear();
  __syncthreads();
  for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h)
    sweep_member<T, Decision, false>(block, first, shape, slot.fields_of(h & 1u),
                                     slot.half_sweep(keys, h, job.first_set), h & 1u, queue, decide);
  Pack::store(slot.global, shared, sites, 0, sites);
}

}  // namespace psflip::cuda
