#pragma once

namespace psflip::cuda {

/// Selects the GPU of this process: its rank on the machine modulo the number of GPUs. If there are more processes than
/// GPUs, some processes share a GPU.
void use_device_of(int rank_in_node);

}  // namespace psflip::cuda
