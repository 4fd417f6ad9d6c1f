#include "engine/cuda/multi_gpu/machine.hpp"

#include <cstdlib>
#include <fstream>

namespace psflip::cuda {

std::string machine_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

bool only_through_ranks() {
  const char* value = std::getenv("PSFLIP_HALO");
  return value != nullptr && std::string(value) == "host";
}

}  // namespace psflip::cuda
