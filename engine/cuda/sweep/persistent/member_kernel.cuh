#pragma once
#include "engine/cuda/device/cluster.cuh"
#include "engine/cuda/sweep/persistent/lane_queue.cuh"
#include "engine/cuda/sweep/persistent/member_shape.hpp"
#include "engine/cuda/sweep/persistent/schedule.cuh"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/update_site.cuh"

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

  __device__ __forceinline__ std::uint32_t rows() const { return D == 3 ? count * L : count; }
  __device__ __forceinline__ std::uint32_t first_site() const { return first * plane; }
};

/// The rows that a thread updates: one in `step` of the rows of its block. In three dimensions y and z are followed, so
/// that no step divides.
template <int D>
class RowsOfThread {
 public:
  std::uint32_t row, y, z;  ///< number in the block; coordinates in the block (in two dimensions y is the number)

  __device__ __forceinline__ RowsOfThread(std::uint32_t first, std::uint32_t step, std::uint32_t L)
      : row(first),
        y(D == 3 ? first % L : first),
        z(D == 3 ? first / L : 0),
        L_(L),
        step_(step),
        step_y_(D == 3 ? step % L : step),
        step_z_(D == 3 ? step / L : 0) {}

  __device__ __forceinline__ void next() {
    row += step_;
    y += step_y_;
    z += step_z_;
    if (D == 3 && y >= L_) {
      y -= L_;
      ++z;
    }
  }
  /// Plane of the row in its block.
  __device__ __forceinline__ std::uint32_t plane() const { return D == 3 ? z : y; }

 private:
  std::uint32_t L_, step_, step_y_, step_z_;
};

/// A site of this thread block and the places of its neighbours in shared memory.
template <int D, bool CLUSTER>
struct MemberSite {
  std::uint32_t index;             ///< in the block
  std::uint32_t neighbour[2 * D];  ///< in the block, or in the block above or below
  bool at_top, at_bottom;          ///< whether the last two are in another block

  __device__ __forceinline__ MemberSite(const MemberPlanes<D>& b, const RowsOfThread<D>& r, std::uint32_t column,
                                        std::uint32_t parity) {
    const Lattice<D> lattice{b.L};
    const std::uint32_t half = b.L / 2, begin = r.row * half, shift = (r.y + r.z + b.first + parity) & 1u,
                        in_plane = D == 3 ? r.y * half + column : column;
    index = begin + column;
    neighbour[0] = begin + lattice.right(column, shift);
    neighbour[1] = begin + lattice.left(column, shift);
    if constexpr (D == 3) {
      neighbour[2] = r.y + 1 == b.L ? index - b.plane + half : index + half;
      neighbour[3] = r.y == 0 ? index + b.plane - half : index - half;
    }
    at_top = r.plane() + 1 == b.count;
    at_bottom = r.plane() == 0;
    neighbour[2 * D - 2] = at_top ? in_plane : index + b.plane;
    neighbour[2 * D - 1] = at_bottom ? (b.count_below - 1) * b.plane + in_plane : index - b.plane;
  }

  /// The word of neighbour k of replica r. `parity` is that of the neighbours.
  __device__ __forceinline__ std::uint32_t word(const MemberPlanes<D>& b, int k, int r, std::uint32_t parity) const {
    const std::uint32_t i = r * b.own.sites + neighbour[k];
    if constexpr (CLUSTER) {
      if (k == 2 * D - 2 && at_top) return b.above.spins(parity)[i];
      if (k == 2 * D - 1 && at_bottom) return b.below.spins(parity)[i];
    }
    return b.own.spins(parity)[i];
  }
};

