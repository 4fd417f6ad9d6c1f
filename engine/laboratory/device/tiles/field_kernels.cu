#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/device/tiles/field_block.cuh"

namespace psflip::laboratory::device {

namespace {

template <class States>
__global__ void boxes_kernel(FieldArrays arrays, TileBox box, int parity, int hits, States numbers) {
  extern __shared__ std::int8_t shared[];
  update_block(arrays, box, parity, hits, numbers, shared);
}

}  // namespace

std::size_t bytes_of_block(const TileBox& box) {
  return static_cast<std::size_t>(box.copied_sites() + 2 * box.threads());
}

template <class States>
void update_boxes(const FieldArrays& arrays, const TileBox& box, int parity, int hits, const States& numbers) {
  if (box.blocks(parity) == 0) return;
  const dim3 grid(static_cast<unsigned>(box.blocks(parity)), static_cast<unsigned>(arrays.configurations));
  boxes_kernel<<<grid, static_cast<unsigned>(box.threads()), bytes_of_block(box)>>>(arrays, box, parity, hits, numbers);
  cuda::check(cudaGetLastError(), "boxes_kernel");
}

template void update_boxes(const FieldArrays&, const TileBox&, int, int, const LcgStates&);
template void update_boxes(const FieldArrays&, const TileBox&, int, int, const PhiloxStates&);

}  // namespace psflip::laboratory::device
