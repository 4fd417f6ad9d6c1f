#pragma once
#include "engine/core/update.hpp"
#include "engine/cuda/update/site_layout.hpp"
#include "engine/cuda/update/threshold_planes.hpp"
#include "engine/random/address.hpp"

/// Update of one square lattice with packed sites: a word holds 32 neighbouring sites of one parity of a row. A thread
/// updates a column of words.
namespace psflip::cuda {

/// One half sweep of one lattice.
struct SiteSweep {
  std::uint32_t half_sweep;
  std::uint64_t sample;
};

/// The Metropolis decision for words of sites. If both thresholds begin with LEADING zeros, a bit that is 1 in any of
/// these planes means u > threshold.
template <int LEADING>
struct SiteDecision {
  KeySchedule keys;
  Thresholds thresholds;
  SquareThresholdPlanes planes;

  SiteDecision(const Key& key, const Thresholds& t) : keys(key), thresholds(t), planes(t) {}

  /// Index in memory of a word of the lattice, whose index there is also the address of its random numbers.
  __device__ __forceinline__ static std::uint32_t stored(std::uint32_t word_index) { return word_index; }

  /// Bit planes of N words; they do not depend on the spins. The Philox rounds of all calls are interleaved.
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

  /// Flips the sites of N words that their eight planes decide. Sites in `equal` need residual numbers; those of them
  /// in `ones` have one unsatisfied bond.
  template <int N>
  __device__ __forceinline__ void operator()(const Drawn<N>& drawn, const std::uint32_t (&neighbour)[N][4],
                                             std::uint32_t (&spin)[N], std::uint32_t (&equal)[N],
                                             std::uint32_t (&ones)[N]) const {
#pragma unroll
    for (int v = 0; v < N; ++v) {
      const UnlikeOfFour unlike(spin[v], neighbour[v]);
      std::uint32_t less = 0;
      equal[v] = ~unlike.two;
#pragma unroll
      for (int j = plane_count - 1; j >= 0; --j) {
        const std::uint32_t bits = drawn.u[2 * v + j / 4].x[j % 4];
        if (j < LEADING) {
          less &= ~bits;
          equal[v] &= ~bits;
        } else {
          const std::uint32_t t = planes(j, unlike.odd);
          less = less_step(bits, t, less);
          equal[v] = equal_step(equal[v], bits, t);
        }
      }
      spin[v] = flip_where(spin[v], unlike.two, less);
      ones[v] = unlike.odd;
    }
  }
};

/// Two words of successive rows with undecided sites; `word_index` belongs to the first row.
struct Undecided {
  std::uint32_t word_index, equal[2], ones[2];
};

/// Queue of the undecided sites of a thread block, a fraction 2^-8, in shared memory. A residual number costs a Philox
/// call, so a warp decides one site per thread together. The queue does not change results: sites of one parity do not
/// interact, and every residual number has its own address.
struct UndecidedQueue {
  Undecided* entries;  ///< capacity for all words that a thread block can push
  std::uint32_t* size;

