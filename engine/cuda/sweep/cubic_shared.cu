#include "engine/cuda/sweep/cubic_launch.cuh"

namespace psflip::cuda {

/// Large jobs consist of groups of four replicas: every size has a specialized kernel.
template <>
struct KnownSizes<SharedDecision<4>> : NoKnownSizes {
  using persistent =
      std::integer_sequence<int, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40>;
  using temporal = std::integer_sequence<int, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62, 64, 66, 80, 96, 128>;
  // Other sizes were slower, equal or not measured (notebook of the benchmark). Sublattice blocks, L = 64, have one
  // too.
  using cold = std::integer_sequence<int, 14, 16, 18, 20, 22, 26, 28, 32, 46, 48, 66, 96, 128>;
};

template bool advance_cubic(const SharedDecision<1>&, const PackJob&);
template bool advance_cubic(const SharedDecision<2>&, const PackJob&);
template bool advance_cubic(const SharedDecision<3>&, const PackJob&);
template bool advance_cubic(const SharedDecision<4>&, const PackJob&);

}  // namespace psflip::cuda
