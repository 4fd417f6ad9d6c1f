#pragma once
#include "engine/core/address.hpp"
#include "engine/core/update.hpp"

/// Sites of one square lattice packed in words: 32 neighbours of one parity of one row. What a thread does to the V
/// words side by side that it owns in every row of its strip.
namespace psflip::cuda {

/// One half sweep of one lattice.
struct SiteSweep {
  std::uint32_t half_sweep;
  std::uint64_t sample;
};

/// The Metropolis decision for words of sites. Where both thresholds begin with LEADING zeros, a set bit in any of
/// these planes says u > threshold for every site.
template <int LEADING>
struct SiteDecision {
  KeySchedule keys;
  Thresholds thresholds;
  std::uint32_t plane[plane_count][2];  ///< bit j of threshold[n], all ones or zero

  SiteDecision(const Key& key, const Thresholds& t) : keys(key), thresholds(t) {
    for (int j = 0; j < plane_count; ++j)
      for (int n = 0; n < 2; ++n) plane[j][n] = 0u - ((t.by_unsatisfied[n] >> (31 - j)) & 1u);
  }

  /// Flips the words at `place`, `place` + 1, ... of the lattice as far as eight planes decide; `equal` are the sites
  /// that wait for their residual numbers, and of these `ones` have one unsatisfied bond.
  template <int V>
  __device__ __forceinline__ void operator()(const SiteSweep& s, std::uint32_t place, const std::uint32_t (&bond)[V][4],
                                             std::uint32_t (&spin)[V], std::uint32_t (&equal)[V],
                                             std::uint32_t (&ones)[V]) const {
    Four<std::uint32_t> u[2 * V];
#pragma unroll
    for (int k = 0; k < 2 * V; ++k)
      u[k] = {{place + k / 2, s.half_sweep, static_cast<std::uint32_t>(s.sample), counter_3(0, 0, k % 2, s.sample)}};
    philox_rounds<0>(u, keys);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const BondCount<std::uint32_t> n = count_unsatisfied(bond[v]);
      const std::uint32_t always = always_accepted(n, bond[v]);
      std::uint32_t less = 0;
      equal[v] = ~always;
#pragma unroll
      for (int j = plane_count - 1; j >= 0; --j) {
        const std::uint32_t bits = u[2 * v + j / 4].x[j % 4];
        if (j < LEADING) {
          less &= ~bits;
          equal[v] &= ~bits;
        } else {
          const std::uint32_t t = threshold_plane<2>(n, plane[j]);
          less = less_step(bits, t, less);
          equal[v] = equal_step(equal[v], bits, t);
        }
      }
      spin[v] = flip_where(spin[v], always, less);
      ones[v] = n.ones;
    }
  }
};

/// V words side by side that hold undecided sites.
template <int V>
struct Undecided {
  std::uint32_t place, equal[V], ones[V];
};

/// The undecided sites of a block, 2^-8 of all. They wait in shared memory until a warp has one for each of its
/// threads, since a residual number costs a call of Philox. Deferring is exact: the sites of one parity do not see each
/// other, and the residual of a site has an address of its own.
template <int V>
struct UndecidedQueue {
  Undecided<V>* entries;  ///< room for all that a block can push
  std::uint32_t* size;

  __device__ __forceinline__ void push(const Undecided<V>& u) const {
    std::uint32_t any = u.equal[0];
    if constexpr (V == 2) any |= u.equal[1];
    if (any != 0) entries[atomicAdd(size, 1u)] = u;
  }
};

/// Gives the lowest undecided site of `u` its residual number; true when sites are left.
template <int V, class Decision>
__device__ __forceinline__ bool decide_lowest(Undecided<V>& u, std::uint32_t* mine, const SiteSweep& s,
                                              const Decision& decide) {
  const bool second = V == 2 && u.equal[0] == 0;
  const std::uint32_t equal = second ? u.equal[V - 1] : u.equal[0], ones = second ? u.ones[V - 1] : u.ones[0];
  const std::uint32_t place = u.place + second, bit = equal & (0u - equal), lane = __ffs(equal) - 1;
  const std::uint32_t number = numbers_at(decide.keys, place, s.half_sweep, s.sample, 0, residual_draw + lane).x[0];
  const std::uint32_t t = (ones & bit) ? decide.thresholds.by_unsatisfied[1] : decide.thresholds.by_unsatisfied[0];
  if (number < (t << plane_count)) atomicXor(mine + place, bit);
  if (second)
    u.equal[V - 1] ^= bit;
  else
    u.equal[0] ^= bit;
  return u.equal[0] != 0 || u.equal[V - 1] != 0;
}

