#pragma once
#include "engine/cuda/sweep/persistent/known_planes.cuh"
#include "engine/cuda/sweep/persistent/schedule.cuh"
#include "engine/cuda/update/replica_decision.cuh"
#include "engine/cuda/update/snapshots.hpp"

/// Persistent kernel for replicas of lattices without couplings, of a size and a distribution over the blocks of a
/// cluster that are known at compile time. It does what member_kernel does, with fewer instructions: addresses and the
/// lengths of the loops over sites are constants.
namespace psflip::cuda {

/// Queue of the undecided lanes of a thread block, one entry each. Threads add lanes when they have updated their
/// words. Then all threads decide them, one lane each.
template <class Shape, class Decision>
class KnownQueue {
  struct alignas(16) Entry {
    std::uint32_t lane, site;  ///< the bit of the lane; in the block
    std::uint32_t bit[Decision::bits];
  };
  /// One lane in 256 is undecided at most, on average. So this is at least eight times the average number, and the
  /// probability that a half sweep needs more places is below 10^-60. The kernel then stops with an error.
  static constexpr std::uint32_t places = Shape::sites;
  static_assert(places >= 128);

 public:
  using Pending = typename Decision::Pending[Shape::length];
  /// Words of shared memory.
  static constexpr std::size_t words = 4 + places * sizeof(Entry) / 4;

  __device__ __forceinline__ explicit KnownQueue(std::uint32_t* shared)
      : counts_(shared), entries_(reinterpret_cast<Entry*>(shared + 4)) {}

  /// Must be called before the first half sweep of a lattice, and be followed by a barrier.
  __device__ __forceinline__ void clear() {
    if (threadIdx.x < 2) counts_[threadIdx.x] = 0;
  }

  /// Adds the undecided lanes of a thread. `site`: of its first word in the block. Half sweeps of parity 0 and 1 must
  /// alternate.
  __device__ __forceinline__ void push(Pending& pending, std::uint32_t site, std::uint32_t parity) {
    while (true) {  // one lane of each word at a time: few words have more
      std::uint32_t count = 0;
#pragma unroll
      for (std::uint32_t k = 0; k < Shape::length; ++k) count += pending[k].equal != 0;
      if (count == 0) return;
      std::uint32_t place = add_in_shared_memory(counts_ + parity, count);
#pragma unroll
      for (std::uint32_t k = 0; k < Shape::length; ++k) {
        const std::uint32_t equal = pending[k].equal;
        if (equal != 0) {
          Entry entry{equal & (0u - equal), site + k * Shape::plane, {}};
#pragma unroll
          for (int b = 0; b < Decision::bits; ++b) entry.bit[b] = pending[k].bit[b];
          if (place < places) entries_[place] = entry;
          ++place;
        }
        pending[k].equal = equal & (equal - 1);
      }
    }
  }

  /// Decides all lanes. A barrier must follow before the next half sweep. `first_site`: of the block in the lattice.
  __device__ __forceinline__ void decide(std::uint32_t* mine, std::uint32_t parity, std::uint32_t first_site,
                                         const HalfSweep& s, const Decision& decision) {
    __syncthreads();  // entries, and the spins of the words, are written
    const std::uint32_t count = counts_[parity];
    if (count > places) __trap();
    for (std::uint32_t n = threadIdx.x; n < count; n += Shape::threads) {
      const Entry entry = entries_[n];
      const std::uint32_t lane = __ffs(entry.lane) - 1;
      if (decision.flips_lane(s, first_site + entry.site, index_of_lane(entry.bit, lane), lane))
        atomicXor(mine + entry.site, entry.lane);
    }
    if (threadIdx.x == 0) counts_[1 - parity] = 0;
  }

 private:
  std::uint32_t* counts_;  ///< numbers of lanes in half sweeps of both parities
  Entry* entries_;
};

template <class Shape, class Decision>
inline constexpr std::size_t known_member_bytes = 4 * (KnownPlanes<Shape>::words + KnownQueue<Shape, Decision>::words);

/// A half sweep of the lattice of this cluster. `fields`: of the parity, from the first site of this thread on.
/// `decide`: for words; `decision`: the same in memory, for single lanes, whose thresholds are indexed.
template <class Shape, class Decision>
__device__ __forceinline__ void sweep_known_member(KnownPlanes<Shape>& planes, std::uint32_t first_site,
                                                   const typename Decision::Prepared (&prepared)[Shape::length],
                                                   const std::uint32_t* fields, std::uint32_t parity, bool is_first,
                                                   const HalfSweep& s, KnownQueue<Shape, Decision>& queue,
                                                   const Decision& decide, const Decision& decision) {
  std::uint32_t neighbour[Shape::length][2 * Shape::D], field[Shape::length] = {};
  typename KnownQueue<Shape, Decision>::Pending pending;
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length && Decision::has_field_words; ++k)
    field[k] = __ldg(fields + k * Shape::plane);
  if (!is_first) planes.wait_for_ghosts(1 - parity);
  planes.load_neighbours(parity, neighbour);
  std::uint32_t* mine = planes.spins(parity) + planes.first_site();
#pragma unroll
  for (std::uint32_t k = 0; k < Shape::length; ++k) {
    std::uint32_t spin = mine[k * Shape::plane];
    pending[k] = decide(s, prepared[k], spin, neighbour[k], field[k]);
    mine[k * Shape::plane] = spin;
  }
  queue.push(pending, planes.first_site(), parity);
  queue.decide(planes.spins(parity), parity, first_site, s, decision);
  __syncthreads();
  planes.send_outer(parity);
}

