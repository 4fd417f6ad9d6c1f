#include "engine/laboratory/app/gpu.hpp"

#include <fmt/format.h>

#include <fstream>

#include "engine/io/error.hpp"
#ifdef PSFLIP_WITH_CUDA
#include "engine/laboratory/device/gpu.hpp"
#endif

namespace psflip::laboratory {

std::string gpu_name() {
#ifdef PSFLIP_WITH_CUDA
  return device::gpu_name();
#else
  return {};
#endif
}

std::string gpu_driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)  // the first word like 580.95.05
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return {};
}

void require_gpu(const std::string& what) {
  if (!gpu_name().empty()) return;
#ifdef PSFLIP_WITH_CUDA
  throw UserError(fmt::format("{}: needs a GPU and this machine has none, run it where there is one.", what));
#else
  throw UserError(fmt::format(
      "{}: needs a GPU and this build has no CUDA, build with -DPSFLIP_CUDA=ON on a machine with a GPU.", what));
#endif
}

}  // namespace psflip::laboratory
