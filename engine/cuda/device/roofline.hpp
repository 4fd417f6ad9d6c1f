#pragma once
#include <cstddef>

namespace psflip::cuda {

/// Properties of the GPU as reported by the driver.
struct GpuProperties {
  int multiprocessors;
  int clock_khz;                        ///< maximum of the multiprocessors; lower under load
  std::size_t cache_bytes;              ///< L2
  std::size_t resident_bytes;           ///< shared memory of all multiprocessors together
  int runtime_version, driver_version;  ///< in the encoding of CUDA: 13000 is 13.0
};

/// Measured peak rates of the GPU, to which kernels are compared.
struct GpuRates {
  double copy_bandwidth;  ///< bytes read and written per second in copies of a buffer far larger than the L2 cache
  double logic_rate;      ///< three-input logic operations on 32-bit words (LOP3) per second
  double philox_rate;     ///< calls of Philox4x32-10 per second
};

/// Throws std::runtime_error when CUDA fails.
GpuProperties gpu_properties();

/// Takes about one second. Throws UserError if other processes use the memory of the GPU.
GpuRates measure_gpu_rates();

}  // namespace psflip::cuda
