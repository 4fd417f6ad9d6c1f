#include "engine/cpu/cpu.hpp"
#include "gpu_ranks.hpp"
#include "tests/equality/engines/exchange_systems.hpp"
#include "tests/equality/engines/system_shapes.hpp"

// Temperature slots spread over ranks with a GPU each.
namespace psflip::equality {
namespace {

class CudaSlotDecomposition : public SystemOnGpu {};

TEST_P(CudaSlotDecomposition, the_trajectories_on_one_to_five_ranks_are_those_of_the_oracle) {
  compare_trajectories(system(), gpu_ranks(system(), {1, 2, 3, 5}));  // five: often one slot each
}

TEST_P(CudaSlotDecomposition, a_restored_state_continues_on_two_ranks_as_in_the_oracle) {
  compare_restored(system(), {gpu_ranks(2)});
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSlotDecomposition, testing::ValuesIn(all_exchange_systems()), name_of_system);

/// The state of `from` in a new engine.
std::unique_ptr<Engine> continued(const Engine& from, const System& system, const MakeEngine& make) {
  auto engine = make(system);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) engine->restore_spins(slot, from.packed_spins(slot));
  engine->restore(from.rounds(), from.flow_labels(), from.sums());
  return engine;
}

/// Grids of many slots, lattices within and beyond the shared memory of a thread block; the CPU engine, which equals
/// the oracle, is the reference.
class CudaSlotDecompositionSizes : public SystemOnGpu {};

TEST_P(CudaSlotDecompositionSizes, a_run_that_changes_the_number_of_ranks_is_that_of_the_cpu) {
  const auto expected = cpu::make_engine(system(), 2, 0);
  const MakeEngine most = gpu_ranks(most_ranks(system(), 5)).make;
  auto engine = most(system());
  for (const MakeEngine& next : {gpu_backend().make, gpu_ranks(2).make, most}) {
    engine->advance(3);
    expected->advance(3);
    expect_equal_disorder(*engine, *expected);
    expect_equal_state(*engine, *expected, system());
    engine = continued(*engine, system(), next);
  }
  engine->advance(2);
  expected->advance(2);
  expect_equal_state(*engine, *expected, system());
}

TEST_P(CudaSlotDecompositionSizes, slots_that_the_ranks_send_are_the_same) {
  const auto expected = cpu::make_engine(system(), 2, 0);
  const auto engine = gpu_ranks(most_ranks(system(), 3)).make(system());
  setenv("PSFLIP_HALO", "host", 1);
  engine->advance(5);
  unsetenv("PSFLIP_HALO");
  expected->advance(5);
  expect_equal_state(*engine, *expected, system());
}

std::vector<NamedSystem> sizes() {
  std::vector<NamedSystem> systems;
  for (const Grid& grid : {Grid{8, 1, 23, 200, 2},
                           {16, 1, 24, 35, 2},
                           {16, 0.4, 7, 35, 2, 1, Start::ordered},
                           {32, 1, 5, 33, 2, 1, Start::ordered},
                           {34, 1, 4, 33, 2},
                           {40, 3, 3, 33, 2},
                           {64, 1, 3, 2, 2},
                           {64, 1, 3, 400, 1},  // messages of 26 MiB, through host memory
                           {32, 1, 6, 40, 2, 2},
                           {16, 1, 8, 40, 2, 4}})
    systems.push_back(random_field_grid(grid));
  for (const auto& [L, random] : {std::pair{16, Random::shared}, {8, Random::independent}}) {
    System s;  // the first three slots have a decision of their own
    s.model = Model::ea3d;
    s.L = L;
    s.betas = {1.2, 1.1, 1, 0.75, 0.7, 0.65};
    s.first_sample = 7;
    s.samples = 33;
    s.replicas = 4;
    s.seed = 21;
    s.random = random;
    s.couplings = Couplings::bimodal;
    s.link_overlap_slots = {1, 4};
    s.round = {4, 2};
    systems.push_back({"ea3d_L" + std::to_string(L) + "_slots6", s});
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSlotDecompositionSizes, testing::ValuesIn(sizes()), name_of_system);

}  // namespace
}  // namespace psflip::equality
