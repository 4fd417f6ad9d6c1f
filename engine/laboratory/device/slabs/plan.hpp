#pragma once
#include <vector>

namespace psflip::laboratory::device {

/// Where the slabs of a lattice are. peer: an allocation on each GPU, which its neighbours read through peer access.
/// managed: one allocation of cudaMallocManaged() for all, with advice, as in figure 4 of Romero et al. (2020).
enum class SlabMemory { peer, managed };

/// The GPUs of a lattice, a slab each; one may be named several times. Together they update `rows` rows, a multiple of
/// rows_unit() times their number.
struct SlabPlan {
  std::vector<int> devices;
  SlabMemory memory = SlabMemory::peer;
  int rows = 0;
};

}  // namespace psflip::laboratory::device
