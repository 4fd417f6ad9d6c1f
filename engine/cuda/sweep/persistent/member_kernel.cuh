#pragma once
#include "engine/cuda/device/cluster.cuh"
#include "engine/cuda/sweep/persistent/member_queue.cuh"
#include "engine/cuda/sweep/persistent/member_shape.hpp"
#include "engine/cuda/sweep/persistent/schedule.cuh"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/update_site.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// Persistent kernel of any member of the Ising family: a group of replicas of a pack stays in the shared memory of a
/// thread block, or of a cluster whose blocks hold some planes each. In two dimensions a plane is a row.
namespace psflip::cuda {

/// The planes of this thread block, and its neighbours' planes along the last axis.
template <int D>
struct MemberPlanes {
  PackView own, below, above;  ///< of this block and of those that hold the adjacent planes
  std::uint32_t L, plane;      ///< linear size; sites of one parity of a plane
  std::uint32_t first, count;  ///< planes of this block
  std::uint32_t count_below;   ///< planes of the block below

  __device__ __forceinline__ std::uint32_t first_site() const { return first * plane; }
};

/// Words that the update of a site of G replicas reads. Neighbour and bond k belong together.
template <class T, int G>
struct MemberSite {
  std::uint32_t index;  ///< in the block
  std::uint32_t spin[G], neighbour[G][T::neighbours], coupling[T::neighbours];
};

/// Sites of one parity of a column along the last axis, plane by plane. The words of the other parity at the plane
/// below and at that of the site stay in registers.
template <class T, int G, bool CLUSTER>
class MemberColumn {
  static constexpr int D = T::dimension;

 public:
  /// `z`: plane of the first site in the block.
  __device__ __forceinline__ MemberColumn(const MemberPlanes<D>& block, const Column& column, std::uint32_t parity,
                                          std::uint32_t z)
      : block_(block),
        column_(column),
        parity_(parity),
        z_(z),
        index_(z * block.plane + column.index),
        shift_((column.y + block.first + z + parity) & 1u) {
    const std::uint32_t below = z == 0 ? (block.count_below - 1) * block.plane + column.index : index_ - block.plane;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t replica = r * block.own.sites;
      if (CLUSTER && z == 0)
        below_[r] = block.below.spins(1 - parity)[replica + below];
      else
        below_[r] = other()[replica + below];
      here_[r] = other()[replica + index_];
    }
    if constexpr (T::has_couplings) coupling_below_ = other_couplings(D - 1)[below];
  }

  /// Of the next site in the block.
  __device__ __forceinline__ std::uint32_t index() const { return index_; }

  /// The next site. Its words must be loaded before the sites of the same parity above and below are updated.
  __device__ __forceinline__ MemberSite<T, G> next() {
    MemberSite<T, G> site;
    const int i = static_cast<int>(index_), side = i + (shift_ ? column_.side_right : column_.side_left);
    const bool at_top = z_ + 1 == block_.count;
    site.index = index_;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t* o = other() + r * block_.own.sites;
      std::uint32_t above;
      if (CLUSTER && at_top)
        above = block_.above.spins(1 - parity_)[r * block_.own.sites + column_.index];
      else
        above = o[at_top ? column_.index : index_ + block_.plane];
      site.spin[r] = mine()[r * block_.own.sites + index_];
      const std::uint32_t words[] = {here_[r], o[side], above, below_[r]};
#pragma unroll
      for (int k = 0; k < 4; ++k) site.neighbour[r][k] = words[k];
      if constexpr (D == 3) {
        site.neighbour[r][4] = o[i + column_.up];
        site.neighbour[r][5] = o[i + column_.down];
      }
      below_[r] = here_[r];
      here_[r] = above;
    }
    if constexpr (T::has_couplings) load_couplings(site.coupling, side);
    ++z_;
    index_ += block_.plane;
    shift_ ^= 1u;
    return site;
  }

 private:
  __device__ __forceinline__ std::uint32_t* mine() const { return block_.own.spins(parity_); }
  __device__ __forceinline__ const std::uint32_t* other() const { return block_.own.spins(1 - parity_); }
  __device__ __forceinline__ const std::uint32_t* other_couplings(int mu) const {
    return block_.own.couplings(1 - parity_) + mu * block_.own.sites;
  }
  /// A site stores the bonds to its + neighbours. Shift 1: the x neighbour with the index of the site is x - 1.
  __device__ __forceinline__ void load_couplings(std::uint32_t (&J)[T::neighbours], int side) {
    const std::uint32_t* my = block_.own.couplings(parity_);
    const std::uint32_t sites = block_.own.sites;
    J[0] = shift_ ? other_couplings(0)[index_] : my[index_];
    J[1] = shift_ ? my[index_] : other_couplings(0)[side];
    J[2] = my[(D - 1) * sites + index_];
    J[3] = coupling_below_;
    if constexpr (D == 3) {
      J[4] = my[sites + index_];
      J[5] = other_couplings(1)[static_cast<int>(index_) + column_.down];
    }
    coupling_below_ = other_couplings(D - 1)[index_];
  }

  const MemberPlanes<D>& block_;
  const Column& column_;
  std::uint32_t parity_, z_, index_, shift_;
  std::uint32_t below_[G], here_[G], coupling_below_ = 0;
};

