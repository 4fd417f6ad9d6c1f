#pragma once
#include <functional>
#include <string>

#include "engine/app/run_job.hpp"
#include "engine/driver/domain_engine.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/driver/tempering_simulation.hpp"

namespace psflip::app {

/// The machine that a job runs on, as files and progress lines name it.
struct Backend {
  std::string name;             ///< "cpu" or "cuda"
  std::string device;           ///< processor or card
  std::string instruction_set;  ///< of the CPU backend, "CUDA" otherwise
  MakeEngine make_engine;
  MakeTempering make_tempering;
  MakeDomain make_domain;  ///< empty where only whole systems are simulated
};

/// The backend of an execution; `auto` takes a GPU if one is there, else the CPU.
/// Throws UserError when what was asked for is not there.
Backend choose_backend(const Execution& execution);

/// "yes", or why not: what `psflip info` says of CUDA.
std::string cuda_state();

}  // namespace psflip::app
