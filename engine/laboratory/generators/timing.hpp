#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Speed of generators as in tables 1 and 2 of Lulli, Bernaschi, Parisi (arXiv:1411.0127).
namespace psflip::laboratory {

struct GeneratorTime {
  std::string generator;
  std::string library;        ///< "psflip", "std" or "cuRAND"
  double state_bytes = 0;     ///< of a thread
  double threads = 0;         ///< that have a state each
  double seconds_init = 0;    ///< to make the states of all threads
  double numbers_filled = 0;  ///< table 1: single-precision numbers in [0, 1) that fill an array
  double seconds_fill = 0;    ///< to fill it
  /// Table 2: odd numbers are counted, nothing is stored. 0, and no state: the library has no numbers in a kernel.
  double numbers_per_second = 0;
};

/// Names of the generators that `psflip-lab generators` knows; those of gpu_generators() need a GPU.
std::vector<std::string> generator_names();
std::vector<std::string> gpu_generators();

/// One thread of a CPU. Fills `count` numbers; each timing takes at least `seconds`. Those of `names` that need no GPU.
std::vector<GeneratorTime> time_on_cpu(const std::vector<std::string>& names, std::size_t count, double seconds);

}  // namespace psflip::laboratory
