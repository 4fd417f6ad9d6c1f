#pragma once

namespace psflip::cuda {

/// From here on this process works on one of the GPUs of its machine. Processes are dealt out to them in turn by their
/// numbers on the machine; where there are more processes than GPUs, some share one.
void use_device_of(int rank_in_node);

}  // namespace psflip::cuda
