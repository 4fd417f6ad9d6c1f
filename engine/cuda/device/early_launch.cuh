#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "engine/cuda/device/check.hpp"

/// Programmatic dependent launch: thread blocks of a kernel start while the last blocks of the kernel before still run.
namespace psflip::cuda {

/// Whether the GPU runs code of `kernel` that can wait by after_previous_kernel(): compute capability 9.0 or higher,
/// and not translated by the driver from code for older GPUs.
template <class... Parameters>
bool waits_by_itself(void (*kernel)(Parameters...)) {
  cudaFuncAttributes code{};
  check(cudaFuncGetAttributes(&code, reinterpret_cast<const void*>(kernel)), "architecture of the code");
  return code.binaryVersion >= 90 && code.ptxVersion >= 90;
}

/// What precedes a launch in its stream: certainly a kernel, certainly an event of another stream, or either. Nothing
/// starts early after an event.
enum class After { kernel, event, anything };

/// Whether thread blocks of a launch may start early. No other thread uses the default stream meanwhile. Blocks of a
/// stream of high priority that wait for the kernel before would keep the blocks of other streams from working
/// meanwhile.
inline bool may_start_early(cudaStream_t stream, After after) {
  if (after == After::event) return false;
  if (stream == nullptr) return true;  // kernels and memory operations, and events that the caller names
  int priority = 0, least = 0;
  check(cudaStreamGetPriority(stream, &priority), "stream");
  check(cudaDeviceGetStreamPriorityRange(&least, nullptr), "stream");
  return after == After::kernel && priority == least;
}

/// Launches a kernel that calls after_previous_kernel(), or waits in its own way for what it reads. Its thread blocks
/// start before the kernel before has ended, if they may; on older GPUs it is a usual launch. `window`: memory with its
/// own policy in the L2 cache, if its size is not 0. Throws as check(), with `call`.
template <class... Parameters, class... Arguments>
void launch_early_in_window(const char* call, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t bytes,
                            cudaStream_t stream, After after, const cudaAccessPolicyWindow& window,
                            Arguments&&... arguments) {
  static const bool early = waits_by_itself(kernel);  // the same for all kernels of this type
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (window.num_bytes > 0) {
    attributes[count].id = cudaLaunchAttributeAccessPolicyWindow;
    attributes[count++].val.accessPolicyWindow = window;
  }
  if (early && may_start_early(stream, after)) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), call);
}
/// The same without a window.
template <class... Parameters, class... Arguments>
void launch_early(const char* call, void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t bytes,
                  cudaStream_t stream, After after, Arguments&&... arguments) {
  launch_early_in_window(call, kernel, grid, block, bytes, stream, after, cudaAccessPolicyWindow{},
                         std::forward<Arguments>(arguments)...);
}

}  // namespace psflip::cuda
