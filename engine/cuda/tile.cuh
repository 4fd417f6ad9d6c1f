#pragma once
#include "engine/cuda/march.cuh"

/// Tiles: the shared memory of many blocks holds one pack together, each block some rows of some planes. A tile needs
/// the words around it, so every block writes the words at its faces also to global memory, where the neighbours read
/// them (through L2), and flags say how far each warp is. This file: what one warp, a row of its tile, does in a half
/// sweep.
namespace psflip::cuda {

/// Rows and planes of a tile of a lattice whose rows are one warp wide.
template <int L_, int ROWS, int PLANES>
struct Tiling {
  static constexpr std::uint32_t L = L_, rows = ROWS, planes = PLANES;
  static constexpr std::uint32_t across = L / rows, deep = L / planes, tiles = across * deep;
  static constexpr std::uint32_t threads = 32 * rows, plane = 32 * rows, words = plane * planes;  ///< of one parity
  static constexpr std::uint32_t lattice_plane = 32 * L, sites = lattice_plane * L;               ///< of one parity
  static_assert(L == 64 && L % rows == 0 && L % planes == 0 && planes % 2 == 0 && planes >= 8);
  static constexpr std::size_t bytes(int G) { return std::size_t{4} * (2 * G + 6) * words; }
};

/// Loads and stores of words that other multiprocessors write and read during the launch.
__device__ __forceinline__ std::uint32_t load_strong(const std::uint32_t* from) {
  std::uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}
__device__ __forceinline__ void store_strong(std::uint32_t* to, std::uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

/// Flags of the warps of all tiles, which keep neighbours less than a half sweep apart. A warp publishes 2 e + 1 when
/// in half sweep e of the launch it has done all but its last `late_planes` planes, and, at an edge along y, 2 e + 2
/// for these, which it does in half sweep e + 1. It waits for what was published some planes earlier, so it rarely
/// waits.
struct TileFlags {
  std::uint32_t* mine;
  const std::uint32_t* other;  ///< of the warp that this lane watches
  bool watches, watches_late;
  std::uint32_t seen;

  __device__ __forceinline__ void look() { seen = watches ? load_strong(other) : 0; }
  /// After look(): returns when all warps that matter have published `value` or more. The loads of their words are
  /// issued behind the branch that this takes, and bypass L1.
  __device__ __forceinline__ void wait(std::uint32_t value) {
    while (__any_sync(~0u, watches && static_cast<int>(seen - value) < 0)) look();
  }
  __device__ __forceinline__ void look_late() { seen = watches_late ? load_strong(other) : 0; }
  __device__ __forceinline__ void wait_late(std::uint32_t value) {
    while (__any_sync(~0u, watches_late && static_cast<int>(seen - value) < 0)) look_late();
  }
  __device__ __forceinline__ void publish(std::uint32_t value) const {
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) store_strong(mine, value);
  }
};

inline constexpr std::uint32_t late_planes = 3;

enum class Edge { none, low, high };  ///< of a tile along y

/// Where a thread finds its column: in shared memory that of its tile, in global memory also those beyond the faces.
template <class T>
struct TileColumn {
  Column column;  ///< x and y of the lattice; the steps along y hold inside the tile only
  Edge edge;
  PackView global;
  std::uint32_t first;         ///< index of the site at plane 0 of the tile, in the lattice
  std::uint32_t below, above;  ///< of the sites at planes -1 and T::planes
  std::uint32_t beside;        ///< of the site in the row beyond the edge, at plane 0 of the tile

  __device__ __forceinline__ explicit TileColumn(std::uint32_t tile)
      : column(threadIdx.x % 32 + 32 * (tile % T::across * T::rows + threadIdx.x / 32), T::L) {
    const std::uint32_t row = threadIdx.x / 32, z = tile / T::across * T::planes, lane = threadIdx.x % 32;
    edge = row == 0 ? Edge::low : row == T::rows - 1 ? Edge::high : Edge::none;
    const auto at = [&](std::uint32_t y, std::uint32_t plane) { return (plane % T::L * T::L + y % T::L) * 32 + lane; };
    first = at(column.y, z);
    below = at(column.y, z + T::L - 1);
    above = at(column.y, z + T::planes);
    beside = at(edge == Edge::low ? column.y + T::L - 1 : column.y + 1, z);
    column.place = threadIdx.x;
    column.up = 32;
    column.down = -32;
  }
};

/// A half sweep of one thread: its sites of one parity, from the middle plane up and then from the lowest to the
/// middle, so that the words at the faces are neither the first needed nor the last made.
template <class T, int G>
struct TileMarch {
  static constexpr std::uint32_t W = T::words, S = T::sites;
  const TileColumn<T>& c;
  std::uint32_t* mine;
  const std::uint32_t *other, *my_J, *other_J;
  std::uint32_t* my_global;
  const std::uint32_t *other_global, *other_J_global;
  RowStep now, then;
  std::uint32_t last[G], here[G], J_before;

  PSFLIP_HD static constexpr std::uint32_t plane_of(std::uint32_t k) { return (k + T::planes / 2) % T::planes; }

  __device__ __forceinline__ TileMarch(const TileColumn<T>& c_, std::uint32_t* shared, std::uint32_t parity)
      : c(c_),
        mine(shared + parity * G * W + c.column.place),
        other(shared + (1 - parity) * G * W + c.column.place),
        my_J(shared + (2 * G + 3 * parity) * W + c.column.place),
        other_J(shared + (2 * G + 3 * (1 - parity)) * W + c.column.place),
        my_global(c.global.spins(parity)),
        other_global(c.global.spins(1 - parity)),
        other_J_global(c.global.couplings(1 - parity)),
        now(c.column, (c.column.y + parity + T::planes / 2) & 1u, my_J, other_J),  // tiles begin at even z
        then(c.column, (c.column.y + parity + T::planes / 2 + 1) & 1u, my_J, other_J) {
    constexpr std::uint32_t before = (T::planes / 2 - 1) * T::plane;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      last[r] = other[r * W + before];
      here[r] = other[r * W + before + T::plane];
    }
    J_before = other_J[2 * W + before];
  }

