#include "gpu_ranks.hpp"
#include "tests/equality/engines/gpu_members.hpp"

// Every preset with every method on several ranks with a GPU each.
namespace psflip::equality {
namespace {

class Members : public GpuMembers {};

TEST_P(Members, have_the_trajectories_of_the_oracle_on_two_and_three_ranks) {
  compare_all(compare_trajectories, [](const System& system) { return gpu_ranks(system, {2, 3}); });
}

TEST_P(Members, continue_a_restored_configuration_as_the_oracle) {
  compare_all(compare_restored, [](const System&) { return Backends{gpu_ranks(2)}; });
}

TEST_P(Members, simulate_given_disorder_as_the_oracle) {
  compare_all(compare_given_disorder, [](const System&) { return Backends{gpu_ranks(2)}; });
}

INSTANTIATE_TEST_SUITE_P(CudaRanks, Members, testing::ValuesIn(named_members()), name_of_parameter);

}  // namespace
}  // namespace psflip::equality
