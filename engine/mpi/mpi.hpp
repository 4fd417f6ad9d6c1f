#pragma once
#include <memory>
#include <string>

#include "engine/driver/ranks.hpp"

namespace psflip::mpi {

/// Joins the processes that mpirun (srun) has started together with this one. MPI ends with the object.
std::unique_ptr<Ranks> join(int& argc, char**& argv);

/// Version of the MPI library, for `psflip --version`; needs no join().
std::string version();

}  // namespace psflip::mpi
