#include "exchange_systems.hpp"
#include "on_gpu.hpp"

// The named systems on a GPU.
namespace psflip::equality {
namespace {

class CudaEquality : public SystemOnGpu {};

TEST_P(CudaEquality, the_trajectory_is_that_of_the_oracle) { compare_trajectories(system(), {gpu_backend()}); }

TEST_P(CudaEquality, three_shards_are_the_pieces_of_one) { compare_three_shards(system(), {gpu_backend()}); }

TEST_P(CudaEquality, a_restored_configuration_continues_as_in_the_oracle) {
  compare_restored(system(), {gpu_backend()});
}

TEST_P(CudaEquality, what_is_read_is_of_the_moment_when_that_began) { compare_readings(system(), {gpu_backend()}); }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaEquality, testing::ValuesIn(all_systems()), name_of_system);
INSTANTIATE_TEST_SUITE_P(CudaExchange, CudaEquality, testing::ValuesIn(all_exchange_systems()), name_of_system);

}  // namespace
}  // namespace psflip::equality
