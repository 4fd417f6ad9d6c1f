#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/laboratory/device/tiles/tile_kernels.hpp"
#include "engine/random/address.hpp"

/// The kernel of the double checkerboard, for nvcc and for the emulator of tests/emulated.
namespace psflip::laboratory::device {

/// The numbers of a thread block during a launch. operator()(draw, pair) returns number `draw` of a pair of sites of
/// the tile, counted from the beginning of the launch; all threads of the block call it. ONE: a thread has one pair.
template <class Source, bool ONE>
class Draws;

template <class Word, bool ONE>
class Draws<LcgOfThreads<Word>, ONE> {
 public:
  __device__ Draws(const LcgOfThreads<Word>& source, std::uint32_t* /*shared*/, std::uint32_t pairs)
      : a_(source.a), c_(source.c), pairs_(pairs), states_(source.states + std::size_t{blockIdx.x} * pairs) {
    if (ONE && threadIdx.x < pairs) own_ = states_[threadIdx.x];
  }
  __device__ std::uint32_t operator()(std::uint32_t /*draw*/, std::uint32_t pair) {
    if (ONE) return Lcg<Word>::number(own_ = a_ * own_ + c_);
    if (pair >= pairs_) return 0;
    return Lcg<Word>::number(states_[pair] = a_ * states_[pair] + c_);
  }
  __device__ void store() const {
    if (ONE && threadIdx.x < pairs_) states_[threadIdx.x] = own_;
  }

 private:
  Word a_, c_, own_ = 0;
  std::uint32_t pairs_;
  Word* states_;
};

template <bool ONE>
class Draws<PhiloxOfThreads, ONE> {
 public:
  __device__ Draws(const PhiloxOfThreads& source, std::uint32_t* /*shared*/, std::uint32_t pairs)
      : source_(source), first_thread_(blockIdx.x * pairs) {}
  __device__ std::uint32_t operator()(std::uint32_t draw, std::uint32_t pair) {
    const std::uint32_t n = source_.taken + draw;
    if (!ONE || draw == 0 || n % 4 == 0) four_ = numbers_at(source_.keys, first_thread_ + pair, n / 4, 0, 0, 0);
    const std::uint32_t low = n & 1u ? four_.x[1] : four_.x[0], high = n & 1u ? four_.x[3] : four_.x[2];
    return n & 2u ? high : low;
  }
  __device__ void store() const {}

 private:
  const PhiloxOfThreads& source_;
  std::uint32_t first_thread_;
  Four<std::uint32_t> four_{};
};

/// The threads take consecutive numbers: all compute before one writes.
template <class Recurrence, bool ONE>
class Draws<SequenceOfBlocks<Recurrence>, ONE> {
 public:
  __device__ Draws(const SequenceOfBlocks<Recurrence>& source, std::uint32_t* shared, std::uint32_t pairs)
      : states_(source.states + std::size_t{blockIdx.x} * Recurrence::words),
        x_(shared),
        pairs_(pairs),
        next_(source.next) {
    for (std::uint32_t i = threadIdx.x; i < Recurrence::words; i += blockDim.x) x_[i] = states_[i];
  }
  __device__ std::uint32_t operator()(std::uint32_t /*draw*/, std::uint32_t pair) {
    const std::uint32_t left = pairs_ - (pair - threadIdx.x), count = left < blockDim.x ? left : blockDim.x;
    const std::uint32_t slot = wrapped(next_ + threadIdx.x);
    const std::uint32_t word = threadIdx.x < count ? Recurrence::next(x_, slot) : 0;
    __syncthreads();
    if (threadIdx.x < count) x_[slot] = word;
    next_ = wrapped(next_ + count);
    return Recurrence::number(word);
  }
  __device__ void store() const {
    for (std::uint32_t i = threadIdx.x; i < Recurrence::words; i += blockDim.x) states_[i] = x_[i];
  }

 private:
  __device__ static std::uint32_t wrapped(std::uint32_t i) { return i < Recurrence::words ? i : i - Recurrence::words; }

  std::uint32_t *states_, *x_;
  std::uint32_t pairs_, next_;
};

/// Copies a tile with its boundary, and back. Boundary sites at edges and corners are no neighbours: they are left out,
/// because other blocks write them meanwhile.
template <int D>
class TileOfBlock {
 public:
  __device__ TileOfBlock(const TiledView<D>& view, std::uint32_t parity)
      : spins_(view.spins), L_(view.L), tile_(view.tile) {
    const SiteOfCube at = site_of_parity<D>(blockIdx.x, L_ / tile_, parity);
    first_ = {at.x * tile_, at.y * tile_, at.z * tile_};
  }

