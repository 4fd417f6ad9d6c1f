// Time of an instruction in loops of 8 KB to 256 KB of machine code, on all multiprocessors. Where it rises, the loop
// no longer fits in an instruction cache. Warps execute the loop either at the same time or at different times.
#include <cstdint>
#include <cstdio>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/launch.hpp"

using namespace psflip::cuda;

namespace {

constexpr int loops = 2000;

/// Executes INSTRUCTIONS instructions of 16 bytes, alternately of the integer and of the multiplication unit, `loops`
/// times. `apart`: each warp waits once for a time of its own; otherwise a barrier ends every loop. cycles[block]: of
/// one loop. `sums` has a word for each thread of a block.
template <int INSTRUCTIONS>
__global__ void __launch_bounds__(512) execute(std::uint32_t* cycles, std::uint32_t* sums, bool apart) {
  std::uint32_t a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
  const long long begin = clock64();
  for (int k = 0; k < loops; ++k) {
#pragma unroll
    for (int i = 0; i < INSTRUCTIONS / 4; ++i) {
      asm volatile("add.u32 %0, %0, %1;" : "+r"(a) : "r"(b));
      asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(b) : "r"(c));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(c) : "r"(d));
      asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(d) : "r"(a));
    }
    for (std::uint32_t pause = 0; apart && k == 0 && pause < 3 * (threadIdx.x / 32); ++pause) __nanosleep(100);
    if (!apart) __syncthreads();
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = static_cast<std::uint32_t>((clock64() - begin) / loops);
  sums[threadIdx.x] = a + b + c + d;
}

/// Prints the mean over all multiprocessors of the cycles that a scheduler needs for an instruction of a warp.
template <int INSTRUCTIONS>
void print_times() {
  const auto blocks = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount));
  PinnedArray<std::uint32_t> cycles(blocks), sums(512);
  std::printf("%7d", INSTRUCTIONS * 16 / 1024);
  for (const std::uint32_t threads : {128u, 512u})
    for (const bool apart : {false, true}) {
      execute<INSTRUCTIONS><<<blocks, threads>>>(cycles.data(), sums.data(), apart);
      check(cudaDeviceSynchronize(), "loop");
      double sum = 0;
      for (std::uint32_t k = 0; k < blocks; ++k) sum += cycles.data()[k];
      std::printf("  %8.3f", sum / blocks / INSTRUCTIONS / (threads / 128));
    }
  std::printf("\n");
}

}  // namespace

int main() {
  std::printf("cycles of a scheduler for an instruction of a warp\n");
  std::printf("code KB  4 warps on a multiprocessor, 4 apart, 16, 16 apart\n");
  print_times<512>();
  print_times<1024>();
  print_times<1536>();
  print_times<2048>();
  print_times<3072>();
  print_times<4096>();
  print_times<6144>();
  print_times<8192>();
  print_times<9216>();
  print_times<16384>();
}
