#pragma once
#include <bit>
#include <cstdlib>
#include <utility>

#include "fibers.hpp"

// The features of CUDA that the headers of engine/cuda use, for a C++ compiler. Include it before them.
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define PSFLIP_CLUSTER_OF(blocks)
#define __shared__ static  // for kernels whose blocks run one after the other, see emulated::run_grid
#define threadIdx (psflip::emulated::thread())
#define blockIdx (psflip::emulated::block())
#define blockDim (psflip::emulated::block_size())

struct uint4 {
  std::uint32_t x, y, z, w;
};
struct uint2 {
  std::uint32_t x, y;
};
struct int2 {
  int x, y;
};
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) { return {x, y, z, w}; }

inline void __syncthreads() { psflip::emulated::synchronize(); }
inline bool __any_sync(std::uint32_t, bool mine) { return psflip::emulated::any(mine); }
inline void __nanosleep(unsigned) { psflip::emulated::pause(); }

inline void __trap() { std::abort(); }
inline void __threadfence() {}
inline void __threadfence_system() {}
inline void __syncwarp() { psflip::emulated::any(false); }
inline std::uint32_t __ballot_sync(std::uint32_t, bool mine) {
  const std::uint64_t* votes = psflip::emulated::gather(mine);
  std::uint32_t mask = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) mask |= static_cast<std::uint32_t>(votes[lane]) << lane;
  return mask;
}
inline std::uint32_t __shfl_xor_sync(std::uint32_t, std::uint32_t mine, int other) {
  return static_cast<std::uint32_t>(
      psflip::emulated::gather(mine)[psflip::emulated::lane() ^ static_cast<std::uint32_t>(other)]);
}
inline long long __shfl_down_sync(std::uint32_t, long long mine, int step) {
  const std::uint32_t from = psflip::emulated::lane() + static_cast<std::uint32_t>(step);
  const std::uint64_t* all = psflip::emulated::gather(static_cast<std::uint64_t>(mine));
  return from < 32 ? static_cast<long long>(all[from]) : mine;
}
inline std::uint32_t __clz(std::uint32_t word) { return static_cast<std::uint32_t>(std::countl_zero(word)); }
inline int __popc(std::uint32_t word) { return std::popcount(word); }
inline std::uint32_t __ffs(std::uint32_t word) {
  return word == 0 ? 0 : 1 + static_cast<std::uint32_t>(std::countr_zero(word));
}
inline std::uint32_t __funnelshift_l(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return high << shift | low >> (32 - shift);
}
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return low >> shift | high << (32 - shift);
}
/// Byte k of the result is the byte of {low, high} that digit k of `order` names.
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t order) {
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  std::uint32_t word = 0;
  for (std::uint32_t k = 0; k < 4; ++k)
    word |= static_cast<std::uint32_t>(bytes >> 8 * (order >> 4 * k & 7u) & 0xffu) << 8 * k;
  return word;
}
inline std::uint32_t atomicXor(std::uint32_t* word, std::uint32_t bits) { return std::exchange(*word, *word ^ bits); }
template <class T, class Summand>
T atomicAdd(T* sum, Summand more) {
  return std::exchange(*sum, *sum + static_cast<T>(more));
}
template <class T>
T __ldg(const T* word) {
  return *word;
}
template <class T>
T __ldcg(const T* word) {
  return *word;
}
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}

namespace psflip::cuda {

inline std::uint32_t below(std::uint32_t u, std::uint32_t t) { return u < t ? ~0u : 0u; }
inline std::uint32_t uniform(std::uint32_t value) { return value; }
template <class Integer>
Integer in_register(Integer value) {
  return value;
}
inline void after_previous_kernel() {}
inline void let_next_kernel_start() {}
inline std::uint32_t lanes_below() { return (1u << emulated::lane()) - 1; }
class Entries {
 public:
  explicit Entries(uint4* first) : first_(first) {}
  std::uint32_t count() const { return count_; }
  bool has(std::uint32_t n) const { return count_ >= n; }
  bool has_at_most(std::uint32_t n) const { return count_ <= n; }
  void append(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t y, std::uint32_t z, std::uint32_t w) {
    const std::uint32_t x = a & ~b & ~c, with = __ballot_sync(~0u, x != 0);
    if (x != 0) first_[count_ + __popc(with & lanes_below())] = make_uint4(x, y, z, w);
    count_ += __popc(with);
  }
  void remove(std::uint32_t n) { count_ -= n; }
  uint4 removed(std::uint32_t i) const { return first_[count_ + i]; }

