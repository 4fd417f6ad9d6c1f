#include "engine/cuda/resident_launch.cuh"

namespace psflip::cuda {

template <>
struct KnownSizes<IndependentDecision<4, 3>> {
  using list = std::integer_sequence<int, 8, 16, 32>;
};

template bool advance_resident(const IndependentDecision<1, 3>&, const PackJob&);
template bool advance_resident(const IndependentDecision<2, 3>&, const PackJob&);
template bool advance_resident(const IndependentDecision<3, 3>&, const PackJob&);
template bool advance_resident(const IndependentDecision<4, 3>&, const PackJob&);

}  // namespace psflip::cuda
