#include <fmt/format.h>

#include <cmath>

#include "engine/cpu/cpu.hpp"
#include "engine/cuda/device/check.hpp"
#include "on_gpu.hpp"
#include "system_shapes.hpp"
#include "tests/oracle/oracle.hpp"

// Lattices larger than the oracle can follow far: sizes with kernels of their own and sizes on both sides of every
// limit of a kernel. Where the oracle is too slow the CPU engine, which equals the oracle, is the reference.
namespace psflip::equality {
namespace {

using Stops = std::vector<std::uint64_t>;

/// Stops after so many more rounds each.
void compare_with_cpu(const System& system, const Stops& stops) {
  const auto expected = cpu::make_engine(system, 2, 0);
  const auto engine = cuda::make_engine(system);
  expect_equal_disorder(*engine, *expected);
  for (const std::uint64_t rounds : stops) {
    SCOPED_TRACE(fmt::format("after {} + {} rounds", expected->rounds(), rounds));
    expected->advance(rounds);
    engine->advance(rounds);
    expect_equal_state(*engine, *expected, system);
  }
}

class CudaSizes : public SystemOnGpu {};

TEST_P(CudaSizes, one_sweep_is_that_of_the_oracle) {
  oracle::Oracle oracle(system());
  const auto engine = cuda::make_engine(system());
  oracle.advance(3);
  engine->advance(3);
  expect_equal_state(*engine, oracle, system());
}

std::vector<NamedSystem> larger_systems() {
  std::vector<NamedSystem> systems;
  for (const int L : {12, 14, 18, 20, 22, 24, 26, 30, 32, 34})
    for (const Random random : {Random::shared, Random::independent})
      systems.push_back(spin_glass({L, 34, L < 30 ? 4 : 2}, random));
  for (const int L : {64, 200, 300}) systems.push_back(square_ferromagnet({L, 34}, Packing::samples));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSizes, testing::ValuesIn(larger_systems()), name_of_system);

/// Sizes with a second kernel for low temperatures (those of KnownSizes::cold, plane blocks, and 64) at two low
/// temperatures and a high one, at which it is not used; at two sizes also more packs than the GPU holds at once.
class CudaColdSizes : public SystemOnGpu {};

TEST_P(CudaColdSizes, sweeps_are_those_of_the_cpu) { compare_with_cpu(system(), {2, 13, 7}); }

std::vector<NamedSystem> cold_systems() {
  std::vector<NamedSystem> systems;
  for (const int L : {14, 16, 18, 20, 22, 26, 28, 32, 46, 48, 64, 66, 96, 128})
    for (const double beta : {2.0, 0.785, 0.3}) systems.push_back(spin_glass({L, 35, 4}, Random::shared, beta));
  for (const int L : {16, 32}) systems.push_back(spin_glass({L, 4500, 8}, Random::shared, 0.785));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaColdSizes, testing::ValuesIn(cold_systems()), name_of_system);

/// Independent numbers, whose undecided lanes wait in queues of warps: incomplete warps, warps whose threads have
/// different numbers of planes, warps that wait for adjacent ones only (L = 16, 24, 32), clusters, lattices in global
/// memory; groups of one to four replicas; thresholds whose zero bits at the front are none, three and five. More packs
/// than the GPU holds at once.
class CudaQueues : public SystemOnGpu {};

TEST_P(CudaQueues, sweeps_are_those_of_the_cpu) { compare_with_cpu(system(), {2, 5, 7}); }

std::vector<NamedSystem> systems_with_queues() {
  std::vector<NamedSystem> systems;
  for (const int L : {6, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 40, 64, 66})
    systems.push_back(spin_glass({L, 70, 4}, Random::independent));
  for (const int L : {14, 30, 38})
    for (const int replicas : {1, 2, 3, 6}) systems.push_back(spin_glass({L, 35, replicas}, Random::independent));
  for (const int L : {16, 18, 22, 30, 32, 38})
    for (const double beta : {0.01, 0.6}) systems.push_back(spin_glass({L, 35, 4}, Random::independent, beta));
  for (const int L : {16, 18, 22, 24, 32}) systems.push_back(spin_glass({L, 9000, 4}, Random::independent));
  for (int planes = 0; planes < 8; ++planes)  // all values of the bits behind five that are zero
    systems.push_back(spin_glass({64, 35, 4}, Random::independent, std::log(256 / (planes + 0.5)) / 4));
  for (const double beta : {0.7, 0.9}) systems.push_back(spin_glass({128, 7, 4}, Random::independent, beta));
  for (const double beta : {0.01, 0.3}) systems.push_back(spin_glass({128, 70, 4}, Random::independent, beta));
  systems.push_back(spin_glass({128, 40, 8}, Random::independent, 0.9));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaQueues, testing::ValuesIn(systems_with_queues()), name_of_system);

/// Lattices at one temperature that a thread block or a cluster keeps in shared memory, on both sides of the limits.
class CudaMembersInSharedMemory : public SystemOnGpu {};

TEST_P(CudaMembersInSharedMemory, sweeps_are_those_of_the_cpu) { compare_with_cpu(system(), {2, 5, 7}); }

/// Sizes with kernels of their own: more packs than the GPU holds at once and many half sweeps, which are divided into
/// intervals, and every scheme of fields.
class CudaKnownMembers : public SystemOnGpu {};

TEST_P(CudaKnownMembers, long_runs_are_those_of_the_cpu) { compare_with_cpu(system(), {3, 200, 65}); }

struct MemberSize {
  Model model;
  int L;
  std::uint64_t samples;
  int replicas;
  double h = 0;
};

NamedSystem member_system(const MemberSize& size, Random random) {
  System s;
  s.model = size.model;
  s.L = size.L;
  s.betas = {s.dimension() == 3 ? 0.25 : 0.44};
  s.first_sample = 7;
  s.samples = size.samples;
  s.replicas = size.replicas;
  s.seed = 22;
  s.random = random;
  s.couplings = s.preset().has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  s.h = size.h;
  s.round.half_sweeps = 1;
  return {fmt::format("{}_L{}_samples{}_replicas{}_h_percent{}{}", model_name(size.model), size.L, size.samples,
                      size.replicas, std::lround(100 * size.h), random == Random::shared ? "_shared" : ""),
          s};
}

std::vector<NamedSystem> members_in_shared_memory() {
  std::vector<NamedSystem> systems;
  for (const int L : {6, 32, 34, 96, 126, 128, 170, 258, 512, 640, 700})
    systems.push_back(member_system({Model::ising2d, L, 70, 1}, Random::independent));
  systems.push_back(member_system({Model::ising2d, 128, 1024, 1}, Random::independent));
  systems.push_back(member_system({Model::ising2d, 64, 70, 4}, Random::independent));
  systems.push_back(member_system({Model::ising2d, 130, 70, 2, 0.3}, Random::independent));
  for (const int L : {8, 16, 26, 32, 44})
    systems.push_back(member_system({Model::ising3d, L, 70, 1}, Random::independent));
  systems.push_back(member_system({Model::ising3d, 16, 3000, 3}, Random::independent));
  for (const double h : {0.5, 1.0, 3.0}) {
    systems.push_back(member_system({Model::rfim3d, 16, 70, 2, h}, Random::independent));
    systems.push_back(member_system({Model::rfim2d, 64, 70, 5, h}, Random::independent));
  }
  systems.push_back(member_system({Model::rfim3d, 34, 33, 2, 1.0}, Random::independent));
  systems.push_back(member_system({Model::rfim2d, 200, 33, 2, 1.0}, Random::independent));
  for (const Random random : {Random::shared, Random::independent})
    for (const int replicas : {1, 4, 6}) systems.push_back(member_system({Model::ea2d, 64, 70, replicas}, random));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaMembersInSharedMemory, testing::ValuesIn(members_in_shared_memory()),
                         name_of_system);
/// `few` and `many` replicas: those of CommonMembers for one temperature, on an H200.
std::vector<NamedSystem> known_members() {
  struct Size {
    Model ferromagnet, in_random_fields;
    int L;
    std::uint64_t few, many;  ///< samples
  };
  constexpr Size sizes[] = {
      {Model::ising2d, Model::rfim2d, 32, 70, 30000},  {Model::ising2d, Model::rfim2d, 64, 4500, 8000},
      {Model::ising2d, Model::rfim2d, 96, 1500, 4500}, {Model::ising2d, Model::rfim2d, 128, 1024, 2100},
      {Model::ising3d, Model::rfim3d, 8, 4500, 34000}, {Model::ising3d, Model::rfim3d, 12, 70, 14000},
      {Model::ising3d, Model::rfim3d, 16, 3000, 9000}, {Model::ising3d, Model::rfim3d, 24, 70, 1500},
      {Model::ising3d, Model::rfim3d, 32, 33, 1100}};
  std::vector<NamedSystem> systems;
  const auto add = [&](const MemberSize& size) { systems.push_back(member_system(size, Random::independent)); };
  for (const Size& size : sizes) {
    add({size.ferromagnet, size.L, size.few, size.L == 12 || size.L == 32 ? 3 : 1});
    add({size.ferromagnet, size.L, size.many, 1});
    for (const double h : {0.0, 0.5, 1.0, 2.0}) add({size.in_random_fields, size.L, 33, 2, h});
    for (const double h : {0.5, 1.0}) add({size.in_random_fields, size.L, size.many / 2, 2, h});
  }
  add({Model::ising2d, 64, 70, 1, 0.4});
  add({Model::ising3d, 16, 70, 1, 1.0});
  return systems;
}
INSTANTIATE_TEST_SUITE_P(Cuda, CudaKnownMembers, testing::ValuesIn(known_members()), name_of_system);

/// Few lattices, which are all updated at the same time: the kernel stores the spins after several intervals. A GPU
/// without clusters has no such kernel.
class CudaIntervals : public SystemOnGpu {};

TEST_P(CudaIntervals, are_read_as_if_the_engine_stopped_after_each) {
  const auto engine = cuda::make_engine(system()), expected = cpu::make_engine(system(), 2, 0);
  if (cuda::attribute(cudaDevAttrComputeCapabilityMajor) >= 9) EXPECT_GE(engine->intervals_at_once(), 5U);
  compare_intervals(system(), *engine, *expected);
}

std::vector<NamedSystem> systems_in_intervals() {
  std::vector<NamedSystem> systems;
  const auto add = [&](const MemberSize& size) { systems.push_back(member_system(size, Random::independent)); };
  for (const int L : {32, 64, 96, 128}) add({Model::ising2d, L, 70, 1});
  for (const int L : {8, 12, 16}) add({Model::ising3d, L, 70, 1});
  add({Model::ising3d, 16, 4096, 1});
  add({Model::ising3d, 16, 8200, 1});  // long columns
  add({Model::ising3d, 16, 70, 1, 1.0});
  for (const double h : {0.5, 1.0}) {
    add({Model::rfim3d, 8, 70, 2, h});
    add({Model::rfim3d, 16, 2100, 1, h});
    add({Model::rfim2d, 64, 33, 4, h});
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaIntervals, testing::ValuesIn(systems_in_intervals()), name_of_system);

/// Plane blocks: numbers of half sweeps that are large enough for them, with odd and even starts, at a low and at a
/// high temperature; fewer and more packs than the GPU holds at once, two groups of replicas, and 5 to 7 replicas, of
/// which the group of four uses plane blocks if the other one stays in shared memory too.
class CudaPlaneBlocks : public SystemOnGpu {};

TEST_P(CudaPlaneBlocks, long_runs_are_those_of_the_cpu) { compare_with_cpu(system(), {3, 13, 65, 1}); }

std::vector<NamedSystem> plane_block_systems() {
  std::vector<NamedSystem> systems;
  for (int L = 22; L <= 66; L += 2)
    for (const double beta : {0.785, 0.3}) systems.push_back(spin_glass({L, 70, 4}, Random::shared, beta));
  for (const int L : {22, 26, 32}) systems.push_back(spin_glass({L, 4500, 4}, Random::shared));
  for (const int L : {36, 46, 60, 66}) systems.push_back(spin_glass({L, 500, 4}, Random::shared));
  for (const int L : {24, 30, 42, 58, 66}) systems.push_back(spin_glass({L, 7, 8}, Random::shared));
  for (const Shape& shape : {Shape{24, 7, 5}, {24, 7, 6}, {32, 7, 6}, {32, 7, 7}, {36, 7, 7}, {48, 7, 6}})
    systems.push_back(spin_glass(shape, Random::shared));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaPlaneBlocks, testing::ValuesIn(plane_block_systems()), name_of_system);

/// Sublattice blocks: numbers of half sweeps that are large enough for them, with odd and even starts, fewer and more
/// packs than the GPU holds at once, one group of four replicas and two.
class CudaSublatticeBlocks : public SystemOnGpu {};

TEST_P(CudaSublatticeBlocks, long_runs_are_those_of_the_cpu) { compare_with_cpu(system(), {3, 13, 65, 1}); }

INSTANTIATE_TEST_SUITE_P(
    Cuda, CudaSublatticeBlocks,
    testing::Values(spin_glass({60, 7, 8}, Random::shared), spin_glass({60, 130, 4}, Random::shared),
                    spin_glass({62, 34, 4}, Random::shared), spin_glass({62, 7, 5}, Random::shared),
                    spin_glass({64, 34, 4}, Random::shared), spin_glass({64, 130, 4}, Random::shared),
                    spin_glass({64, 7, 8}, Random::shared), spin_glass({64, 7, 5}, Random::shared)),
    name_of_system);

/// Sizes with temporal blocking and one that is too large for it, with rows of an even and of an odd number of words,
/// one group of replicas and two, which must leave the spins in the same array. L = 34 to 40: groups of four use plane
/// blocks unless another group follows. L = 42 to 66: sizes known to the compiler.
class CudaTemporalBlocking : public SystemOnGpu {};

TEST_P(CudaTemporalBlocking, sweeps_are_those_of_the_cpu) { compare_with_cpu(system(), {2, 5, 7}); }

std::vector<NamedSystem> temporal_blocking_systems() {
  std::vector<NamedSystem> systems;
  for (const Shape& shape :
       {Shape{34, 35, 5}, {36, 35, 4}, {36, 35, 7}, {38, 35, 2}, {38, 35, 4}, {40, 70, 4}, {40, 35, 6},
        {42, 35, 5},      {44, 35, 4}, {46, 35, 4}, {50, 7, 4},  {54, 7, 4},  {62, 7, 4},  {48, 300, 4},
        {64, 40, 3},      {66, 70, 4}, {66, 7, 5},  {80, 35, 4}, {90, 7, 3},  {96, 7, 8},  {128, 290, 4},
        {130, 3, 4},      {182, 2, 5}, {238, 1, 5}, {256, 1, 6}})
    systems.push_back(spin_glass(shape, Random::shared));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemporalBlocking, testing::ValuesIn(temporal_blocking_systems()), name_of_system);

/// Three and sixteen passes of more packs than the GPU holds at once, so that launches execute two passes.
class CudaTemporalPasses : public SystemOnGpu {};

TEST_P(CudaTemporalPasses, long_runs_are_those_of_the_cpu) { compare_with_cpu(system(), {13, 65}); }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemporalPasses,
                         testing::Values(spin_glass({128, 290, 4}, Random::shared),
                                         spin_glass({182, 130, 5}, Random::shared)),
                         name_of_system);

/// Packed sites on lattices that stay in the shared memory of a block and on lattices that do not, with rows of an even
/// and of an odd number of words.
class CudaSites : public SystemOnGpu {};

/// Restores the configuration after six rounds in an engine on the GPU that has done `before` rounds, and continues it.
void compare_restored(const System& system, std::uint64_t before, std::uint64_t after) {
  const auto expected = cpu::make_engine(system, 2, 0);
  const auto engine = cuda::make_engine(system);
  expected->advance(6);
  engine->advance(before);
  const PackedSigns spins = expected->packed_spins();
  for (Engine* each : {engine.get(), expected.get()}) {
    each->restore_spins(0, spins);
    each->restore(7);
    each->advance(after);
  }
  expect_equal_state(*engine, *expected, system);
}

TEST_P(CudaSites, three_sweeps_and_a_restored_configuration_are_those_of_the_cpu) {
  compare_with_cpu(system(), {0, 1, 5});
  compare_restored(system(), 0, 2);
}

std::vector<NamedSystem> site_systems() {
  std::vector<NamedSystem> systems;
  constexpr double critical = 0.44068679350977147;
  for (const auto& [L, samples, beta] : {std::tuple{64, 300, critical},
                                         {128, 200, critical},
                                         {192, 7, critical},
                                         {256, 7, 0.2},
                                         {320, 2, critical},
                                         {384, 3, 0.05},
                                         {512, 264, critical},
                                         {576, 3, 0.3},
                                         {896, 133, critical},
                                         {1024, 3, critical},
                                         {1024, 200, 0.7},
                                         {1088, 2, 0.1},
                                         {4096, 1, critical},
                                         {8192, 1, critical},
                                         {12288, 1, critical},
                                         {16384, 1, critical},
                                         {49152, 1, critical}})
    systems.push_back(square_ferromagnet({L, static_cast<std::uint64_t>(samples)}, Packing::sites, beta));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSites, testing::ValuesIn(site_systems()), name_of_system);

/// One lattice of packed sites in the shared memory of all multiprocessors: calls that begin with an even and with an
/// odd half sweep, row blocks of four to 32 rows on an H100, of equal and of different numbers of rows.
class CudaSiteRowBlocks : public SystemOnGpu {};

TEST_P(CudaSiteRowBlocks, long_runs_are_those_of_the_cpu) { compare_with_cpu(system(), {3, 12, 65, 4, 1, 5}); }

TEST_P(CudaSiteRowBlocks, runs_from_a_restored_configuration_are_those_of_the_cpu) {
  compare_restored(system(), 9, 5);  // packets of earlier exchanges remain in memory
}

std::vector<NamedSystem> systems_in_row_blocks() {
  std::vector<NamedSystem> systems;
  for (const auto& [L, beta] :
       {std::pair{448, 0.44}, {576, 0.05}, {704, 0.3}, {1024, 0.44}, {1088, 0.9}, {2048, 0.44}, {4096, 0.44}})
    systems.push_back(square_ferromagnet({L, 1}, Packing::sites, beta));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSiteRowBlocks, testing::ValuesIn(systems_in_row_blocks()), name_of_system);

/// Exchange Monte Carlo: sizes with kernels of their own and sizes on both sides of what a block can hold, and the
/// shapes of large jobs.
class CudaExchangeSizes : public SystemOnGpu {};

TEST_P(CudaExchangeSizes, rounds_and_a_restored_state_are_those_of_the_cpu) {
  compare_with_cpu(system(), {1, 2});
  const auto expected = cpu::make_engine(system(), 2, 0);
  const auto engine = cuda::make_engine(system());
  expected->advance(3);
  for (std::size_t slot = 0; slot < system().slots(); ++slot) engine->restore_spins(slot, expected->packed_spins(slot));
  engine->restore(3, expected->flow_labels(), expected->sums());
  engine->advance(1);
  expected->advance(1);
  expect_equal_state(*engine, *expected, system());
}

/// Spin glasses: sizes of the persistent kernels of cubes, sizes of which only the last sets fit in shared memory, and
/// sizes beyond it; squares within shared memory and beyond. Four sets up to L = 24 or 96 are measured in shared
/// memory, the lines of squares complete, incomplete or more than threads. Slots with a decision for low temperatures
/// and without, or all of them hot.
std::vector<NamedSystem> spin_glass_sizes() {
  struct Size {
    Model model;
    int L, sets;
    bool hot = false;
  };
  std::vector<Size> sizes = {
      {Model::ea2d, 32, 5}, {Model::ea2d, 96, 4}, {Model::ea2d, 150, 4}, {Model::ea3d, 16, 4, true}};
  for (const int L : {8, 10, 12, 16, 18, 20, 24, 26, 34, 36}) sizes.push_back({Model::ea3d, L, L % 8 == 0 ? 4 : 5});
  for (const int L : {4, 6, 10, 12, 14, 18, 20, 22}) sizes.push_back({Model::ea3d, L, 4});
  for (const int L : {6, 16, 18, 40, 64, 86}) sizes.push_back({Model::ea2d, L, 4});
  sizes.push_back({Model::ea3d, 16, 8});
  std::vector<NamedSystem> systems;
  for (const auto& [model, L, sets, hot] : sizes) {
    for (const Random random : {Random::shared, Random::independent}) {
      System s;
      s.model = model;
      s.L = L;
      s.betas = {1.1, 0.85, 0.6};
      if (hot) s.betas = {0.5, 0.3, 0.1};
      s.link_overlap_slots = {0, 2};
      s.first_sample = 7;
      s.samples = 33;
      s.replicas = sets;
      s.seed = 21;
      s.random = random;
      s.couplings = Couplings::bimodal;
      s.round = {4, 1};
      systems.push_back({std::string(model_name(model)) + "_L" + std::to_string(L) + "_sets" + std::to_string(sets) +
                             (hot ? "_hot" : "") + (random == Random::shared ? "_shared" : "_independent"),
                         s});
    }
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(SpinGlasses, CudaExchangeSizes, testing::ValuesIn(spin_glass_sizes()), name_of_system);

/// Other members with spins in shared memory, with and without couplings there, and with neither; one to four thread
/// blocks on a multiprocessor, with few places in the queue where one hardly fits; every size of a group of sets.
NamedSystem tempered(const MemberSize& size, Random random) {
  NamedSystem member = member_system(size, random);
  System& s = member.system;
  const double warm = s.betas.front();
  s.betas = {1.2 * warm, warm, 0.9 * warm};
  s.round = {2, 2};
  return member;
}

std::vector<NamedSystem> tempered_members() {
  std::vector<NamedSystem> systems;
  for (const int L : {14, 64, 130, 160, 200, 240, 256})
    systems.push_back(tempered({Model::rfim2d, L, 33, 2, 1.0}, Random::independent));
  for (const int L : {10, 40, 58, 64, 84, 100, 130})
    for (const Random random : {Random::shared, Random::independent})
      systems.push_back(tempered({Model::ea2d, L, 33, 4}, random));
  for (const int replicas : {1, 2, 3, 5})
    for (const double h : {0.0, 0.3}) {
      systems.push_back(tempered({Model::ising2d, 50, 33, replicas, h}, Random::independent));
      systems.push_back(tempered({Model::ising3d, 10, 33, replicas, h}, Random::independent));
    }
  for (const int L : {8, 12, 16, 22, 24, 32})
    systems.push_back(tempered({Model::ising3d, L, 33, 4}, Random::independent));
  for (const double h : {0.0, 0.5, 2.0})
    systems.push_back(tempered({Model::rfim2d, 64, 33, 2, h}, Random::independent));
  for (const int L : {32, 96, 128}) systems.push_back(tempered({Model::rfim2d, L, 33, 2, 1.0}, Random::independent));
  systems.push_back(tempered({Model::rfim3d, 14, 33, 3, 0.5}, Random::independent));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Members, CudaExchangeSizes, testing::ValuesIn(tempered_members()), name_of_system);

std::vector<NamedSystem> exchange_sizes() {
  std::vector<Grid> grids = {{8, 1, 24, 100, 10},
                             {16, 1, 24, 35, 2},
                             {32, 1, 5, 33, 1, 2},
                             {64, 1, 2, 33, 1, 4},
                             {4, 1, 70, 33}};  // more slots than rows of threads in the kernel of exchanges
  for (const int L : {6, 10, 12, 16, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 48, 64}) grids.push_back({L, 1, 3, 33});
  for (const double h : {0.0, 2.0, 3.0})  // sizes with kernels of their own, and others
    for (const int L : {8, 12, 14, 16, 24, 28, 32, 34, 40, 48, 64, 66}) grids.push_back({L, h, 2, 33});
  std::vector<NamedSystem> systems;
  for (const Grid& grid : grids) systems.push_back(random_field_grid(grid));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaExchangeSizes, testing::ValuesIn(exchange_sizes()), name_of_system);

}  // namespace
}  // namespace psflip::equality