  /// The neighbours along y of the site at plane z and the coupling to the lower one.
  __device__ __forceinline__ void load_beside(Operands<G>& a, std::uint32_t z) const {
    const std::uint32_t i = z * T::plane, far = c.beside + z * T::lattice_plane;
    if (c.edge == Edge::none) {
      a.coupling[3] = other_J[W + i - 32];
#pragma unroll
      for (int r = 0; r < G; ++r) {
        a.up[r] = other[r * W + i + 32];
        a.down[r] = other[r * W + i - 32];
      }
    } else if (c.edge == Edge::low) {
      a.coupling[3] = __ldg(other_J_global + S + far);
#pragma unroll
      for (int r = 0; r < G; ++r) {
        a.up[r] = other[r * W + i + 32];
        a.down[r] = load_strong(other_global + far + r * S);
      }
    } else {
      a.coupling[3] = other_J[W + i - 32];
#pragma unroll
      for (int r = 0; r < G; ++r) {
        a.up[r] = load_strong(other_global + far + r * S);
        a.down[r] = other[r * W + i - 32];
      }
    }
  }

  /// Operands of the k-th site.
  __device__ __forceinline__ Operands<G> load(std::uint32_t k) {
    const std::uint32_t z = plane_of(k), i = z * T::plane;
    Operands<G> a;
    a.coupling[0] = now.coupling_here[i];
    a.coupling[1] = now.coupling_side[i];
    a.coupling[2] = my_J[W + i];
    a.coupling[4] = my_J[2 * W + i];
    a.coupling[5] = z == 0 ? __ldg(other_J_global + 2 * S + c.below) : J_before;
    load_beside(a, z);
#pragma unroll
    for (int r = 0; r < G; ++r) {
      a.spin[r] = mine[r * W + i];
      a.side[r] = other[r * W + i + now.side];
      a.next[r] = z + 1 == T::planes ? load_strong(other_global + c.above + r * S) : other[r * W + i + T::plane];
    }
    J_before = other_J[2 * W + i];
    const RowStep again = now;
    now = then;
    then = again;
    return a;
  }

  /// The march goes on at plane 0: the words of planes -1 and 0.
  __device__ __forceinline__ void turn(const std::uint32_t (&lower)[G]) {
#pragma unroll
    for (int r = 0; r < G; ++r) {
      last[r] = lower[r];
      here[r] = other[r * W];
    }
  }
  __device__ __forceinline__ void load_lower(std::uint32_t (&lower)[G]) const {
#pragma unroll
    for (int r = 0; r < G; ++r) lower[r] = load_strong(other_global + c.below + r * S);
  }

  __device__ __forceinline__ void bonds(const Operands<G>& a, std::uint32_t (&bond)[G][6]) {
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t neighbour[6] = {here[r], a.side[r], a.up[r], a.down[r], a.next[r], last[r]};
#pragma unroll
      for (int n = 0; n < 6; ++n) bond[r][n] = xor3(a.spin[r], a.coupling[n], neighbour[n]);
      last[r] = here[r];
      here[r] = a.next[r];
    }
  }

  __device__ __forceinline__ void store(const Operands<G>& a, std::uint32_t z) {
#pragma unroll
    for (int r = 0; r < G; ++r) mine[r * W + z * T::plane] = a.spin[r];
    if (z == 0 || z + 1 == T::planes || c.edge != Edge::none) {
#pragma unroll
      for (int r = 0; r < G; ++r) store_strong(my_global + c.first + z * T::lattice_plane + r * S, a.spin[r]);
    }
  }
};

/// Half sweep `event` of the launch: s in the contract, and `next` the one after it, whose first numbers `drawn` holds
/// in the end.
template <class T, class Decision>
__device__ __forceinline__ void update_tile(const TileColumn<T>& c, std::uint32_t* shared, std::uint32_t parity,
                                            const HalfSweep& s, const HalfSweep& next, std::uint32_t event,
                                            TileFlags& flags, const Decision& decide, typename Decision::Drawn& drawn) {
  constexpr int G = Decision::group;
  constexpr std::uint32_t N = T::planes, turn = N / 2;
  const bool edge = c.edge != Edge::none;
  flags.wait(2 * event - 1);
  TileMarch<T, G> m(c, shared, parity);
  Operands<G> a = m.load(0), b = a;
  std::uint32_t lower[G];
#pragma unroll
  for (std::uint32_t k = 0; k < N; ++k) {
    const std::uint32_t z = m.plane_of(k), site = c.first + z * T::lattice_plane;
    const auto after = decide.draw(k + 1 == N ? next : s, c.first + m.plane_of(k + 1) * T::lattice_plane);
    if (k + 1 == N - late_planes && edge) flags.wait_late(2 * event);
    if (k + 1 < N) b = m.load(k + 1);
    if (k + 1 == turn) m.load_lower(lower);
    if (k == turn) m.turn(lower);
    std::uint32_t bond[G][6];
    m.bonds(a, bond);
    decide(s, site, drawn, a.spin, bond);
    m.store(a, z);
    if (k == 1 && edge) flags.publish(2 * event);
    if (k == 3 && edge) flags.look_late();
    if (k + 1 == N - late_planes) flags.publish(2 * event + 1);
    if (k + 2 == N) flags.look();
    drawn = after;
    a = b;
  }
}

}  // namespace psflip::cuda
