#include "engine/laboratory/device/psflip.hpp"

#include <cuda_runtime.h>

#include "engine/cuda/cuda.hpp"
#include "engine/cuda/device/check.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

double seconds_of_psflip_sweep(System system, double seconds) {
  constexpr int sweeps = 32;  // of a call, one launch after another: a long run does not wait for the GPU in between
  system.round.half_sweeps = 2 * sweeps;
  const auto engine = cuda::make_engine(system);
  const auto call = [&] {
    engine->advance(1);
    cuda::check(cudaDeviceSynchronize(), "sweep");
  };
  return seconds_of(call, seconds) / sweeps;
}

}  // namespace psflip::laboratory::device
