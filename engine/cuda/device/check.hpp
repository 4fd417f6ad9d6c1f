#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>

/// The check of every CUDA call.
namespace psflip::cuda {

/// Throws UserError if the GPU has too little memory, std::runtime_error after any other failure of `call`.
void check(cudaError_t error, const char* call);

/// `bytes` bytes of memory of the current GPU. Throws UserError with the figures if there are not enough.
void* device_memory(std::size_t bytes);

/// Free bytes of the current GPU.
std::size_t free_device_memory();

/// Property of the current GPU.
int attribute(cudaDeviceAttr which);

}  // namespace psflip::cuda
