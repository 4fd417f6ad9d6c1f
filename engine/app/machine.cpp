#include "engine/app/machine.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <H5public.h>
#include "engine/app/launch.hpp"
#include "engine/app/run/backend.hpp"
#include "engine/core/version.hpp"
#include "engine/cpu/cpu.hpp"

namespace psflip::app {

std::string version_text() {
  return fmt::format(
      "psflip {} (commit {})\nstream version {}\ncompiler {}, -march={}\nHDF5 {}\nCUDA: {}\nMPI: {}\nCPU words: {}",
      code_version, git_commit(), stream_version, compiler(), architecture(), H5_VERS_INFO, cuda_state(), mpi_state(),
      cpu::instruction_set(cpu::supported_word_bits().back()));
}

void print_info() {
  fmt::print("{}\nprocessor: {}, {} cores\nword widths: ", version_text(), processor(), omp_get_num_procs());
  for (const int bits : cpu::supported_word_bits()) fmt::print("{} ({}) ", bits, cpu::instruction_set(bits));
  fmt::print("\n");
}

}  // namespace psflip::app
