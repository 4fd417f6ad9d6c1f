#pragma once
#include "engine/cuda/tempering/member/pair_counters.cuh"

/// The counts of pair_counters.cuh of a cubic lattice.
namespace psflip::cuda {

/// Sizes known at compile time. Sites of a parity are spins[parity][set][z][y][x / 2].
template <int L_>
struct CubeSize {
  static constexpr std::uint32_t L = L_, half = L / 2, plane = L * half, sites = L * plane;
  static constexpr std::uint32_t parity_stride = measured_sets * sites;

  /// Groups of threads, one thread of a group for two neighbouring columns, at even and odd x. Small lattices have two
  /// groups, which share the even and odd x, or the planes, of the columns.
  static constexpr std::uint32_t groups = L <= 8 ? 2 : 1, group_threads = (plane + 31) / 32 * 32;
  static constexpr std::uint32_t threads = groups * group_threads;
  static constexpr std::uint32_t blocks = 512 / threads;  ///< on a multiprocessor, with 128 registers for a thread

  static constexpr int line_bits = counter_bits<L>, plane_bits = counter_bits<L * L>;
  static constexpr int minus_bits = counter_bits<2 * L / groups>,
                       link_bits = counter_bits<(L / 2 + groups - 1) / groups * 12>;  ///< of a thread
};

/// Counts of lines, in shared memory: of each pair the sites of a line where the sets differ. A line along z has row y,
/// a line along y has row z. Lines at even x precede those at odd x. One word more in a row: threads that add up rows
/// and threads that add up columns read from different banks.
template <int L>
struct CubeLines {
  using Size = CubeSize<L>;
  std::uint32_t words[measured_pairs][Size::line_bits][L][L + 1];

  /// Counts line `number` of a direction at even x and at odd x, as far as they are those of a group. `slot`: spins of
  /// the slot. Calls visit(words of [set][site]) for all sites.
  template <bool ALONG_Z, class Visit>
  __device__ __forceinline__ void count(const std::uint32_t* slot, std::uint32_t number, std::uint32_t group,
                                        Visit visit) {
    constexpr std::uint32_t stride = ALONG_Z ? Size::plane : Size::half,
                            row_stride = ALONG_Z ? Size::half : Size::plane;
    const std::uint32_t row = number / Size::half, c = number % Size::half;
#pragma unroll 1
    for (std::uint32_t odd_x = group; odd_x < 2; odd_x += Size::groups) {
      const std::uint32_t parity = (row + odd_x) & 1u;  // of the first site
      const std::uint32_t* first = slot + row * row_stride + c;
      const std::uint32_t* at[2] = {first + parity * Size::parity_stride, first + (1 - parity) * Size::parity_stride};
      PairCounters<Size::line_bits> differ;
      for (std::uint32_t k = 0; k + 8 <= L; k += 8) count_sites<8, stride>(at, k, differ, visit);
      if constexpr (L % 8 != 0) count_sites<L % 8, stride>(at, L - L % 8, differ, visit);
#pragma unroll
      for (int pair = 0; pair < measured_pairs; ++pair)
#pragma unroll
        for (int j = 0; j < Size::line_bits; ++j)
          words[pair][j][row][odd_x * Size::half + c] = differ.of[pair].plane[j];
    }
  }

 private:
  /// N sites of a line from site k on, which is even. `at`: sites 0 and 1 without their steps along the line.
  template <int N, std::uint32_t STRIDE, class Visit>
  __device__ __forceinline__ static void count_sites(const std::uint32_t* const (&at)[2], std::uint32_t k,
                                                     PairCounters<Size::line_bits>& differ, Visit visit) {
    std::uint32_t word[measured_sets][N];
#pragma unroll
    for (int set = 0; set < measured_sets; ++set)
#pragma unroll
      for (int i = 0; i < N; ++i) word[set][i] = at[i % 2][set * Size::sites + (k + i) * STRIDE];
    visit(word);
    differ.add(word);
  }
};

/// Counts of planes, in shared memory: of each pair and axis, x, y and z, and each position the sites where the sets
/// differ. The words of a counter are consecutive.
template <int L>
struct CubePlanes {
  using Size = CubeSize<L>;
  std::uint32_t words[measured_pairs][3][L][Size::plane_bits];

  /// Adds up the lines of the planes of an axis: those along z for x and y, those along y for z.
  template <int AXIS>
  __device__ __forceinline__ void add_up(const CubeLines<L>& lines) {
    for (std::uint32_t task = threadIdx.x; task < measured_pairs * L; task += blockDim.x) {
      const std::uint32_t pair = task / L, position = task % L,
                          column = position % 2 * Size::half + position / 2;  // of x
      Counter<Size::plane_bits> sum;
#pragma unroll 4
      for (std::uint32_t k = 0; k < L; ++k) {
        std::uint32_t line[Size::line_bits];
#pragma unroll
        for (int j = 0; j < Size::line_bits; ++j)
          line[j] = AXIS == 0 ? lines.words[pair][j][k][column] : lines.words[pair][j][position][k];
        sum.add_counts(line);
      }
#pragma unroll
      for (int j = 0; j < Size::plane_bits; ++j) words[pair][AXIS][position][j] = sum.plane[j];
    }
  }
};

/// Bonds that differ between the sets of each pair, those that the sites of two columns along z store: the bonds to
/// their neighbours at x + 1, y + 1 and z + 1.
template <int L>
class CubeLinks {
  using Size = CubeSize<L>;

