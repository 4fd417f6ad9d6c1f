#pragma once
#include <string>

namespace psflip::laboratory {

/// Name of the GPU of this process; empty without a GPU and in a build without CUDA.
std::string gpu_name();

/// Version of the NVIDIA driver of this machine; empty without one.
std::string gpu_driver();

/// Throws UserError in one sentence if there is no GPU; `what` needs one, for example "--generator mtgp32".
void require_gpu(const std::string& what);

}  // namespace psflip::laboratory