 private:
  uint4* first_;
  std::uint32_t count_ = 0;
};
using SharedEntries = Entries;
using GlobalEntries = Entries;
#define PSFLIP_SHARED_QUADS(name) auto* name = reinterpret_cast<uint4*>(emulated::shared())
inline std::uint32_t* shared_memory() { return emulated::shared(); }
inline std::uint32_t shared_address(const std::uint32_t* word) {
  return static_cast<std::uint32_t>(4 * (word - emulated::shared()));
}
inline std::uint32_t add_in_shared_memory(std::uint32_t* word, std::uint32_t more) { return atomicAdd(word, more); }
template <int CHUNK>
void copy_async(std::uint32_t to, const char* from) {
  emulated::start_copy(to, from, 4 * CHUNK);
}
inline void commit_copies() {}
inline void wait_for_copies() { emulated::wait_for_copies(); }

inline void synchronize_some(std::uint32_t barrier, std::uint32_t threads) {
  emulated::synchronize_some(barrier, threads);
}

inline void arrive_at(std::uint32_t barrier, std::uint32_t threads) { emulated::arrive_at(barrier, threads); }
inline std::uint32_t load_acquire(const std::uint32_t* word) {
  if (emulated::toss(64)) emulated::pause();
  return *word;
}

inline void store_release(std::uint32_t* word, std::uint32_t value) {
  if (emulated::toss(64)) emulated::pause();
  *word = value;
}

inline void store_packet(std::uint64_t* to, std::uint32_t word, std::uint32_t sequence) {
  if (emulated::toss(64)) emulated::pause();
  *to = std::uint64_t{sequence} << 32 | word;
}
inline uint2 load_packet(const std::uint64_t* from) {
  if (emulated::toss(64)) emulated::pause();
  return {static_cast<std::uint32_t>(*from), static_cast<std::uint32_t>(*from >> 32)};
}

/// The halves of a packet arrive in any order, sometimes with a long delay.
inline void store_packet(uint4* to, std::uint32_t first, std::uint32_t second, std::uint32_t sequence) {
  const bool second_half_first = emulated::toss(2);
  for (const bool half : {second_half_first, !second_half_first}) {
    (half ? to->z : to->x) = half ? second : first;
    (half ? to->w : to->y) = sequence;
    if (emulated::toss(64)) emulated::pause();
  }
}
inline uint4 load_packet(const uint4* from) {
  uint4 packet{from->x, from->y, 0, 0};
  if (emulated::toss(64)) emulated::pause();
  packet.z = from->z;
  packet.w = from->w;
  return packet;
}

}  // namespace psflip::cuda

namespace psflip::cuda::cluster {

inline std::uint32_t rank() { return emulated::rank_in_cluster(); }
inline void sync() { emulated::synchronize_cluster(); }
template <class T>
T* shared_of(T* mine, std::uint32_t block) {
  return reinterpret_cast<T*>(emulated::shared_of(reinterpret_cast<std::uint32_t*>(mine), block));
}

/// Words that arrive, in phases: one begins when a thread expects words, or when the first ones arrive.
struct Arrivals {
  std::int32_t missing;
  std::uint16_t expected, phase;

  void end_phase() {
    if (!expected || missing != 0) return;
    expected = 0;
    ++phase;
  }
};
static_assert(sizeof(Arrivals) == 8);
inline void initialize(Arrivals* arrivals) { *arrivals = {}; }
inline void send(std::uint32_t* to, std::uint32_t word, Arrivals* arrivals) {
  if (emulated::toss(64)) emulated::pause();
  *to = word;
  --arrivals->missing;
  arrivals->end_phase();
}
inline void expect(Arrivals* arrivals, std::uint32_t words) {
  arrivals->missing += static_cast<std::int32_t>(words);
  arrivals->expected = 1;
  arrivals->end_phase();
}
inline void wait_for(const Arrivals* arrivals, std::uint32_t phase) {
  while (((arrivals->phase ^ phase) & 1u) == 0) emulated::pause();
}

struct Barrier {
  std::uint16_t threads, arrived;
  std::uint32_t phase;
};
static_assert(sizeof(Barrier) == 8);
inline void initialize(Barrier* barrier, std::uint32_t threads) {
  *barrier = {static_cast<std::uint16_t>(threads), 0, 0};
}
using BarrierAddress = Barrier*;
inline BarrierAddress address_of(Barrier* barrier) { return barrier; }
inline BarrierAddress barrier_at(BarrierAddress first, std::uint32_t index) { return first + index; }
template <bool CLUSTER>
void arrive(Barrier* barrier) {
  if (emulated::toss(64)) emulated::pause();
  if (++barrier->arrived < barrier->threads) return;
  barrier->arrived = 0;
  ++barrier->phase;
}
/// Some warps continue late. Warps that do not wait for them then read or write too early, and the spins differ.
template <bool CLUSTER>
bool has_ended(const Barrier* barrier, std::uint32_t phase) {
  constexpr int longer_than_a_half_sweep = 400;
  emulated::pause();
  const bool ended = ((barrier->phase ^ phase) & 1u) != 0;
  if (ended && emulated::toss(256))
    for (int k = 0; k < longer_than_a_half_sweep; ++k) emulated::pause();
  return ended;
}

}  // namespace psflip::cuda::cluster
