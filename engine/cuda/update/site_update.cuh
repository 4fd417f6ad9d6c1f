#pragma once
#include "engine/core/address.hpp"
#include "engine/core/update.hpp"

/// Sites of one square lattice packed in words: 32 neighbours of one parity of one row. What a thread does to the
/// column of words that it owns.
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

  /// The planes of N words, which depend on no spin. All calls go through the rounds side by side.
  template <int N>
  struct Drawn {
    Four<std::uint32_t> u[2 * N];
  };
  template <int N>
  __device__ __forceinline__ Drawn<N> draw(const SiteSweep& s, const std::uint32_t (&word_index)[N]) const {
    Drawn<N> drawn;
#pragma unroll
    for (int k = 0; k < 2 * N; ++k)
      drawn.u[k] = {
          {word_index[k / 2], s.half_sweep, static_cast<std::uint32_t>(s.sample), counter_3(0, 0, k % 2, s.sample)}};
    philox_rounds<0>(drawn.u, keys);
    return drawn;
  }

  /// Flips N words as far as their eight planes decide; `equal` are the sites that wait for their residual numbers, and
  /// of these `ones` have one unsatisfied bond.
  template <int N>
  __device__ __forceinline__ void operator()(const Drawn<N>& drawn, const std::uint32_t (&bond)[N][4],
                                             std::uint32_t (&spin)[N], std::uint32_t (&equal)[N],
                                             std::uint32_t (&ones)[N]) const {
#pragma unroll
    for (int v = 0; v < N; ++v) {
      const BondCount<std::uint32_t> n = count_unsatisfied(bond[v]);
      const std::uint32_t always = always_accepted(n, bond[v]);
      std::uint32_t less = 0;
      equal[v] = ~always;
#pragma unroll
      for (int j = plane_count - 1; j >= 0; --j) {
        const std::uint32_t bits = drawn.u[2 * v + j / 4].x[j % 4];
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

/// Two words, one above the other, that hold undecided sites; `word_index` is the upper one's.
struct Undecided {
  std::uint32_t word_index, equal[2], ones[2];
};

/// The undecided sites of a block, 2^-8 of all. They wait in shared memory until a warp has one for each of its
/// threads, since a residual number costs a call of Philox. Deferring is exact: the sites of one parity do not see each
/// other, and the residual of a site has an address of its own.
struct UndecidedQueue {
  Undecided* entries;  ///< room for all that a block can push
  std::uint32_t* size;

  __device__ __forceinline__ void push(const Undecided& u) const {
    if ((u.equal[0] | u.equal[1]) != 0) entries[atomicAdd(size, 1u)] = u;
  }
};

/// Gives the lowest undecided site of `u` its residual number; true when sites are left. W: words of a row.
template <class Decision>
__device__ __forceinline__ bool decide_lowest(Undecided& u, std::uint32_t* mine, std::uint32_t W, const SiteSweep& s,
                                              const Decision& decide) {
  const bool second = u.equal[0] == 0;
  const std::uint32_t equal = second ? u.equal[1] : u.equal[0], ones = second ? u.ones[1] : u.ones[0];
  const std::uint32_t word_index = u.word_index + (second ? W : 0), bit = equal & (0u - equal), lane = __ffs(equal) - 1;
  const std::uint32_t number =
      numbers_at(decide.keys, word_index, s.half_sweep, s.sample, 0, residual_draw + lane).x[0];
  const std::uint32_t t = (ones & bit) ? decide.thresholds.by_unsatisfied[1] : decide.thresholds.by_unsatisfied[0];
  if (number < (t << plane_count)) atomicXor(mine + word_index, bit);
  (second ? u.equal[1] : u.equal[0]) = equal ^ bit;
  return (u.equal[0] | u.equal[1]) != 0;
}

/// Decides what waits in the queue; the words it speaks of must have been stored before the __syncthreads() that
/// precedes the call. Every warp works down a piece of the queue and puts entries with more sites back on it.
template <class Decision>
__device__ __forceinline__ void resolve(const UndecidedQueue& queue, std::uint32_t* mine, std::uint32_t W,
                                        const SiteSweep& s, const Decision& decide) {
  const std::uint32_t lane = threadIdx.x & 31u, warp = threadIdx.x >> 5, warps = blockDim.x >> 5, size = *queue.size;
  const std::uint32_t chunk = ((size + 31) / 32 + warps - 1) / warps * 32, begin = min(size, warp * chunk);
  std::uint32_t end = min(size, begin + chunk);
  while (end > begin) {
    const std::uint32_t count = min(32u, end - begin);
    end -= count;
    Undecided u;
    bool left = false;
    if (lane < count) {
      u = queue.entries[end + lane];
      left = decide_lowest(u, mine, W, s, decide);
    }
    __syncwarp();
    const std::uint32_t again = __ballot_sync(0xffffffffu, left);
    if (left) queue.entries[end + __popc(again & ((1u << lane) - 1))] = u;
    end += __popc(again);
    __syncwarp();
  }
}

/// What the other parity holds around two words of a column, in rows of shift PARITY and 1 - PARITY: the row above, the
/// two rows, the row below. `adjacent` are the words next to the two, where the neighbours along x lie that are not at
/// a site's own place: to the right in rows with shift 1, else to the left.
struct Around {
  std::uint32_t up, here, below, after, adjacent[2];
};

/// The neighbours along x that are not at their sites' own places.
__device__ __forceinline__ std::uint32_t to_the_side(std::uint32_t row, std::uint32_t adjacent, bool shift) {
  return shift ? __funnelshift_r(row, adjacent, 1) : __funnelshift_l(adjacent, row, 1);
}

template <int PARITY>
__device__ __forceinline__ void find_bonds(const std::uint32_t (&spin)[2], const Around& a,
                                           std::uint32_t (&bond)[2][4]) {
  const std::uint32_t row[2] = {a.here, a.below}, above[2] = {a.up, a.here}, under[2] = {a.below, a.after};
#pragma unroll
  for (int v = 0; v < 2; ++v) {
    const std::uint32_t side = to_the_side(row[v], a.adjacent[v], PARITY != v);
    bond[v][0] = spin[v] ^ above[v];
    bond[v][1] = spin[v] ^ under[v];
    bond[v][2] = spin[v] ^ row[v];
    bond[v][3] = spin[v] ^ side;
  }
}

/// A thread's part of a lattice: one word in the rows `first_row` ... `first_row + rows - 1`, both even.
struct WordColumn {
  std::uint32_t word, first_row, rows;
  bool closed = true;  ///< before row 0 comes the last and behind the last comes row 0, else they lie there as copies
};

/// Updates a strip of one parity, two rows at a time; the other parity's words of the rows above, here and below stay
/// in registers. PARITY is the shift of the first row: the parity where that is even. `mine` and `other` are whole
/// lattices, or would be if all rows were stored.
template <int PARITY, class Decision>
__device__ __forceinline__ void sweep_word_column(std::uint32_t* mine, const std::uint32_t* other, std::uint32_t L,
                                                  const WordColumn& word_column, const SiteSweep& s,
                                                  const Decision& decide, const UndecidedQueue& queue) {
  const auto W = static_cast<int>(L / 64), word = static_cast<int>(word_column.word);
  const int right = word + 1 == W ? 1 - W : 1, left = word == 0 ? W - 1 : -1;
  Undecided u;
  u.word_index = word_column.first_row * (L / 64) + word_column.word;
  Around a;
  a.up =
      word_column.closed && word_column.first_row == 0 ? other[(L - 1) * (L / 64) + word] : (other + u.word_index)[-W];
  mine += u.word_index;
  const std::uint32_t* row = other + u.word_index;
  a.here = row[0];
  for (std::uint32_t y = word_column.first_row; y < word_column.first_row + word_column.rows; y += 2) {
    std::uint32_t spin[2] = {mine[0], mine[W]}, bond[2][4];
    a.below = row[W];
    a.after = *(word_column.closed && y + 2 == L ? other + word : row + 2 * W);
    a.adjacent[0] = row[PARITY ? right : left];
    a.adjacent[1] = row[W + (PARITY ? left : right)];
    find_bonds<PARITY>(spin, a, bond);
    decide(decide.template draw<2>(s, {u.word_index, u.word_index + W}), bond, spin, u.equal, u.ones);
    mine[0] = spin[0];
    mine[W] = spin[1];
    queue.push(u);
    a.up = a.below;
    a.here = a.after;
    mine += 2 * W;
    row += 2 * W;
    u.word_index += 2 * W;
  }
}

}  // namespace psflip::cuda
