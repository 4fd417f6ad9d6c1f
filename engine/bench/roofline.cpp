#include "engine/bench/roofline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/bench/flip_model.hpp"
#include "engine/cuda/device/roofline.hpp"

namespace psflip::bench {

namespace {

std::string version(int cuda) { return fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10); }

}  // namespace

nlohmann::json measure_gpu() {
  const cuda::GpuProperties gpu = cuda::gpu_properties();
  const cuda::GpuRates rates = cuda::measure_gpu_rates();
  fmt::print("GPU: copies {:.2f} TB/s, logic {:.2f} Tops/s, Philox {:.3f} Tcalls/s\n", 1e-12 * rates.copy_bandwidth,
             1e-12 * rates.logic_rate, 1e-12 * rates.philox_rate);
  return {{"sms", gpu.multiprocessors},
          {"clock_mhz", gpu.clock_khz / 1000.},
          {"cache_bytes", gpu.cache_bytes},
          {"resident_bytes", gpu.resident_bytes},
          {"cuda_runtime", version(gpu.runtime_version)},
          {"cuda_driver", version(gpu.driver_version)},
          {"copy_bandwidth", rates.copy_bandwidth},
          {"logic_rate", rates.logic_rate},
          {"philox_rate", rates.philox_rate}};
}

void add_roofline(nlohmann::json& result, const nlohmann::json& gpu, const System& system, double ps_per_flip) {
  const FlipModel model = flip_model(system, {gpu["resident_bytes"], gpu["cache_bytes"]});
  const double flips = 1e12 / ps_per_flip;  // per second
  result.update(gpu);
  result.update({{"bytes_per_flip_model", model.bytes},
                 {"operations_per_flip_model", model.operations},
                 {"philox_calls_per_flip_model", model.philox_calls},
                 {"bytes_per_s", model.bytes * flips},
                 {"operations_per_s", model.operations * flips},
                 {"philox_calls_per_s", model.philox_calls * flips},
                 {"share_of_bandwidth", model.bytes * flips / gpu["copy_bandwidth"].get<double>()},
                 {"share_of_logic_rate", model.operations * flips / gpu["logic_rate"].get<double>()},
                 {"share_of_philox_rate", model.philox_calls * flips / gpu["philox_rate"].get<double>()}});
}

}  // namespace psflip::bench
