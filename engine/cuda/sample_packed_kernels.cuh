#pragma once
#include "engine/cuda/cluster.cuh"
#include "engine/cuda/march.cuh"

/// Kernels for many samples of one lattice. A pack is one 32-bit word; memory is spins[pack][parity][replica][site] and
/// couplings[pack][parity][direction][site], sites by compact index, so neighbouring threads read neighbouring words.
namespace psflip::cuda {

/// Updates one site of G replicas in place: every backend loop over sites ends here.
template <int D, class Decision>
__device__ __forceinline__ void update_site(const PackView& v, std::uint32_t parity, std::uint32_t site,
                                            const std::uint32_t (&neighbour)[2 * D], const HalfSweep& s,
                                            const Decision& decide) {
  constexpr int G = Decision::group;
  std::uint32_t J[2 * D] = {};
  if constexpr (D == 3) {
#pragma unroll
    for (int mu = 0; mu < D; ++mu) {  // a site stores the bonds to its +mu neighbours
      J[2 * mu] = v.couplings(parity)[mu * v.sites + site];
      J[2 * mu + 1] = v.couplings(1 - parity)[mu * v.sites + neighbour[2 * mu + 1]];
    }
  }
  std::uint32_t spin[G], bond[G][2 * D];
#pragma unroll
  for (int r = 0; r < G; ++r) {
    const std::uint32_t* other = v.spins(1 - parity) + r * v.sites;
    spin[r] = v.spins(parity)[r * v.sites + site];
#pragma unroll
    for (int k = 0; k < 2 * D; ++k) bond[r][k] = xor3(spin[r], J[k], other[neighbour[k]]);
  }
  decide(s, site, spin, bond);
#pragma unroll
  for (int r = 0; r < G; ++r) v.spins(parity)[r * v.sites + site] = spin[r];
}

template <int D>
__device__ __forceinline__ void find_neighbours(const Lattice<D>& lattice, std::uint32_t parity, std::uint32_t site,
                                                std::uint32_t (&neighbour)[2 * D]) {
  const std::uint32_t number = site / lattice.half(), c = site - number * lattice.half();
  const Row<D> row = lattice.row(number, parity);
  neighbour[0] = row.begin + lattice.right(c, row.shift);
  neighbour[1] = row.begin + lattice.left(c, row.shift);
#pragma unroll
  for (int a = 0; a < D - 1; ++a) {
    neighbour[2 + 2 * a] = row.plus[a] + c;
    neighbour[3 + 2 * a] = row.minus[a] + c;
  }
}

/// One half sweep, one thread per site: for lattices that no SM can hold. Grid (sites, packs).
template <int D, class Decision>
__global__ void __launch_bounds__(256)
    half_sweep_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout, Key key,
                      std::uint32_t half_sweep, std::uint32_t first_replica, const __grid_constant__ Decision decide) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  const std::uint32_t parity = half_sweep & 1u;
  std::uint32_t neighbour[2 * D];
  find_neighbours(Lattice<D>{layout.L}, parity, site, neighbour);
  const HalfSweep s{key, layout.first_pack + blockIdx.y, half_sweep, first_replica};
  update_site<D>(layout.view<D>(spins, couplings, blockIdx.y, first_replica), parity, site, neighbour, s, decide);
}

/// Shared memory of one pack: spins[parity][replica of the group][site], then couplings[parity][direction][site].
template <int D, int G>
struct ResidentPack {
  static constexpr std::size_t words(std::size_t sites) { return (2 * G + (D == 3 ? 2 * D : 0)) * sites; }

  __device__ static PackView view(std::uint32_t* shared, std::uint32_t sites) {
    return {shared, shared + 2 * G * sites, sites, G * sites, D * sites};
  }
  /// Sites `first` ... `first + count - 1` of both parities; `sites` is the distance between replicas in shared memory.
  __device__ static void load(const PackView& global, std::uint32_t* shared, std::uint32_t sites, std::uint32_t first,
                              std::uint32_t count) {
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x)
      for (int parity = 0; parity < 2; ++parity) {
        for (int r = 0; r < G; ++r)
          shared[(parity * G + r) * sites + i] = global.spins(parity)[r * global.sites + first + i];
        for (int mu = 0; mu < D && D == 3; ++mu)
          shared[(2 * G + parity * D + mu) * sites + i] = global.couplings(parity)[mu * global.sites + first + i];
      }
  }
  __device__ static void store(const PackView& global, const std::uint32_t* shared, std::uint32_t sites,
                               std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x)
      for (int parity = 0; parity < 2; ++parity)
        for (int r = 0; r < G; ++r)
          global.spins(parity)[r * global.sites + first + i] = shared[(parity * G + r) * sites + i];
  }
};

/// How a lattice is laid over blocks and threads.
struct ResidentShape {
  std::uint32_t blocks;  ///< of a cluster
  std::uint32_t planes;  ///< of a block; the last block may have fewer
  std::uint32_t run;     ///< planes that one thread marches through

  friend bool operator==(const ResidentShape& a, const ResidentShape& b) {
    return a.blocks == b.blocks && a.planes == b.planes && a.run == b.run;
  }
};