/// Updates a site of a group of replicas; returns the lanes that are still undecided. `fields` are those of the parity
/// in the full lattice, if the field has words.
template <class T, class Decision>
__device__ __forceinline__ auto update_member_site(const MemberPlanes<T::dimension>& b,
                                                   const MemberSite<T, Decision::group>& site, std::uint32_t parity,
                                                   const std::uint32_t* fields, const HalfSweep& s,
                                                   const Decision& decide) {
  constexpr int G = Decision::group, neighbours = T::neighbours;
  const std::uint32_t address = b.first_site() + site.index;
  std::uint32_t* mine = b.own.spins(parity) + site.index;
  if constexpr (decides_in_field<T, Decision>) {
    Site<T, std::uint32_t> words = {};
    words.spin = site.spin[0];
#pragma unroll
    for (int k = 0; k < neighbours; ++k) {
      words.neighbour[k] = site.neighbour[0][k];
      if constexpr (T::has_couplings) words.coupling[k] = site.coupling[k];
    }
    if constexpr (T::has_field_words) words.field = fields[address];
    typename Decision::Pending pending;
    *mine = words.spin ^ decide.decided_flips(s, address, words, pending);
    return pending;
  } else {
    std::uint32_t spin[G], bond[G][neighbours];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      spin[r] = site.spin[r];
#pragma unroll
      for (int k = 0; k < neighbours; ++k)
        bond[r][k] = xor3(spin[r], T::has_couplings ? site.coupling[k] : 0, site.neighbour[r][k]);
    }
    const auto pending = decide(s, address, decide.draw(s, address), spin, bond);
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * b.own.sites] = spin[r];
    return pending;
  }
}

/// Whether a lattice may be distributed over a cluster.
template <class T, class Decision>
inline constexpr bool has_clusters = Decision::group == 1 && !T::has_couplings;

/// Words of shared memory of the spins and, if COUPLINGS, the bonds of a block, a multiple of the entry of a WarpQueue.
template <class T, class Decision, bool COUPLINGS = T::has_couplings>
PSFLIP_HD constexpr std::size_t member_pack_words(std::uint32_t sites) {
  return (SharedPack<T::dimension, Decision::group, COUPLINGS>::words(sites) + 3) / 4 * 4;
}
/// Of its queue.
template <class Decision>
constexpr std::size_t member_queue_words(const MemberShape& shape) {
  return MemberQueue<Decision>::words(shape.threads, shape.places);
}

template <class T, class Decision, bool CLUSTER>
__device__ __forceinline__ MemberPlanes<T::dimension> make_member_planes(std::uint32_t* shared, std::uint32_t L,
                                                                         const MemberShape& shape) {
  using Pack = SharedPack<T::dimension, Decision::group, T::has_couplings>;
  const std::uint32_t plane = T::dimension == 3 ? L * L / 2 : L / 2, rank = CLUSTER ? cluster::rank() : 0,
                      below = rank == 0 ? shape.blocks - 1 : rank - 1, above = rank + 1 == shape.blocks ? 0 : rank + 1;
  const auto planes_of = [&](std::uint32_t r) { return min(shape.planes, L - r * shape.planes); };
  const PackView own = Pack::view(shared, plane * shape.planes);
  MemberPlanes<T::dimension> b{own, own, own, L, plane, rank * shape.planes, planes_of(rank), planes_of(below)};
  if constexpr (CLUSTER) {
    b.below = Pack::view(cluster::shared_of(shared, below), plane * shape.planes);
    b.above = Pack::view(cluster::shared_of(shared, above), plane * shape.planes);
  }
  return b;
}

