#pragma once
#include <cstdint>

namespace psflip::cuda {

/// Replicas a and b of the pair with a number. Pairs are in the order (0, 1), (0, 2), ..., (1, 2), ...
struct Pair {
  std::uint32_t a, b;

  __device__ static Pair number(std::uint32_t p, std::uint32_t replicas) {
    std::uint32_t a = 0;
    for (; p >= replicas - 1 - a; ++a) p -= replicas - 1 - a;
    return {a, a + 1 + p};
  }
};

}  // namespace psflip::cuda
