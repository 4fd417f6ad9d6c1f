#include <gtest/gtest.h>

#include <iterator>
#include <tuple>

#include "emulated_tempering.hpp"
#include "tests/equality/engines/bodies.hpp"
#include "tests/oracle/oracle.hpp"

// Exchange Monte Carlo of every member of the family with the kernels of CUDA, run by the emulator and compared with
// the oracle.
namespace psflip::cuda {
namespace {

class EmulatedMembers : public testing::TestWithParam<Preset> {
 protected:
  /// Four slots, an exchange after each sweep, a measurement after every second.
  System member(int L, std::uint64_t samples, int sets, Random random = Random::independent) const {
    System s;
    s.model = GetParam().model;
    s.L = L;
    const double warm = s.dimension() == 3 ? 0.24 : 0.45;
    s.betas = {1.2 * warm, 1.1 * warm, warm, 0.85 * warm};
    s.first_sample = 29;
    s.samples = samples;
    s.replicas = sets;
    s.seed = 5;
    s.random = random;
    s.couplings = s.preset().has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
    s.h = s.preset().has_field() ? 1 : 0;
    if (s.preset().has_random_bonds()) s.link_overlap_slots = {1, 3};
    s.round = {2, 2};
    return s;
  }
  static void compare(const System& system) {
    equality::compare_trajectories(
        system, {{"persistent kernels", [](const System& s) { return emulated_tempering(s, true); }},
                 {"one half sweep per launch", [](const System& s) { return emulated_tempering(s, false); }}});
  }
};

TEST_P(EmulatedMembers, with_two_four_and_five_sets_temper_as_the_oracle) {
  compare(member(4, 5, 2));
  compare(member(6, 3, 4));
  compare(member(4, 3, 5));
}

/// Threads have several segments of columns, and the last segments are shorter or empty.
TEST_P(EmulatedMembers, with_columns_divided_unevenly_among_threads_temper_as_the_oracle) {
  compare(member(GetParam().dimension == 3 ? 6 : 10, 3, 3));
  compare(member(GetParam().dimension == 3 ? 6 : 14, 3, 1));
  if (GetParam().dimension == 2) compare(member(14, 3, 5));
}

TEST_P(EmulatedMembers, with_fields_that_cost_nothing_or_beat_all_bonds_temper_as_the_oracle) {
  if (!GetParam().has_field()) return;
  for (const auto& [J, h] : {std::pair{1.0, 2.0}, {0.5, 6.5}, {1.0, 0.0}}) {
    System s = member(4, 5, 2);
    s.J = J;
    s.h = h;
    compare(s);
  }
}

/// Lattices without couplings have kernels for some sizes.
TEST_P(EmulatedMembers, of_a_size_with_a_kernel_of_its_own_temper_as_the_oracle) {
  if (GetParam().has_random_bonds()) return;
  const int L = GetParam().dimension == 3 ? 8 : 32;
  for (const double h : {0.0, 1.0, 0.37}) {
    if (!GetParam().has_field() && h != 0) continue;
    System s = member(L, 5, h == 1 ? 3 : 2);
    s.h = h;
    compare(s);
  }
}

TEST_P(EmulatedMembers, with_random_bonds_of_any_fraction_and_chosen_packs_temper_as_the_oracle) {
  if (!GetParam().has_random_bonds()) return;
  System s = member(4, 5, 4);
  s.p = 0.11;
  compare(s);
  if (GetParam().has_field()) return;
  compare(member(4, 5, 4, Random::shared));
  s = member(4, 64, 6, Random::shared);
  s.first_sample = 0;
  s.packs = {3, std::uint64_t{1} << 33};
  compare(s);
}

/// Two slots of a spin glass, two rounds, both measured.
void compare_glass(Model model, int L, int sets, Random random) {
  SCOPED_TRACE(testing::Message() << model_name(model) << ", L " << L << ", " << sets << " sets");
  System s;
  s.model = model;
  s.L = L;
  s.betas = {0.9, 0.6};
  s.samples = 2;
  s.replicas = sets;
  s.seed = 9;
  s.random = random;
  s.couplings = Couplings::bimodal;
  s.round = {2, 1};
  oracle::Oracle oracle(s);
  const auto engine = emulated_tempering(s, true);
  oracle.advance(2);
  engine->advance(2);
  equality::expect_equal_state(*engine, oracle, s);
}

/// Sizes with kernels of their own and others, in which a thread has several planes; with two groups of threads that
/// measure.
TEST(EmulatedCubes, of_every_size_of_thread_blocks_temper_as_the_oracle) {
  for (const int L : {6, 8, 12, 16, 20}) compare_glass(Model::ea3d, L, 4, Random::shared);
  compare_glass(Model::ea3d, 10, 5, Random::shared);
  compare_glass(Model::ea3d, 10, 4, Random::independent);
}

/// Sizes whose rows have one, several, shorter and incomplete lines, and more lines than threads.
TEST(EmulatedSquares, of_every_division_into_lines_are_measured_as_by_the_oracle) {
  for (const int L : {8, 16, 18, 38, 76}) compare_glass(Model::ea2d, L, 4, Random::shared);
}

std::vector<Preset> all_members() {
  std::vector<Preset> all(std::begin(presets), std::end(presets));
  all.insert(all.end(), std::begin(unnamed_presets), std::end(unnamed_presets));
  return all;
}
std::string name_of_member(const testing::TestParamInfo<Preset>& info) {
  const Preset& p = info.param;
  if (!p.name.empty()) return std::string(p.name);
  return std::to_string(p.dimension) + "d_" + std::string(name_of(p.couplings)) + "_" + std::string(name_of(p.field));
}
INSTANTIATE_TEST_SUITE_P(Tempering, EmulatedMembers, testing::ValuesIn(all_members()), name_of_member);

}  // namespace
}  // namespace psflip::cuda