/// Updates a site of a group of replicas; returns the lanes that are still undecided. `fields` are those of the parity
/// in the full lattice, if the field has words.
template <class T, bool CLUSTER, class Decision>
__device__ __forceinline__ auto update_member_site(const MemberPlanes<T::dimension>& b,
                                                   const MemberSite<T::dimension, CLUSTER>& site, std::uint32_t parity,
                                                   const std::uint32_t* fields, const HalfSweep& s,
                                                   const Decision& decide) {
  constexpr int G = Decision::group;
  const std::uint32_t address = b.first_site() + site.index;
  std::uint32_t* mine = b.own.spins(parity) + site.index;
  if constexpr (decides_in_field<T, Decision>) {
    Site<T, std::uint32_t> words = {};
    words.spin = *mine;
#pragma unroll
    for (int k = 0; k < T::neighbours; ++k) words.neighbour[k] = site.word(b, k, 0, 1 - parity);
    if constexpr (T::has_couplings) load_couplings<T>(b.own, parity, site.index, site.neighbour, words.coupling);
    if constexpr (T::has_field_words) words.field = fields[address];
    typename Decision::Pending pending;
    *mine = words.spin ^ decide.decided_flips(s, address, words, pending);
    return pending;
  } else {
    std::uint32_t J[T::neighbours] = {}, spin[G], bond[G][T::neighbours];
    if constexpr (T::has_couplings) load_couplings<T>(b.own, parity, site.index, site.neighbour, J);
#pragma unroll
    for (int r = 0; r < G; ++r) {
      spin[r] = mine[r * b.own.sites];
#pragma unroll
      for (int k = 0; k < T::neighbours; ++k) bond[r][k] = xor3(spin[r], J[k], site.word(b, k, r, 1 - parity));
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

/// Words of shared memory of the spins and bonds of a block.
template <class T, class Decision>
PSFLIP_HD constexpr std::size_t member_pack_words(std::uint32_t sites) {
  return SharedPack<T::dimension, Decision::group, T::has_couplings>::words(sites);
}
/// Of its queue.
template <class Decision>
constexpr std::size_t member_queue_words(const MemberShape& shape) {
  return Decision::uses_queue ? LaneQueue::words(shape.places) : 0;
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

/// A half sweep of the lattice of this thread block or cluster. `fields`: of the pack.
template <class T, class Decision, bool CLUSTER>
__device__ __forceinline__ void sweep_member(const MemberPlanes<T::dimension>& block,
                                             const RowsOfThread<T::dimension>& first_row, std::uint32_t rows_at_once,
                                             const std::uint32_t* fields, const HalfSweep& s, std::uint32_t parity,
                                             LaneQueue& queue, const Decision& decide) {
  const std::uint32_t half = block.L / 2, column = threadIdx.x % half, rows = block.rows();
  const auto decide_lane = [&](const UndecidedLane& undecided) {
    if constexpr (Decision::uses_queue) {
      const std::uint32_t r = Decision::group == 1 ? 0 : undecided.word / block.own.sites,
                          site = block.first_site() + undecided.word - r * block.own.sites;
      if (decide.flips_lane(s, site, s.first_replica + r, undecided.index, undecided.lane))
        atomicXor(block.own.spins(parity) + undecided.word, 1u << undecided.lane);
    }
  };
  RowsOfThread<T::dimension> r = first_row;
  if (threadIdx.x / half >= rows_at_once) r.row = rows;  // some threads complete the last warp
#pragma unroll 1
  for (; r.row < rows; r.next()) {
    const MemberSite<T::dimension, CLUSTER> site(block, r, column, parity);
    const auto pending = update_member_site<T>(block, site, parity, fields, s, decide);
    if constexpr (Decision::uses_queue)
      for_each_word(pending, [&](int replica, std::uint32_t equal, const auto& bit) {
        queue.push(equal, bit, replica * block.own.sites + site.index, parity, decide_lane);
      });
  }
  if constexpr (Decision::uses_queue) queue.settle(parity, decide_lane);
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
  LaneQueue queue(shared + member_pack_words<T, Decision>(block.own.sites), shape.places);
  const RowsOfThread<D> first_row(threadIdx.x / (L / 2), shape.rows, L);
  for (std::uint32_t task = blockIdx.x / shape.blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t number = schedule.pack(task), interval = schedule.interval(task), group = number / packs,
                        pack = number - group * packs, replica = first_replica + Decision::group * group;
    const PackView global = layout.view<D>(spins, couplings, pack, replica);
    schedule.wait_for(number, interval);
    Pack::load(global, shared, block.own.sites, block.first_site(), block.count * block.plane);
    if constexpr (Decision::uses_queue) queue.clear();
    synchronize_cluster<CLUSTER>();
    for (std::uint32_t h = schedule.begin(interval); h != schedule.end(interval); ++h)
      sweep_member<T, Decision, CLUSTER>(block, first_row, shape.rows, layout.fields(fields, pack, h & 1u),
                                         HalfSweep(keys, layout.first_pack + pack, h, replica), h & 1u, queue, decide);
    Pack::store(global, shared, block.own.sites, block.first_site(), block.count * block.plane);
    __threadfence();
    synchronize_cluster<CLUSTER>();
    schedule.set_done(number, interval, CLUSTER ? cluster::rank() : 0);
  }
}

}  // namespace psflip::cuda
