#include "engine/bench/flip_model.hpp"

#include <gtest/gtest.h>

#include "engine/core/update.hpp"
#include "engine/models/tables.hpp"

// The model of the least work per flip against the code that it counts.
namespace psflip {

/// A word that counts the logic done on it instead of doing it.
struct CountingWord {
  static inline int operations = 0;
};
static CountingWord count() {
  ++CountingWord::operations;
  return {};
}
static CountingWord operator^(CountingWord, CountingWord) { return count(); }
static CountingWord operator&(CountingWord, CountingWord) { return count(); }
static CountingWord operator|(CountingWord, CountingWord) { return count(); }
static CountingWord operator~(CountingWord word) { return word; }  // part of the next operation
static CountingWord xor3(CountingWord, CountingWord, CountingWord) { return count(); }
static CountingWord majority(CountingWord, CountingWord, CountingWord) { return count(); }
static CountingWord and3(CountingWord, CountingWord, CountingWord) { return count(); }
static CountingWord or3(CountingWord, CountingWord, CountingWord) { return count(); }
static CountingWord select(CountingWord, CountingWord, CountingWord) { return count(); }
static CountingWord flip_where(CountingWord, CountingWord, CountingWord) { return count(); }

namespace {

using bench::flip_model;
using bench::FlipModel;
using bench::OnChip;

constexpr OnChip h200{132 * 232448, 50 << 20};
constexpr double philox = 17;  // operations of a call

System ea3d(int L, Random random, int replicas = 4, std::uint64_t samples = 4096) {
  System system;
  system.L = L;
  system.betas = {0.9};
  system.samples = samples;
  system.replicas = replicas;
  system.random = random;
  system.couplings = Couplings::bimodal;
  return system;
}

System ising2d(int L, Packing packing, std::uint64_t samples) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {0.44};
  system.samples = samples;
  system.packing = packing;
  return system;
}

template <class Update>
int operations_of(const Update& update) {
  CountingWord::operations = 0;
  update();
  return CountingWord::operations;
}

TEST(FlipModel, counts_the_operations_of_the_shared_decision) {
  const CountingWord bond[6] = {};
  const int flip = operations_of([&] { flip_shared(CountingWord{}, bond, CountingWord{}, CountingWord{}); });
  const double masks = 7;
  System hot = ea3d(16, Random::shared);
  hot.betas = {0.5};
  EXPECT_DOUBLE_EQ(32 * flip_model(hot, h200).operations, 6 + flip + masks + philox / 4);
}

TEST(FlipModel, counts_the_operations_of_the_shared_decision_at_low_temperature) {
  const CountingWord bond[6] = {};
  const int flip = operations_of([&] { flip_shared_cold(CountingWord{}, sum_unsatisfied(bond), CountingWord{}); });
  const double mask = 2, is_rare = 1;
  EXPECT_DOUBLE_EQ(32 * flip_model(ea3d(16, Random::shared), h200).operations, 6 + flip + mask + is_rare + philox / 4);
}

TEST(FlipModel, low_temperatures_of_the_shared_decision_end_at_1_28) {
  EXPECT_TRUE(is_cold(make_thresholds(1 / 1.28, 3)));
  EXPECT_FALSE(is_cold(make_thresholds(1 / 1.29, 3)));
}

TEST(FlipModel, counts_the_operations_of_the_independent_decision) {
  const CountingWord cubic[6] = {}, square[4] = {}, mask{};
  const FewUnsatisfied<CountingWord> n{};
  const int count3 = operations_of([&] { few_unsatisfied(cubic); });
  const int count2 = operations_of([&] { few_unsatisfied(square); }) - 1;  // a1 | (a0 & bond) is one LOP3
  // a selection among the masks of the classes, less_step and equal_step: one LOP3 each
  const int plane3 = 2 + operations_of([&] { select(n.two, mask, select(n.some, mask, mask)); });
  const int plane2 = 2 + operations_of([&] { select(n.some, mask, mask); });
  const double flip = 1;
  // exp(-4 * 0.9) = 0.027 < 2^-5 and exp(-4 * 0.44) = 0.17 < 2^-2: five and two leading planes, 4 and 2 operations
  EXPECT_DOUBLE_EQ(32 * flip_model(ea3d(16, Random::independent), h200).operations,
                   6 + count3 + flip + 4 + 3 * plane3 + 2 * philox);
  EXPECT_DOUBLE_EQ(32 * flip_model(ising2d(128, Packing::samples, 1024), h200).operations,
                   4 + count2 + flip + 2 + 6 * plane2 + 2 * philox);
}

TEST(FlipModel, planes_below_the_thresholds_are_cheaper_than_the_others) {
  const auto operations = [](double beta) {
    System system = ea3d(16, Random::independent);
    system.betas = {beta};
    return 32 * flip_model(system, h200).operations;
  };
  const double hot = operations(0.01);              // every plane has a threshold
  EXPECT_DOUBLE_EQ(hot - operations(0.25), 4 - 2);  // exp(-1) < 2^-1
  EXPECT_DOUBLE_EQ(hot - operations(0.6), 12 - 3);  // exp(-2.4) < 2^-3
  EXPECT_DOUBLE_EQ(hot - operations(10), 32 - 5);   // all eight
}

TEST(FlipModel, four_replicas_share_a_call_of_philox_only_in_shared_mode) {
  EXPECT_DOUBLE_EQ(32 * flip_model(ea3d(16, Random::shared, 4), h200).philox_calls, 0.25);
  EXPECT_DOUBLE_EQ(32 * flip_model(ea3d(16, Random::shared, 5), h200).philox_calls, 0.4);
  EXPECT_DOUBLE_EQ(32 * flip_model(ea3d(16, Random::independent, 4), h200).philox_calls, 2);
}

TEST(FlipModel, a_lattice_that_stays_on_the_chip_moves_no_bytes) {
  EXPECT_EQ(flip_model(ea3d(32, Random::shared), h200).bytes, 0);
  EXPECT_EQ(flip_model(ea3d(64, Random::shared), h200).bytes, 0);  // in the shared memory of a quarter of the GPU
  EXPECT_EQ(flip_model(ising2d(16384, Packing::sites, 1), h200).bytes, 0);
}

TEST(FlipModel, a_lattice_that_travels_is_read_and_written_once_a_sweep_or_once_in_two) {
  // 4 replicas: spins in and out 32 bytes and couplings in 12 bytes, for 128 flips; shared: in two sweeps
  EXPECT_DOUBLE_EQ(flip_model(ea3d(128, Random::shared), h200).bytes, 44. / 256);
  EXPECT_DOUBLE_EQ(flip_model(ea3d(128, Random::independent), h200).bytes, 44. / 128);
  EXPECT_DOUBLE_EQ(flip_model(ea3d(128, Random::independent, 1), h200).bytes, 20. / 32);
  EXPECT_DOUBLE_EQ(flip_model(ising2d(32768, Packing::sites, 1), h200).bytes, 0.25);
}

}  // namespace
}  // namespace psflip