/// All replicas of all packs at one temperature, numbered [replica][pack].
template <class Decision_>
struct ReplicasOfPacks {
  using Decision = Decision_;
  using Tables = const Decision&;  ///< in constant memory, which instructions read at no cost

  Snapshots spins;
  const std::uint32_t* all_fields;
  Layout layout;
  std::uint32_t packs;
  Decision decide;

  __device__ __forceinline__ std::uint32_t parts() const { return spins.intervals; }
  template <int D>
  __device__ __forceinline__ PackView view(std::uint32_t number) const {
    return layout.view<D>(spins.current, nullptr, number % packs, number / packs);
  }
  template <int D>
  __device__ __forceinline__ PackView view_after(std::uint32_t part, std::uint32_t number) const {
    return layout.view<D>(spins.after(part), nullptr, number % packs, number / packs);
  }
  /// Of parity 0; those of parity 1 follow.
  __device__ __forceinline__ const std::uint32_t* fields(std::uint32_t number) const {
    return layout.fields(all_fields, number % packs, 0);
  }
  __device__ __forceinline__ HalfSweep half_sweep(const KeySchedule& keys, std::uint32_t number,
                                                  std::uint32_t h) const {
    return HalfSweep(keys, layout.first_pack + number % packs, h, number / packs);
  }
  __device__ __forceinline__ const Decision& decision(std::uint32_t) const { return decide; }
};

/// Many half sweeps of lattices, which have numbers in the schedule. `parts` of a task have equally many, and the spins
/// are stored after each. Grid (clusters x blocks of a cluster).
template <class Shape, class Lattices>
__global__ void PSFLIP_CLUSTER_OF(Shape::blocks) __launch_bounds__(Shape::threads, Shape::resident)
    known_member_kernel(const __grid_constant__ Lattices lattices, const __grid_constant__ KeySchedule keys,
                        const __grid_constant__ Schedule schedule) {
  using Decision = typename Lattices::Decision;
  std::uint32_t* shared = shared_memory();
  const std::uint32_t rank = cluster::rank(), first_site = rank * Shape::sites, parts = lattices.parts();
  KnownPlanes<Shape> planes(shared, rank);
  KnownQueue<Shape, Decision> queue(shared + KnownPlanes<Shape>::words);
  for (std::uint32_t task = blockIdx.x / Shape::blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t number = schedule.pack(task), interval = schedule.interval(task),
                        begin = schedule.begin(interval), length = (schedule.end(interval) - begin) / parts;
    const std::uint32_t* fields = lattices.fields(number) + first_site + planes.first_site();
    const Decision& decision = lattices.decision(number);
    typename Lattices::Tables decide = decision;
    schedule.wait_for(number, interval);
    planes.load(lattices.template view<Shape::D>(number), first_site);
    queue.clear();
    planes.synchronize();
    HalfSweep s = lattices.half_sweep(keys, number, begin);
    typename Decision::Prepared prepared[Shape::length];
#pragma unroll
    for (std::uint32_t k = 0; k < Shape::length; ++k)
      prepared[k] = Decision::prepare(s, first_site + planes.first_site() + k * Shape::plane);
    std::uint32_t h = begin;
#pragma unroll 1
    for (std::uint32_t part = 0; part < parts; ++part) {
      for (std::uint32_t n = 0; n < length; ++n, ++h) {
        s.numbers.move_to(h);
        // two copies, so that the addresses of both parities are constants
        if (h & 1u)
          sweep_known_member(planes, first_site, prepared, fields + Shape::blocks * Shape::sites, 1, h == begin, s,
                             queue, decide, decision);
        else
          sweep_known_member(planes, first_site, prepared, fields, 0, h == begin, s, queue, decide, decision);
      }
      planes.store(lattices.template view_after<Shape::D>(part, number), first_site);
      __syncthreads();
    }
    if (length != 0) planes.wait_for_ghosts((begin + parts * length - 1) & 1u);
    if (schedule.intervals != 1) __threadfence();
    planes.synchronize();
    schedule.set_done(number, interval, rank);
  }
}

}  // namespace psflip::cuda
