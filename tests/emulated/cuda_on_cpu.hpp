#pragma once
#include "fibers.hpp"

// What the headers of engine/cuda need of CUDA, for a compiler that has none of it. Before them.
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define threadIdx (psflip::emulated::thread())
#define blockIdx (psflip::emulated::block())
#define blockDim (psflip::emulated::block_size())

struct uint4 {
  std::uint32_t x, y, z, w;
};
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w) { return {x, y, z, w}; }

inline void __syncthreads() { psflip::emulated::synchronize(); }
inline bool __any_sync(std::uint32_t, bool mine) { return psflip::emulated::any(mine); }
inline void __nanosleep(unsigned) { psflip::emulated::pause(); }

// Declared for headers of which no kernel is run here.
void __syncwarp();
std::uint32_t __ballot_sync(std::uint32_t, bool);
std::uint32_t __popc(std::uint32_t);
std::uint32_t __ffs(std::uint32_t);
std::uint32_t atomicXor(std::uint32_t*, std::uint32_t);
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}

namespace psflip::cuda {

inline std::uint32_t below(std::uint32_t u, std::uint32_t t) { return u < t ? ~0u : 0u; }
std::uint32_t lanes_below();
inline std::uint32_t* shared_memory() { return emulated::shared(); }
inline std::uint32_t shared_address(const std::uint32_t* word) {
  return static_cast<std::uint32_t>(4 * (word - emulated::shared()));
}
template <int CHUNK>
void copy_async(std::uint32_t to, const char* from) {
  emulated::start_copy(to, from, 4 * CHUNK);
}
inline void commit_copies() {}
inline void wait_for_copies() { emulated::wait_for_copies(); }

/// The halves of a letter arrive in any order, now and then far apart.
inline void store_letter(uint4* to, std::uint32_t first, std::uint32_t second, std::uint32_t event) {
  const bool second_half_first = emulated::toss(2);
  for (const bool half : {second_half_first, !second_half_first}) {
    (half ? to->z : to->x) = half ? second : first;
    (half ? to->w : to->y) = event;
    if (emulated::toss(64)) emulated::pause();
  }
}
inline uint4 load_letter(const uint4* from) {
  uint4 letter{from->x, from->y, 0, 0};
  if (emulated::toss(64)) emulated::pause();
  letter.z = from->z;
  letter.w = from->w;
  return letter;
}

}  // namespace psflip::cuda
