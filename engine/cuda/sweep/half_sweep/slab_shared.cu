#include "engine/cuda/sweep/half_sweep/slab_launch.cuh"

namespace psflip::cuda {

template void start_cubic_slab(const SharedDecision<1>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<2>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<3>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<4>&, const SlabJob&);

}  // namespace psflip::cuda