/// A shape that the compiler knows, so that addresses become constants and the march unrolls; 0 stands for a number
/// known only at launch. With a known L all blocks hold PLANES planes and all threads march through RUN of them.
template <int L_, int BLOCKS, int PLANES, int RUN>
struct KnownShape {
  static constexpr int L = L_, blocks = BLOCKS, run = RUN;
  __host__ __device__ static ResidentShape shape(const ResidentShape& given) {
    return {BLOCKS ? BLOCKS : given.blocks, PLANES ? PLANES : given.planes, RUN ? RUN : given.run};
  }
  static bool fits(std::uint32_t lattice, const ResidentShape& given) { return lattice == L_ && shape(given) == given; }
};

/// Many half sweeps of the square lattice with a pack in shared memory. Grid (packs).
template <class Decision>
__global__ void __launch_bounds__(512)
    resident_square_kernel(std::uint32_t* spins, Layout layout, Key key, std::uint32_t first_half_sweep,
                           std::uint32_t half_sweeps, const __grid_constant__ Decision decide) {
  extern __shared__ std::uint32_t shared[];
  using Pack = ResidentPack<2, Decision::group>;
  const std::uint32_t sites = layout.sites;
  const PackView global = layout.view<2>(spins, nullptr, blockIdx.x, 0);
  Pack::load(global, shared, sites, 0, sites);
  __syncthreads();
  HalfSweep s{key, layout.first_pack + blockIdx.x, first_half_sweep, 0};
  for (std::uint32_t k = 0; k < half_sweeps; ++k, ++s.half_sweep) {
    for (std::uint32_t site = threadIdx.x; site < sites; site += blockDim.x) {
      std::uint32_t neighbour[4];
      find_neighbours(Lattice<2>{layout.L}, s.half_sweep & 1u, site, neighbour);
      update_site<2>(Pack::view(shared, sites), s.half_sweep & 1u, site, neighbour, s, decide);
    }
    __syncthreads();
  }
  Pack::store(global, shared, sites, 0, sites);
}

/// Many half sweeps of the cubic lattice with a pack in the shared memory of one block, or of a cluster of blocks that
/// hold a slab of planes each and read each other's. Grid (packs x blocks of a cluster); a thread keeps its
/// column and a run of its planes.
template <class Known, class Decision>
__global__ void __launch_bounds__(512)
    resident_cubic_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout, Key key,
                          std::uint32_t first_half_sweep, std::uint32_t half_sweeps, std::uint32_t first_replica,
                          ResidentShape given, const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group;
  constexpr bool CLUSTER = Known::blocks != 1;
  extern __shared__ std::uint32_t shared[];
  using Pack = ResidentPack<3, G>;
  const ResidentShape shape = Known::shape(given);
  const std::uint32_t blocks = shape.blocks, rank = CLUSTER ? cluster::rank() : 0;
  const std::uint32_t L = Known::L ? Known::L : layout.L, plane = L * L / 2, sites = shape.planes * plane;
  const auto planes_of = [&](std::uint32_t r) {
    return Known::L ? shape.planes : min(shape.planes, L - r * shape.planes);
  };
  Slab slab;
  slab.own = slab.below = slab.above = Pack::view(shared, sites);
  slab.plane = plane;
  slab.planes = planes_of(rank);
  slab.planes_below = planes_of(rank == 0 ? blocks - 1 : rank - 1);
  slab.first_plane = rank * shape.planes;
  const std::uint32_t pack = blockIdx.x / blocks, first = slab.first_plane * plane, count = slab.planes * plane;
  const PackView global = layout.view<3>(spins, couplings, pack, first_replica);
  const auto meet = [&] {
    if constexpr (CLUSTER)
      cluster::sync();
    else
      __syncthreads();
  };
  if constexpr (CLUSTER) {
    slab.below = Pack::view(cluster::shared_of(shared, rank == 0 ? blocks - 1 : rank - 1), sites);
    slab.above = Pack::view(cluster::shared_of(shared, rank + 1 == blocks ? 0 : rank + 1), sites);
  }
  Pack::load(global, shared, sites, first, count);
  meet();
  const Column column(threadIdx.x % plane, L);
  const std::uint32_t z0 = threadIdx.x / plane * shape.run, z1 = min(slab.planes, z0 + shape.run);
  HalfSweep s{key, layout.first_pack + pack, first_half_sweep, first_replica};
  for (std::uint32_t k = 0; k < half_sweeps; ++k, ++s.half_sweep) {
    if (z0 < z1) march<G, Known::run>(slab, column, z0, z1, s, decide);
    meet();
  }
  Pack::store(global, shared, sites, first, count);
}

/// Couplings and spins at half sweep 0 from their addresses. Grid (sites, packs).
template <int D>
__global__ void fill_couplings_kernel(std::uint32_t* couplings, Layout layout, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const auto u = numbers_at(key, site, parity, layout.first_pack + blockIdx.y, 0, 0);
    for (int mu = 0; mu < D; ++mu)
      couplings[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * D + mu) * layout.sites + site] = u.x[mu];
  }
}

static __global__ void fill_spins_kernel(std::uint32_t* spins, Layout layout, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t r0 = 0; r0 < layout.replicas; r0 += 4) {
      const auto u = numbers_at(key, site, parity, layout.first_pack + blockIdx.y, r0 >> 2, 0);
      for (std::uint32_t r = r0; r < r0 + 4 && r < layout.replicas; ++r)
        spins[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * layout.replicas + r) * layout.sites + site] =
            u.x[r - r0];
    }
}

}  // namespace psflip::cuda
