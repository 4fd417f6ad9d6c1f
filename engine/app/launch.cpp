#include "engine/app/launch.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "engine/io/error.hpp"
#ifdef PSFLIP_WITH_MPI
#include "engine/mpi/mpi.hpp"
#endif

namespace psflip::app {

namespace {

/// How many processes a launcher has started: mpirun of Open MPI, launchers that speak PMI, srun.
int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return 1;
}

}  // namespace

#ifdef PSFLIP_WITH_MPI

std::string mpi_state() { return mpi::version(); }

std::unique_ptr<Ranks> join_ranks(int& argc, char**& argv) {
  const int launched = launched_processes();
  if (launched <= 1) return std::make_unique<Ranks>();
  std::unique_ptr<Ranks> ranks = mpi::join(argc, argv);
  if (ranks->count() != launched)
    throw UserError(fmt::format("{} processes were started but MPI connects {}, use mpirun or srun --mpi=pmix.",
                                launched, ranks->count()));
  if (!ranks->is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) std::fclose(stdout);
  return ranks;
}

#else

std::string mpi_state() { return "not built"; }

std::unique_ptr<Ranks> join_ranks(int&, char**&) {
  const int launched = launched_processes();
  if (launched > 1)
    throw UserError(fmt::format(
        "{} processes were started but this build has no MPI, leave mpirun out or build with -DPSFLIP_MPI=ON.",
        launched));
  return std::make_unique<Ranks>();
}

#endif

}  // namespace psflip::app