/// Decides what waits in the queue; the words it speaks of must have been stored before the __syncthreads() that
/// precedes the call. Every warp works down a piece of the queue and puts entries with more sites back on it.
template <int V, class Decision>
__device__ __forceinline__ void resolve(const UndecidedQueue<V>& queue, std::uint32_t* mine, const SiteSweep& s,
                                        const Decision& decide) {
  const std::uint32_t lane = threadIdx.x & 31u, warp = threadIdx.x >> 5, warps = blockDim.x >> 5, size = *queue.size;
  const std::uint32_t piece = ((size + 31) / 32 + warps - 1) / warps * 32, begin = min(size, warp * piece);
  std::uint32_t end = min(size, begin + piece);
  while (end > begin) {
    const std::uint32_t count = min(32u, end - begin);
    end -= count;
    Undecided<V> u;
    bool left = false;
    if (lane < count) {
      u = queue.entries[end + lane];
      left = decide_lowest(u, mine, s, decide);
    }
    __syncwarp();
    const std::uint32_t again = __ballot_sync(0xffffffffu, left);
    if (left) queue.entries[end + __popc(again & ((1u << lane) - 1))] = u;
    end += __popc(again);
    __syncwarp();
  }
}

template <int V>
__device__ __forceinline__ void load(const std::uint32_t* from, std::uint32_t (&words)[V]) {
  if constexpr (V == 2) {
    const uint2 both = *reinterpret_cast<const uint2*>(from);
    words[0] = both.x;
    words[1] = both.y;
  } else {
    words[0] = *from;
  }
}

template <int V>
__device__ __forceinline__ void store(std::uint32_t* to, const std::uint32_t (&words)[V]) {
  if constexpr (V == 2)
    *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
  else
    *to = words[0];
}

/// Neighbours along x that do not lie at a site's own place: to the right in rows with shift 1, else to the left.
/// `beside` is the word of the same row on that side.
template <int V, int SHIFT>
__device__ __forceinline__ void side_neighbours(const std::uint32_t (&here)[V], std::uint32_t beside,
                                                std::uint32_t (&side)[V]) {
  if constexpr (SHIFT == 1) {
#pragma unroll
    for (int v = 0; v < V; ++v) side[v] = __funnelshift_r(here[v], v + 1 < V ? here[V - 1] : beside, 1);
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v) side[v] = __funnelshift_l(v == 0 ? beside : here[0], here[v], 1);
  }
}

/// One row of a strip: `mine` points at the words, `place` is their number in the lattice.
template <int V, int SHIFT, class Decision>
__device__ __forceinline__ void update_row(std::uint32_t* mine, std::uint32_t place, std::uint32_t (&spin)[V],
                                           const std::uint32_t (&up)[V], const std::uint32_t (&here)[V],
                                           const std::uint32_t (&down)[V], std::uint32_t beside, const SiteSweep& s,
                                           const Decision& decide, const UndecidedQueue<V>& queue) {
  std::uint32_t side[V], bond[V][4];
  side_neighbours<V, SHIFT>(here, beside, side);
#pragma unroll
  for (int v = 0; v < V; ++v) {
    bond[v][0] = spin[v] ^ up[v];
    bond[v][1] = spin[v] ^ down[v];
    bond[v][2] = spin[v] ^ here[v];
    bond[v][3] = spin[v] ^ side[v];
  }
  Undecided<V> u;
  u.place = place;
  decide(s, place, bond, spin, u.equal, u.ones);
  store<V>(mine, spin);
  queue.push(u);
}

/// A thread's part of a lattice: V words from `word` on in the rows `first_row` ... `first_row + rows - 1`, both even.
struct Strip {
  std::uint32_t word, first_row, rows;
};

/// Updates a strip of one parity. Two rows, of shift PARITY and 1 - PARITY, at a time; the other parity's words of the
/// rows above, here and below stay in registers. `mine` and `other` are whole lattices of words_in_row words a row.
template <int V, int PARITY, class Decision>
__device__ __forceinline__ void march(std::uint32_t* mine, const std::uint32_t* other, std::uint32_t L,
                                      const Strip& strip, const SiteSweep& s, const Decision& decide,
                                      const UndecidedQueue<V>& queue) {
  const auto W = static_cast<int>(L / 64), word = static_cast<int>(strip.word);
  const int right = word + V == W ? -word : V, left = word == 0 ? W - 1 : -1;
  std::uint32_t place = strip.first_row * L / 64 + strip.word;
  const std::uint32_t* before = strip.first_row == 0 ? other + (L - 1) * (L / 64) + word : other + place - W;
  std::uint32_t up[V], here[V], below[V], after[V], spin[V], next_spin[V];
  load<V>(before, up);
  mine += place;
  const std::uint32_t* row = other + place;
  load<V>(row, here);
  for (std::uint32_t y = strip.first_row; y < strip.first_row + strip.rows; y += 2) {
    load<V>(mine, spin);
    load<V>(mine + W, next_spin);
    load<V>(row + W, below);
    load<V>(y + 2 == L ? other + word : row + 2 * W, after);
    const std::uint32_t beside = row[PARITY ? right : left], next_beside = row[W + (PARITY ? left : right)];
    update_row<V, PARITY>(mine, place, spin, up, here, below, beside, s, decide, queue);
    update_row<V, 1 - PARITY>(mine + W, place + W, next_spin, here, below, after, next_beside, s, decide, queue);
#pragma unroll
    for (int v = 0; v < V; ++v) {
      up[v] = below[v];
      here[v] = after[v];
    }
    mine += 2 * W;
    row += 2 * W;
    place += 2 * static_cast<std::uint32_t>(W);
  }
}

}  // namespace psflip::cuda
