// Time of logic instructions and multiplications together, on all multiprocessors: do their units work side by side?
#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/launch.hpp"

using namespace psflip::cuda;

namespace {

constexpr int loops = 2000, chains = 8;  // a chain: each instruction needs the result of the one before

/// Executes, `loops` times in each of eight chains, LOGIC operations on three words, PRODUCTS multiplications with a
/// 32-bit product and WIDE multiplications with a 64-bit product. `words` has a word for each thread of a block.
template <int LOGIC, int PRODUCTS, int WIDE>
__global__ void __launch_bounds__(512) execute(std::uint32_t* cycles, std::uint32_t* words) {
  std::uint32_t logic[chains], product[chains];
  std::uint64_t wide[chains];
  const std::uint32_t a = words[threadIdx.x], b = a + 1;
  for (int n = 0; n < chains; ++n) wide[n] = logic[n] = product[n] = a + n;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int k = 0; k < loops; ++k)
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int n = 0; n < chains; ++n) {
        if (i < LOGIC) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(logic[n]) : "r"(a), "r"(b));
        if (i < PRODUCTS) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(product[n]) : "r"(a), "r"(b));
        if (i < WIDE)
          asm volatile("{ .reg .u32 l, h; mov.b64 {l, h}, %0; mul.wide.u32 %0, h, 0xD2511F53; }" : "+l"(wide[n]));
      }
  if (threadIdx.x == 0) cycles[blockIdx.x] = static_cast<std::uint32_t>((clock64() - begin) / loops);
  std::uint32_t sum = 0;
  for (int n = 0; n < chains; ++n) sum += logic[n] + product[n] + static_cast<std::uint32_t>(wide[n] ^ wide[n] >> 32);
  words[threadIdx.x] = sum;
}

/// Prints the mean over all multiprocessors of the cycles of a scheduler, which executes four warps.
template <int LOGIC, int PRODUCTS, int WIDE>
void print_time() {
  const auto blocks = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount));
  PinnedArray<std::uint32_t> cycles(blocks), words(512);
  std::fill_n(words.data(), 512, 1u);
  execute<LOGIC, PRODUCTS, WIDE><<<blocks, 512>>>(cycles.data(), words.data());
  check(cudaDeviceSynchronize(), "instructions");
  double sum = 0;
  for (std::uint32_t k = 0; k < blocks; ++k) sum += cycles.data()[k];
  std::printf("%5d  %8d  %4d  %7.2f\n", LOGIC, PRODUCTS, WIDE, sum / blocks / chains / 4);
}

}  // namespace

int main() {
  std::printf("cycles of a scheduler for these instructions of a warp\nlogic  products  wide  cycles\n");
  print_time<1, 0, 0>();
  print_time<0, 1, 0>();
  print_time<0, 0, 1>();
  print_time<1, 1, 0>();
  print_time<2, 1, 0>();
  print_time<2, 2, 0>();
  print_time<4, 4, 0>();
  print_time<1, 0, 1>();
  print_time<2, 0, 1>();
  print_time<3, 0, 1>();
  print_time<4, 0, 1>();
  print_time<2, 1, 1>();
  print_time<4, 1, 1>();
}
