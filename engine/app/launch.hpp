#pragma once
#include <memory>
#include <string>

#include "engine/driver/ranks.hpp"

namespace psflip::app {

/// The processes that mpirun or srun has started together with this one. MPI begins only where there is more than one.
/// Throws UserError where there are several that cannot find each other.
std::unique_ptr<Ranks> join_ranks(int& argc, char**& argv);

/// Version, or "not built": the MPI of `psflip --version`.
std::string mpi_state();

}  // namespace psflip::app