  __device__ __forceinline__ void push(const Undecided& u) const {
    if ((u.equal[0] | u.equal[1]) != 0) entries[atomicAdd(size, 1u)] = u;
  }
};

/// Decides the lowest undecided site of `u` with its residual number. Returns true if undecided sites remain. W: words
/// of a row.
template <class Decision>
__device__ __forceinline__ bool decide_lowest(Undecided& u, std::uint32_t* mine, std::uint32_t W, const SiteSweep& s,
                                              const Decision& decide) {
  const bool second = u.equal[0] == 0;
  const std::uint32_t equal = second ? u.equal[1] : u.equal[0], ones = second ? u.ones[1] : u.ones[0];
  const std::uint32_t word_index = u.word_index + (second ? W : 0), bit = equal & (0u - equal), lane = __ffs(equal) - 1;
  const std::uint32_t number =
      numbers_at(decide.keys, word_index, s.half_sweep, s.sample, 0, residual_draw + lane).x[0];
  const std::uint32_t t = (ones & bit) ? decide.thresholds.by_unsatisfied[1] : decide.thresholds.by_unsatisfied[0];
  if (number < (t << plane_count)) atomicXor(mine + decide.stored(word_index), bit);
  (second ? u.equal[1] : u.equal[0]) = equal ^ bit;
  return (u.equal[0] | u.equal[1]) != 0;
}

/// Decides all queued sites. Their words must have been stored before the __syncthreads() that precedes the call. Every
/// warp processes a chunk of the queue and puts back entries with more undecided sites.
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

/// Words of the other parity around two words of a column, in rows of shift PARITY and 1 - PARITY: the row above, the
/// two rows, the row below. `adjacent`: the words next to the two rows, which hold the x neighbours with another index
/// than their site. They are to the right in rows of shift 1, else to the left.
struct Around {
  std::uint32_t up, here, below, after, adjacent[2];
};

/// The x neighbours that do not have the index of their site.
__device__ __forceinline__ std::uint32_t to_the_side(std::uint32_t row, std::uint32_t adjacent, bool shift) {
  return shift ? __funnelshift_r(row, adjacent, 1) : __funnelshift_l(adjacent, row, 1);
}

template <int PARITY>
__device__ __forceinline__ void find_neighbours(const Around& a, std::uint32_t (&neighbour)[2][4]) {
  const std::uint32_t row[2] = {a.here, a.below}, above[2] = {a.up, a.here}, under[2] = {a.below, a.after};
#pragma unroll
  for (int v = 0; v < 2; ++v) {
    const std::uint32_t side = to_the_side(row[v], a.adjacent[v], PARITY != v);
    neighbour[v][0] = above[v];
    neighbour[v][1] = under[v];
    neighbour[v][2] = row[v];
    neighbour[v][3] = side;
  }
}

/// Words that the update of two rows reads besides those that are in registers already.
struct TwoRows {
  std::uint32_t spin[2], below, after, adjacent[2];
};

/// Updates a word column of one parity, two rows at a time. The other parity's words of the rows above, here and below
/// stay in registers, and two rows are loaded while the preceding two are updated. PARITY is also the shift of the
/// first row, which is even. `mine` and `other` point to row 0, even if that row is not stored.
template <int PARITY, class Decision>
__device__ __forceinline__ void sweep_word_column(std::uint32_t* mine, const std::uint32_t* other, std::uint32_t L,
                                                  const WordColumn& word_column, const SiteSweep& s,
                                                  const Decision& decide, const UndecidedQueue& queue) {
  const auto W = static_cast<int>(L / 64), word = static_cast<int>(word_column.word);
  const int right = word + 1 == W ? 1 - W : 1, left = word == 0 ? W - 1 : -1;
  Undecided u;
  u.word_index = word_column.first_row * (L / 64) + word_column.word;
  mine += u.word_index;
  const std::uint32_t* row = other + u.word_index;
  std::uint32_t here = row[0], up = word_column.ends != EndRows::stored && word_column.first_row == 0
                                        ? other[(L - 1) * (L / 64) + word]
                                        : row[-W];
  const auto load = [&](std::uint32_t y, int first) -> TwoRows {
    return {{mine[first], mine[first + W]},
            row[first + W],
            *(word_column.ends == EndRows::at_other_end && y + 2 == L ? other + word : row + first + 2 * W),
            {row[first + (PARITY ? right : left)], row[first + W + (PARITY ? left : right)]}};
  };
  const std::uint32_t end = word_column.first_row + word_column.rows;
  TwoRows now = load(word_column.first_row, 0);
  for (std::uint32_t y = word_column.first_row; y < end; y += 2) {
    TwoRows next = now;
    if (y + 2 < end) next = load(y + 2, 2 * W);
    std::uint32_t neighbour[2][4];
    find_neighbours<PARITY>({up, here, now.below, now.after, {now.adjacent[0], now.adjacent[1]}}, neighbour);
    decide(decide.template draw<2>(s, {u.word_index, u.word_index + W}), neighbour, now.spin, u.equal, u.ones);
    mine[0] = now.spin[0];
    mine[W] = now.spin[1];
    queue.push(u);
    up = now.below;
    here = now.after;
    mine += 2 * W;
    row += 2 * W;
    u.word_index += 2 * W;
    now = next;
  }
}

}  // namespace psflip::cuda
