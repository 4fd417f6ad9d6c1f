#include "engine/cuda/sweep/half_sweep/slab_launch.cuh"

namespace psflip::cuda {

template void start_cubic_slab(const IndependentDecision<1, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<2, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<3, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<4, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<2, 3, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<2, 3, 5>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<4, 3, 3>&, const SlabJob&);
template void start_cubic_slab(const IndependentDecision<4, 3, 5>&, const SlabJob&);

}  // namespace psflip::cuda
