#include "engine/app/machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <chrono>
#include <fstream>

#include <H5public.h>
#include "build_info.hpp"
#include "engine/app/launch.hpp"
#include "engine/app/run/backend.hpp"
#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"

namespace psflip::app {

std::string git_commit() { return PSFLIP_GIT_COMMIT; }
std::string compiler() { return PSFLIP_COMPILER; }

std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string version_text() {
  return fmt::format(
      "psflip {} (commit {})\nstream version {}\ncompiler {}, -march={}\nHDF5 {}\nCUDA: {}\nMPI: {}\nCPU words: {}",
      code_version, git_commit(), stream_version, compiler(), PSFLIP_ARCH, H5_VERS_INFO, cuda_state(), mpi_state(),
      cpu::instruction_set(cpu::supported_word_bits().back()));
}

void print_info() {
  fmt::print("{}\nprocessor: {}, {} cores\nword widths: ", version_text(), processor(), omp_get_num_procs());
  for (const int bits : cpu::supported_word_bits()) fmt::print("{} ({}) ", bits, cpu::instruction_set(bits));
  fmt::print("\n");
}

}  // namespace psflip::app
