#include "engine/cuda/sweep/half_sweep/slab_launch.cuh"
#include "engine/cuda/sweep/half_sweep/slab_sweeps_launch.cuh"

namespace psflip::cuda {

template void start_cubic_slab(const SharedDecision<1>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<2>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<3>&, const SlabJob&);
template void start_cubic_slab(const SharedDecision<4>&, const SlabJob&);

template void start_slab_sweeps(const SharedDecision<1>&, const SlabJob&, const SlabSweeps&, const SlabNeighbours&);
template void start_slab_sweeps(const SharedDecision<2>&, const SlabJob&, const SlabSweeps&, const SlabNeighbours&);
template void start_slab_sweeps(const SharedDecision<3>&, const SlabJob&, const SlabSweeps&, const SlabNeighbours&);
template void start_slab_sweeps(const SharedDecision<4>&, const SlabJob&, const SlabSweeps&, const SlabNeighbours&);

}  // namespace psflip::cuda
