#pragma once
#include "engine/cuda/measure/bit_counter.cuh"
#include "engine/cuda/measure/count_job.hpp"
#include "engine/cuda/measure/pair.cuh"
#include "engine/cuda/measure/traversal.cuh"
#include "engine/models/integer_words.hpp"

/// Measurement of any integer that is a sum, from the words of its sites.
namespace psflip::cuda {

/// One site of a path with traits T, as engine/models/integer_words.hpp requires it.
template <class T>
struct SiteOfPath {
  const std::uint32_t *spins, *opposite;  ///< of its own parity at the site, of the other at its compact index
  const std::uint32_t *coupling, *field;
  std::ptrdiff_t sites;                  ///< from one replica or direction to the next
  std::ptrdiff_t forward[T::dimension];  ///< from `opposite` to the neighbours in positive directions

  __device__ std::uint32_t spin(std::size_t r) const { return spins[static_cast<std::ptrdiff_t>(r) * sites]; }
  __device__ std::uint32_t unlike(std::size_t r, int mu) const {
    return spin(r) ^ opposite[static_cast<std::ptrdiff_t>(r) * sites + forward[mu]];
  }
  __device__ std::uint32_t unsatisfied(std::size_t r, int mu) const {
    return T::has_couplings ? unlike(r, mu) ^ coupling[mu * sites] : unlike(r, mu);
  }
  __device__ std::uint32_t against(std::size_t r) const { return T::has_field_words ? spin(r) ^ *field : spin(r); }
};

/// The sites of one thread along its path, two at each step.
template <class T>
struct PathSites {
  const PackView& v;
  const std::uint32_t* fields;  ///< of both parities, `v.sites` words apart
  const Traversal& traversal;
  const Path& path;
  StepsToNeighbours to;

  __device__ SiteOfPath<T> site(std::uint32_t step, std::uint32_t odd_x) const {
    const std::uint32_t parity = (traversal.origin + path.line + step + odd_x) & 1u,
                        index = path.index + step * traversal.step_stride;
    const bool last = traversal.closed && step + 1 == traversal.steps;
    SiteOfPath<T> site{
        v.spins(parity) + index,           v.spins(1 - parity) + index,          v.couplings(parity) + index,
        fields + parity * v.sites + index, static_cast<std::ptrdiff_t>(v.sites), {}};
    site.forward[0] = odd_x != 0 ? to.right : 0;
    if constexpr (T::dimension == 3) site.forward[1] = to.up;
    site.forward[T::dimension - 1] = last ? to.ahead - to.ahead * traversal.steps : to.ahead;
    return site;
  }
};

/// Adds the set bits of integer X of one warp traversal along the last axis to `counts`, one for each sample. `i`:
/// replica or pair.
template <class T, class X, class Job>
__device__ __forceinline__ void add_sum(const Job& job, std::uint32_t pack, const Traversal& traversal,
                                        std::uint32_t number, std::uint32_t i, int* counts) {
  constexpr int per_site = words_of_site<X, T>;
  const Path path(traversal, WarpTraversal(traversal, number), threadIdx.x);
  const PackView v = job.template view<T::dimension>(pack, 0);
  const PathSites<T> sites{v, job.fields_of(pack), traversal, path, {traversal, path, job.rows.L}};
  const Pair members = is_of_pairs<X> ? Pair::number(i, job.rows.replicas) : Pair{i, i};
  Counter<11> counter;  // of 248 steps, two sites and three words at most
  for (std::uint32_t step = path.begin; step < path.end; step += 4) {
    std::uint32_t words[8 * per_site] = {};
#pragma unroll
    for (std::uint32_t k = 0; k < 8; ++k) {
      if (step + k / 2 >= path.end) break;
      const SiteOfPath<T> site = sites.site(step + k / 2, k % 2);
#pragma unroll
      for (int n = 0; n < per_site; ++n) words[k * per_site + n] = X::word(site, members.a, members.b, n);
    }
    counter.template add<per_site>(words);
  }
  atomicAdd(counts + threadIdx.x, sum_over_warp(counter));
}

/// Adds the set bits of integer X to counts[pack][replica or pair][sample], which are zero at the start. Grid (warp
/// traversals along the last axis, packs), block (32, warps); the warps of a block share the replicas or pairs.
template <class T, class X, class Job>
__global__ void __launch_bounds__(256)
    sum_kernel(const __grid_constant__ Job job, const __grid_constant__ Traversal traversal, std::uint32_t width,
               int* counts) {
  const std::uint32_t pack = job.first_pack + blockIdx.y;
  for (std::uint32_t i = threadIdx.y; i < width; i += blockDim.y)
    add_sum<T, X>(job, pack, traversal, blockIdx.x, i, counts + job.sums_of(pack, width) + 32 * i);
}

}  // namespace psflip::cuda
