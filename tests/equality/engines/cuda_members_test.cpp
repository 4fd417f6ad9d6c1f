#include "gpu_members.hpp"

// Every preset with every method on a GPU. The members without name are not compiled for GPUs.
namespace psflip::equality {
namespace {

class Members : public GpuMembers {
 protected:
  void compare_on_gpu(Compare compare) const {
    compare_all(compare, [](const System&) { return Backends{gpu_backend()}; });
  }
};

TEST_P(Members, have_the_trajectories_of_the_oracle) { compare_on_gpu(compare_trajectories); }

TEST_P(Members, continue_a_restored_configuration_as_the_oracle) { compare_on_gpu(compare_restored); }

TEST_P(Members, simulate_given_disorder_as_the_oracle) { compare_on_gpu(compare_given_disorder); }

TEST_P(Members, have_three_shards_that_are_the_pieces_of_one) { compare_on_gpu(compare_three_shards); }

TEST_P(Members, are_read_at_the_moment_when_the_reading_began) { compare_on_gpu(compare_readings); }

INSTANTIATE_TEST_SUITE_P(Cuda, Members, testing::ValuesIn(named_members()), name_of_parameter);

}  // namespace
}  // namespace psflip::equality
