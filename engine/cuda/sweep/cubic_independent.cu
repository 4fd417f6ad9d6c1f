#include "engine/cuda/sweep/cubic_launch.cuh"

namespace psflip::cuda {

template <int LEADING>
struct KnownSizes<IndependentDecision<4, 3, LEADING>> : NoKnownSizes {
  using persistent = std::integer_sequence<int, 8, 16, 18, 24, 30, 32>;
};

#ifndef PSFLIP_LEADING_PLANES
#error "compiled once for each number of leading planes, see CMakeLists.txt"
#endif
template bool advance_cubic(const IndependentDecision<2, 3, PSFLIP_LEADING_PLANES>&, const PackJob&);
template bool advance_cubic(const IndependentDecision<4, 3, PSFLIP_LEADING_PLANES>&, const PackJob&);
#if PSFLIP_LEADING_PLANES == 0
template bool advance_cubic(const IndependentDecision<1, 3>&, const PackJob&);
template bool advance_cubic(const IndependentDecision<3, 3>&, const PackJob&);
#endif

}  // namespace psflip::cuda