template <bool CLUSTER>
__device__ __forceinline__ void synchronize_cluster() {
  if constexpr (CLUSTER)
    cluster::sync();
  else
    __syncthreads();
}

/// Planes begin ... end - 1 of a column of a thread block, which a thread updates; none if there is no such segment.
struct MemberSegment {
  Column column;
  std::uint32_t begin, end;

  template <int D>
  __device__ __forceinline__ MemberSegment(std::uint32_t number, const MemberPlanes<D>& block, const MemberShape& shape)
      : column(number % block.plane, block.L), begin(number / block.plane * shape.length) {
    if (begin >= block.count)
      begin = 0, end = 0;
    else
      end = min(begin + shape.length, block.count);
  }
};

/// A half sweep of the lattice of this thread block or cluster. `fields`: of the pack. `segment`: the first one of this
/// thread. All threads of a warp take the same number of steps, as WarpQueue requires.
template <class T, class Decision, bool CLUSTER>
__device__ __forceinline__ void sweep_member(const MemberPlanes<T::dimension>& block, MemberSegment segment,
                                             const MemberShape& shape, const std::uint32_t* fields, const HalfSweep& s,
                                             std::uint32_t parity, MemberQueue<Decision>& queue,
                                             const Decision& decide) {
  const std::uint32_t all = block.plane * shape.segments;
  for (std::uint32_t first = 0;;) {
    MemberColumn<T, Decision::group, CLUSTER> sites(block, segment.column, parity, segment.begin);
#pragma unroll 1
    for (std::uint32_t k = 0, z = segment.begin; k < shape.length; ++k, ++z) {
      const std::uint32_t i = sites.index();
      typename Decision::Pending pending = {};
      if (z < segment.end) pending = update_member_site<T>(block, sites.next(), parity, fields, s, decide);
      queue.push(pending, i, s, parity);
    }
    first += blockDim.x;
    if (first >= all) break;
    segment = MemberSegment(first + threadIdx.x, block, shape);
  }
  queue.finish(s, parity);
  synchronize_cluster<CLUSTER>();
}

/// Many half sweeps of groups of replicas, numbered [group][pack] in the schedule. Grid (clusters x blocks of a
/// cluster).
template <class T, class Decision, bool CLUSTER>
__global__ void __launch_bounds__(member_block_threads, 2)
    member_kernel(std::uint32_t* spins, const std::uint32_t* couplings, const std::uint32_t* fields, Layout layout,
                  const __grid_constant__ KeySchedule keys, const __grid_constant__ Schedule schedule,
                  std::uint32_t packs, std::uint32_t first_replica, MemberShape shape,
                  const __grid_constant__ Decision decide) {
  static_assert(!CLUSTER || has_clusters<T, Decision>, "bonds to the block below are not read");
  constexpr int D = T::dimension;
  using Pack = SharedPack<D, Decision::group, T::has_couplings>;
  std::uint32_t* shared = shared_memory();
  const std::uint32_t L = layout.L;
  const MemberPlanes<D> block = make_member_planes<T, Decision, CLUSTER>(shared, L, shape);
  MemberQueue<Decision> queue(shared + member_pack_words<T, Decision>(block.own.sites), shape.places, block.own,
                              block.first_site(), decide);
  const MemberSegment first(threadIdx.x, block, shape);
  for (std::uint32_t task = blockIdx.x / shape.blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t number = schedule.pack(task), interval = schedule.interval(task), group = number / packs,
                        pack = number - group * packs, replica = first_replica + Decision::group * group;
    const PackView global = layout.view<D>(spins, couplings, pack, replica);
    schedule.wait_for(number, interval);
    Pack::load(global, shared, block.own.sites, block.first_site(), block.count * block.plane);
    queue.clear();
    synchronize_cluster<CLUSTER>();
    for (std::uint32_t h = schedule.begin(interval); h != schedule.end(interval); ++h)
      sweep_member<T, Decision, CLUSTER>(block, first, shape, layout.fields(fields, pack, h & 1u),
                                         HalfSweep(keys, layout.first_pack + pack, h, replica), h & 1u, queue, decide);
    Pack::store(global, shared, block.own.sites, block.first_site(), block.count * block.plane);
    __threadfence();
    synchronize_cluster<CLUSTER>();
    schedule.set_done(number, interval, CLUSTER ? cluster::rank() : 0);
  }
}

}  // namespace psflip::cuda
