#pragma once
#include <cuda_runtime_api.h>

/// The check of every CUDA call.
namespace psflip::cuda {

/// Throws UserError if the GPU has too little memory, std::runtime_error after any other failure of `call`.
void check(cudaError_t error, const char* call);

/// Property of the current GPU.
int attribute(cudaDeviceAttr which);

}  // namespace psflip::cuda
