#pragma once
#include <functional>
#include <string>

#include "engine/app/run/run_job.hpp"
#include "engine/driver/memory/job_memory.hpp"

namespace psflip::app {

/// The machine that a job runs on, as files and progress lines name it.
struct Backend {
  std::string name;             ///< "cpu" or "cuda"
  std::string device;           ///< processor or GPU
  std::string instruction_set;  ///< of the CPU backend, "CUDA" otherwise
  int writing_threads;          ///< that compress files: those of the simulation, up to 8 where a GPU simulates
  MakeEngine make_engine;
  MakePart make_part;  ///< for one of several processes
  CountEngine count_engine;
  std::function<double()> available_to_device;  ///< bytes of memory of the GPU; infinity without a GPU

  /// The factory of the engines of a job on these ranks.
  MakeEngine engine_on(Ranks& ranks) const;
};

/// The backend of an execution; `auto` takes a GPU if one is there, else the CPU.
/// Throws UserError if the requested device is not available.
Backend choose_backend(const Execution& execution);

/// "yes", or why not: the line CUDA of `psflip info`.
std::string cuda_state();

}  // namespace psflip::app