  __device__ void load(std::int8_t* copy) const {
    const std::uint32_t side = tile_ + 2, count = TiledView<D>::power(side);
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const std::uint32_t x = i % side, row = i / side, y = D == 3 ? row % side : row, z = D == 3 ? row / side : 1;
      if (is_outside(x) + is_outside(y) + is_outside(z) > 1) continue;
      copy[i] = spins_[site(wrapped(first_.x + x), wrapped(first_.y + y), D == 3 ? wrapped(first_.z + z) : 0)];
    }
  }
  __device__ void store(const std::int8_t* copy) const {
    const std::uint32_t count = TiledView<D>::power(tile_);
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const std::uint32_t x = i % tile_, row = i / tile_, y = D == 3 ? row % tile_ : row, z = D == 3 ? row / tile_ : 0;
      spins_[site(first_.x + x, first_.y + y, first_.z + z)] = copy[index_in_copy<D>({x, y, z}, tile_)];
    }
  }

 private:
  __device__ int is_outside(std::uint32_t x) const { return x == 0 || x == tile_ + 1 ? 1 : 0; }
  /// Of x + 1.
  __device__ std::uint32_t wrapped(std::uint32_t x) const { return x == 0 ? L_ - 1 : x > L_ ? x - 1 - L_ : x - 1; }
  __device__ std::size_t site(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return x + std::size_t{L_} * (y + std::size_t{L_} * z);
  }

  std::int8_t* spins_;
  std::uint32_t L_, tile_;
  SiteOfCube first_{};
};

/// Adds the values of all threads of the block to *sum, in shared memory.
__device__ __forceinline__ void add_in_block(int value, std::int32_t* sum) {
  long long all = value;
  for (int step = 16; step > 0; step /= 2) all += __shfl_down_sync(0xffffffffu, all, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, static_cast<std::int32_t>(all));
}

/// Index in the copy of a tile of the even (colour 0) or odd site of a pair.
template <int D>
__device__ __forceinline__ std::uint32_t index_of_pair(std::uint32_t pair, std::uint32_t tile, std::uint32_t colour) {
  return index_in_copy<D>(site_of_parity<D>(pair, tile, colour), tile);
}

template <int D, class Source, bool ONE, bool TRACKED>
__global__ void __launch_bounds__(most_threads_of<Source>)
    tiles_kernel(const __grid_constant__ TiledView<D> view, const __grid_constant__ Source source, std::uint32_t parity,
                 std::uint32_t hits, std::int64_t* changes) {
  std::uint32_t* const shared = cuda::shared_memory();
  auto* const copy = reinterpret_cast<std::int8_t*>(shared + 1 + Source::shared_words);
  const std::uint32_t pairs = view.pairs();
  const int side = static_cast<int>(view.tile) + 2;
  const TileOfBlock<D> tile(view, parity);
  if (threadIdx.x == 0) *shared = 0;
  tile.load(copy);
  Draws<Source, ONE> draws(source, shared + 1, pairs);
  const std::uint32_t own[2] = {index_of_pair<D>(threadIdx.x, view.tile, 0),
                                index_of_pair<D>(threadIdx.x, view.tile, 1)};
  __syncthreads();
  const FlipThresholds<D> thresholds = view.thresholds;
  int change = 0;
  for (std::uint32_t hit = 0; hit < hits; ++hit) {
    PSFLIP_UNROLL(2)
    for (std::uint32_t colour = 0; colour < 2; ++colour) {
      for (std::uint32_t first = 0; first < pairs; first += blockDim.x) {
        const std::uint32_t pair = first + threadIdx.x, number = draws(2 * hit + colour, pair);
        if (pair < pairs)
          change += try_spin(copy + (ONE ? own[colour] : index_of_pair<D>(pair, view.tile, colour)), side, number,
                             thresholds);
        __syncthreads();
      }
    }
  }
  draws.store();
  tile.store(copy);
  if (!TRACKED) return;
  add_in_block(change, reinterpret_cast<std::int32_t*>(shared));
  __syncthreads();
  if (threadIdx.x == 0) changes[blockIdx.x] += *reinterpret_cast<std::int32_t*>(shared);
}

/// Adds to *energy the changes of all blocks of tiles, and to *magnetization, if it is not null, the spins. `threads`:
/// of the grid.
__global__ void measure_kernel(const std::int64_t* changes, std::uint32_t blocks, const std::int8_t* spins,
                               std::size_t sites, std::size_t threads, std::int64_t* energy,
                               std::int64_t* magnetization) {
  auto* const sums = reinterpret_cast<unsigned long long*>(cuda::shared_memory());  // of this block
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2) sums[threadIdx.x] = 0;
  long long change = 0, up = 0;
  for (std::size_t i = thread; i < blocks; i += threads) change += changes[i];
  if (magnetization != nullptr)
    for (std::size_t i = thread; i < sites; i += threads) up += spins[i];
  for (int step = 16; step > 0; step /= 2) {
    change += __shfl_down_sync(0xffffffffu, change, step);
    up += __shfl_down_sync(0xffffffffu, up, step);
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sums, static_cast<unsigned long long>(change));
    atomicAdd(sums + 1, static_cast<unsigned long long>(up));
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  atomicAdd(reinterpret_cast<unsigned long long*>(energy), sums[0]);
  if (magnetization != nullptr) atomicAdd(reinterpret_cast<unsigned long long*>(magnetization), sums[1]);
}

}  // namespace psflip::laboratory::device