 public:
  PairCounters<Size::link_bits> differ;

  /// `slot`: spins of the slot; `number`: of the line along z, of which a group counts some planes.
  __device__ __forceinline__ void count(const std::uint32_t* slot, std::uint32_t number, std::uint32_t group) {
    constexpr std::uint32_t planes = (L / 2 + Size::groups - 1) / Size::groups * 2;         // an even number
    const std::uint32_t y = number / Size::half, c = number % Size::half, parity = y & 1u;  // of the first site
    const std::uint32_t begin = group * planes, end = min(begin + planes, Size::L);
    right_ = c + 1 == Size::half ? 1 - static_cast<int>(Size::half) : 1;
    up_ = y + 1 == L ? -static_cast<int>(Size::plane - Size::half) : static_cast<int>(Size::half);
    slot += begin * Size::plane + number;
    const std::uint32_t* at[2] = {slot + parity * Size::parity_stride, slot + (1 - parity) * Size::parity_stride};
    std::uint32_t even[measured_sets], odd[measured_sets];
    load(at[0], even);
    load(at[1], odd);
#pragma unroll 1
    for (std::uint32_t z = begin; z < end; z += 2) {
      std::uint32_t unlike[measured_sets][12];
      const int back = z + 2 == L ? -static_cast<int>((L - 1) * Size::plane) : static_cast<int>(Size::plane);
      add_step<0>(at[0], at[1], Size::plane, even, odd, unlike);
      at[0] += Size::plane;
      at[1] += Size::plane;
      add_step<6>(at[1], at[0], back, even, odd, unlike);
      at[0] += Size::plane;
      at[1] += Size::plane;
      differ.add(unlike);
    }
  }

 private:
  __device__ __forceinline__ static void load(const std::uint32_t* from, std::uint32_t (&word)[measured_sets]) {
#pragma unroll
    for (int set = 0; set < measured_sets; ++set) word[set] = from[set * Size::sites];
  }

  /// Six bonds of the sites at even and odd x, whose words are at `evens` and `odds` and in `even` and `odd`, which
  /// become those at the next z, `ahead` words further.
  template <int FIRST>
  __device__ __forceinline__ void add_step(const std::uint32_t* evens, const std::uint32_t* odds, int ahead,
                                           std::uint32_t (&even)[measured_sets], std::uint32_t (&odd)[measured_sets],
                                           std::uint32_t (&unlike)[measured_sets][12]) const {
    std::uint32_t right[measured_sets], even_up[measured_sets], odd_up[measured_sets], next_even[measured_sets],
        next_odd[measured_sets];
    load(evens + right_, right);
    load(odds + up_, even_up);
    load(evens + up_, odd_up);
    load(odds + ahead, next_even);
    load(evens + ahead, next_odd);
#pragma unroll
    for (int set = 0; set < measured_sets; ++set) {
      unlike[set][FIRST] = even[set] ^ odd[set];
      unlike[set][FIRST + 1] = odd[set] ^ right[set];
      unlike[set][FIRST + 2] = even[set] ^ even_up[set];
      unlike[set][FIRST + 3] = odd[set] ^ odd_up[set];
      unlike[set][FIRST + 4] = even[set] ^ next_even[set];
      unlike[set][FIRST + 5] = odd[set] ^ next_odd[set];
      even[set] = next_even[set];
      odd[set] = next_odd[set];
    }
  }

  int right_, up_;  ///< steps in memory to the site at even x after one at odd x, and to y + 1
};

/// What a thread block counts, in shared memory.
template <int L>
struct CubeCounts {
  using Size = CubeSize<L>;
  CubeLines<L> lines;
  CubePlanes<L> planes;
  MeasuredTotals totals;

  /// All threads of the block; ends with a barrier. `slot`: spins of the slot.
  __device__ __forceinline__ void count(const std::uint32_t* slot) {
    const std::uint32_t group = threadIdx.x / Size::group_threads, line = threadIdx.x % Size::group_threads;
    const bool exists = line < Size::plane;
    totals.clear();
    __syncthreads();
    {
      Counter<Size::minus_bits> minus[measured_sets];
      if (exists)
        lines.template count<true>(slot, line, group, [&](const auto& word) {
#pragma unroll
          for (int set = 0; set < measured_sets; ++set) minus[set].add_words(word[set]);
        });
      __syncwarp();
#pragma unroll
      for (int set = 0; set < measured_sets; ++set) MeasuredTotals::add(totals.minus[set], minus[set]);
    }
    {
      CubeLinks<L> links;
      if (exists) links.count(slot, line, group);
      __syncwarp();
#pragma unroll
      for (int pair = 0; pair < measured_pairs; ++pair) MeasuredTotals::add(totals.links[pair], links.differ.of[pair]);
    }
    __syncthreads();
    planes.template add_up<0>(lines);
    planes.template add_up<1>(lines);
    __syncthreads();
    if (exists) lines.template count<false>(slot, line, group, [](const auto&) {});
    __syncthreads();
    planes.template add_up<2>(lines);
    __syncthreads();
  }

  /// Calls f(axis, position, sites of the plane that differ) for a pair; each thread of a warp gets those of one
  /// sample.
  template <class F>
  __device__ __forceinline__ void for_each(std::uint32_t pair, F f) const {
    for_each_count<3, Size::plane_bits>(planes.words[pair][0][0], L, f);
  }
};

}  // namespace psflip::cuda
