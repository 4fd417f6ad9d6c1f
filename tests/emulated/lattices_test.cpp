#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>

#include "emulated_lattices.hpp"
#include "engine/core/fourier.hpp"
#include "tests/oracle/oracle.hpp"

// Lattices in GPU memory (engine/cuda/lattice), full or divided into slabs, run by the emulator and compared with the
// oracle.
namespace psflip::cuda {
namespace {

std::unique_ptr<EmulatedLattices> make_lattices(const System& system, const Planes& planes, std::uint32_t ghosts) {
  return system.packing == Packing::sites ? emulated_sites(system, planes, ghosts) : emulated_samples(system, planes);
}

/// A lattice, or slabs of it that exchange planes as ranks do.
class Slabs {
 public:
  Slabs(const System& system, const std::vector<std::uint32_t>& cuts, std::uint32_t ghosts) : system_(system) {
    std::uint32_t first = 0;
    for (const std::uint32_t count : cuts) {
      planes_.push_back({first, count});
      slabs_.push_back(make_lattices(system, planes_.back(), ghosts));
      first += count;
    }
  }

  /// Full lattices: the kernel of one half sweep, then the kernel of many.
  void half_sweeps(std::uint32_t count) {
    if (slabs_.size() > 1) {
      const std::uint32_t between = slabs_[0]->memory().ghosts;
      for (std::uint32_t h = 0; h < count; h += between) update_slabs(h, std::min(between, count - h));
    } else {
      slabs_[0]->update_all(0);
      slabs_[0]->update_all_in_shared_memory(1, count - 1);
    }
  }

  void update_slabs(std::uint32_t h, std::uint32_t half_sweeps) {
    std::vector<Words32> messages;
    for (const auto& slab : slabs_) {
      slab->update_slab(h, half_sweeps, random_() % 2 == 0);
      messages.push_back(slab->messages(h & 1u));
    }
    if (half_sweeps < slabs_[0]->memory().ghosts) return;
    const std::size_t count = slabs_.size(), length = messages[0].size() / 2;
    for (std::size_t k = 0; k < count; ++k) {
      Words32 both(2 * length);
      const Words32 &smaller = messages[(k + count - 1) % count], &larger = messages[(k + 1) % count];
      std::copy_n(smaller.begin() + static_cast<std::ptrdiff_t>(length), length, both.begin());
      std::copy_n(larger.begin(), length, both.begin() + static_cast<std::ptrdiff_t>(length));
      slabs_[k]->accept(h & 1u, both);
    }
  }

  /// Half sweeps of slabs of cubic lattices that overlap, as on several GPUs that write each other's messages: three
  /// thread blocks for each slab, all at the same time.
  void overlapping(std::uint32_t first, std::uint32_t count) {
    const std::size_t slabs = slabs_.size(), length = slabs_[0]->memory().in_message();
    if (messages_.empty()) {
      messages_.assign(slabs, Words32(4 * length));
      numbers_.assign(slabs, Words32(2 * numbers_of_side()));
    }
    std::vector<std::vector<std::function<void()>>> launches;
    for (std::size_t k = 0; k < slabs; ++k) launches.push_back(slabs_[k]->slab_launches(first, count, neighbours(k)));
    for (std::size_t group = 0; group < launches[0].size(); ++group)
      emulated::run({static_cast<std::uint32_t>(3 * slabs), z_sweep_threads, 4}, next_seed(),
                    [&] { launches[emulated::block().x / 3][group](); });
    const std::size_t parity = (first + count - 1) & 1u;
    for (std::size_t k = 0; k < slabs; ++k) {
      const auto from = messages_[k].begin() + static_cast<std::ptrdiff_t>(2 * parity * length);
      slabs_[k]->accept(static_cast<std::uint32_t>(parity),
                        Words32(from, from + static_cast<std::ptrdiff_t>(2 * length)));
    }
  }

  std::vector<std::int8_t> spins() const {
    const auto L = static_cast<std::uint32_t>(system_.L), height = system_.dimension() == 3 ? L : 1;
    std::vector<std::int8_t> all;
    for (std::uint64_t sample = 0; sample < system_.samples; ++sample)
      for (std::uint32_t r = 0; r < static_cast<std::uint32_t>(system_.replicas); ++r)
        for (std::size_t k = 0; k < slabs_.size(); ++k)
          for (std::uint32_t p = 0; p < planes_[k].count; ++p)
            for (std::uint32_t y = 0; y < height; ++y)
              for (std::uint32_t x = 0; x < L; ++x)
                all.push_back(static_cast<std::int8_t>(slabs_[k]->spin(sample, r, x, y, p)));
    return all;
  }

  Observation observe() const {
    Observation sum = slabs_[0]->observe();
    if (slabs_.size() == 1) return sum;
    for (std::size_t k = 1; k < slabs_.size(); ++k) {
      const Observation more = slabs_[k]->observe();
      for (std::size_t i = 0; i < integer_count; ++i)
        for (std::size_t j = 0; j < sum.values[i].size(); ++j) sum.values[i][j] += more.values[i][j];
    }
    for (const IntegerInfo& info : integer_table)
      if (info.kind == Kind::fourier) sum[info.integer] = k2_of(sum[info.integer]);
    return sum;
  }

 private:
  std::size_t numbers_of_side() const {
    const PlaneMemory memory = slabs_[0]->memory();
    return std::size_t{memory.packs} * SlabSweeps::columns_of(static_cast<std::uint32_t>(system_.L));
  }
  /// A message to the smaller side arrives from the larger side there.
  SlabNeighbours neighbours(std::size_t k) {
    const std::size_t slabs = slabs_.size(), length = slabs_[0]->memory().in_message();
    SlabNeighbours all{};
    all.of_parity = 2 * length;
    all.replicas = slabs_[0]->memory().fields;
    for (const std::size_t side : {0, 1}) {
      const std::size_t there = (k + (side == 0 ? slabs - 1 : 1)) % slabs;
      all.messages[side] = messages_[k].data() + side * length;
      all.done[side] = numbers_[k].data() + side * numbers_of_side();
      all.messages_there[side] = messages_[there].data() + (1 - side) * length;
      all.done_there[side] = numbers_[there].data() + (1 - side) * numbers_of_side();
    }
    return all;
  }

  std::vector<std::int64_t> k2_of(const std::vector<std::int64_t>& components) const {
    const auto D = static_cast<std::size_t>(system_.dimension());
    std::vector<std::int64_t> k2;
    for (std::size_t i = 0; i < components.size(); i += 2 * D) {
      std::int64_t re[3], im[3];
      for (std::size_t axis = 0; axis < D; ++axis) {
        re[axis] = components[i + 2 * axis];
        im[axis] = components[i + 2 * axis + 1];
      }
      k2.push_back(k2_from_components(re, im, static_cast<int>(D)));
    }
    return k2;
  }

  System system_;
  std::vector<Planes> planes_;
  std::vector<std::unique_ptr<EmulatedLattices>> slabs_;
  std::mt19937 random_{5};
  std::vector<Words32> messages_, numbers_;  ///< memory of each slab that its neighbours write
};

void advance_and_compare(Slabs& slabs, oracle::Oracle& expected, std::uint32_t half_sweeps = 5) {
  EXPECT_TRUE(slabs.spins() == expected.spins()) << "at the start";
  slabs.half_sweeps(half_sweeps);
  expected.advance(half_sweeps);
  EXPECT_TRUE(slabs.spins() == expected.spins()) << "after " << half_sweeps << " half sweeps";
}

/// `ghosts`: of packed sites.
void compare(const System& system, const std::vector<std::uint32_t>& cuts, std::uint32_t ghosts = 1,
             std::uint32_t half_sweeps = 5) {
  Slabs slabs(system, cuts, ghosts);
  oracle::Oracle expected(system);
  advance_and_compare(slabs, expected, half_sweeps);
  const Observation found = slabs.observe(), wanted = expected.observe();
  for (const IntegerInfo& info : integer_table) EXPECT_EQ(found[info.integer], wanted[info.integer]) << info.name;
}

/// The same in two launches of overlapping half sweeps.
void compare_overlapping(const System& system, const std::vector<std::uint32_t>& cuts) {
  Slabs slabs(system, cuts, 1);
  oracle::Oracle expected(system);
  slabs.overlapping(0, 4);
  slabs.overlapping(4, 3);
  expected.advance(7);
  EXPECT_TRUE(slabs.spins() == expected.spins());
  const Observation found = slabs.observe(), wanted = expected.observe();
  for (const IntegerInfo& info : integer_table) EXPECT_EQ(found[info.integer], wanted[info.integer]) << info.name;
}

System system_of(Model model, int L, std::uint64_t samples, int replicas, Random random = Random::independent) {
  System s;
  s.model = model;
  s.L = L;
  s.betas = {s.dimension() == 3 ? 0.9 : 0.44};
  s.first_sample = 31;
  s.samples = samples;
  s.replicas = replicas;
  s.seed = 3;
  s.random = random;
  s.couplings = s.preset().has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  s.h = s.preset().has_field() ? 1 : 0;
  s.round.half_sweeps = 1;
  return s;
}
System cubic(int L, std::uint64_t samples, int replicas, Random random) {
  return system_of(Model::ea3d, L, samples, replicas, random);
}
System square(int L, std::uint64_t samples, Packing packing) {
  System s = system_of(Model::ising2d, L, samples, 1);
  s.h = 0;
  s.packing = packing;
  return s;
}

TEST(Slabs, of_one_two_and_three_planes_with_shared_numbers_are_the_lattice) {
  compare(cubic(6, 35, 3, Random::shared), {1, 2, 3});
}
TEST(Slabs, with_a_full_segment_and_a_rest_are_the_lattice) { compare(cubic(14, 2, 4, Random::shared), {3, 11}); }
TEST(Slabs, with_whole_segments_at_both_ends_are_the_lattice) {
  compare(cubic(56, 1, 4, Random::shared), {48, 8});
  compare(cubic(58, 1, 1, Random::independent), {7, 51});
}
TEST(Slabs, of_five_replicas_are_the_lattice) { compare(cubic(4, 3, 5, Random::independent), {2, 1, 1}); }
TEST(Slabs, whose_undecided_lanes_wait_in_queues_are_the_lattice) {
  compare(cubic(8, 33, 4, Random::independent), {5, 3});
}
/// Last warps of 2, 18 and 8 columns, in slabs and in full lattices that do not fit in shared memory.
TEST(Slabs, whose_last_warp_is_incomplete_are_the_lattice) {
  compare(cubic(6, 33, 4, Random::independent), {1, 5});
  compare(cubic(10, 33, 4, Random::independent), {7, 3});
  compare(cubic(20, 3, 6, Random::independent), {9, 11});
  compare(cubic(34, 2, 4, Random::independent), {34});
}
TEST(Slabs, of_one_replica_have_no_overlap) { compare(cubic(4, 3, 1, Random::independent), {3, 1}); }
TEST(Slabs, whose_half_sweeps_overlap_are_the_lattice) {
  compare_overlapping(cubic(6, 35, 3, Random::shared), {1, 2, 3});
  for (int k = 0; k < 4; ++k)                                       // other delays
    compare_overlapping(cubic(24, 1, 1, Random::shared), {3, 21});  // two tiles of columns
  compare_overlapping(cubic(20, 3, 4, Random::shared), {17, 3});
  compare_overlapping(cubic(8, 40, 5, Random::shared), {2, 2, 4});  // two groups of replicas, two packs
}
TEST(Slabs, of_rows_of_square_lattices_are_the_lattice) {
  compare(square(6, 35, Packing::samples), {1, 5});
  compare(square(34, 3, Packing::samples), {20, 3, 11});
}
TEST(Slabs, of_rows_of_packed_sites_are_the_lattice) {
  compare(square(64, 3, Packing::sites), {1, 2, 3, 4, 5, 49});
  compare(square(128, 1, Packing::sites), {77, 51});
}
/// Sites of full lattices are not measured here.
TEST(Slabs, of_all_rows_of_packed_sites_are_the_lattice) {
  for (const auto& [L, samples] : {std::pair{64, 3}, {192, 2}, {320, 1}}) {
    const System system = square(L, static_cast<std::uint64_t>(samples), Packing::sites);
    Slabs slabs(system, {static_cast<std::uint32_t>(L)}, 0);
    oracle::Oracle expected(system);
    advance_and_compare(slabs, expected);
  }
}
TEST(Slabs, that_exchange_several_rows_of_packed_sites_at_a_time_are_the_lattice) {
  compare(square(64, 3, Packing::sites), {21, 22, 21}, 2);
  compare(square(64, 2, Packing::sites), {4, 5, 55}, 4);
  compare(square(128, 1, Packing::sites), {64, 64}, 7);
}

/// The kernel that keeps cubes in shared memory: threads of a warp with one plane each, with equal segments, with fewer
/// planes in the last segment, and blocks of a cluster with fewer planes in the last block. Where L = 16, 24 and 32,
/// warps wait for adjacent warps only.
TEST(Cubes, whose_undecided_lanes_wait_in_queues_are_those_of_the_oracle) {
  for (const int L : {4, 6, 8, 10, 12, 14, 16, 18, 22, 24, 26, 30, 32}) {
    SCOPED_TRACE(testing::Message() << "L " << L);
    compare(cubic(L, L < 16 ? 70 : 3, 4, Random::independent), {static_cast<std::uint32_t>(L)});
  }
}
TEST(Cubes, of_groups_of_one_to_three_replicas_are_those_of_the_oracle) {
  for (const int replicas : {1, 2, 3, 6})
    for (const Random random : {Random::independent, Random::shared}) {
      SCOPED_TRACE(testing::Message() << "replicas " << replicas);
      compare(cubic(14, 35, replicas, random), {14});
    }
}
TEST(Cubes, of_every_number_of_leading_planes_are_those_of_the_oracle) {
  for (const double beta : {0.01, 0.6, 0.9}) {
    SCOPED_TRACE(testing::Message() << "beta " << beta);
    System s = cubic(14, 35, 4, Random::independent);
    s.betas = {beta};
    compare(s, {14});
  }
}

/// The kernels for lattices of a known size, at temperatures with small and large thresholds, in fields that tie with
/// bonds and in larger ones.
void compare_known(Model model, int L) {
  struct Energies {
    double J, h;
  };
  for (const Energies& e : {Energies{1, 0}, {1, 1}, {1, 0.37}, {1, 2}, {1, 4}, {1, 6}, {0.5, 6.5}, {0, 1}})
    for (const double beta : {1e-20, 0.3, 2.0}) {
      if (e.h > 2 && beta != 0.3) continue;
      SCOPED_TRACE(testing::Message() << "J " << e.J << " h " << e.h << " beta " << beta);
      System s = system_of(model, L, 70, 1);
      s.J = e.J;
      s.h = e.h;
      s.betas = {beta};
      compare(s, {static_cast<std::uint32_t>(L)});
      s.replicas = 5;
      s.samples = 3;
      compare(s, {static_cast<std::uint32_t>(L)});
    }
}
TEST(KnownMembers, of_squares_are_those_of_the_oracle) {
  System long_run = square(32, 70, Packing::samples);
  long_run.betas = {0.44};
  compare(long_run, {32}, 1, 60);
  compare_known(Model::ising2d, 32);
}
TEST(KnownMembers, of_cubes_are_those_of_the_oracle) {
  System long_run = system_of(Model::rfim3d, 8, 70, 2);
  long_run.betas = {0.22};
  compare(long_run, {8}, 1, 60);
  compare_known(Model::ising3d, 8);
}
TEST(KnownMembers, of_squares_in_random_fields_are_those_of_the_oracle) { compare_known(Model::rfim2d, 32); }
TEST(KnownMembers, of_cubes_in_random_fields_are_those_of_the_oracle) { compare_known(Model::rfim3d, 8); }

/// Every member of the family, with and without a name.
class Members : public testing::TestWithParam<Preset> {
 protected:
  System member(int L, std::uint64_t samples, int replicas, Random random = Random::independent) const {
    return system_of(GetParam().model, L, samples, replicas, random);
  }
};

class MembersThatShare : public Members {};
class MembersInFields : public Members {};

TEST_P(Members, of_full_lattices_are_those_of_the_oracle) {
  compare(member(4, 35, 1), {4});
  compare(member(6, 35, 2), {6});
  compare(member(10, 3, 1), {10});
  compare(member(4, 3, 5), {4});
}

TEST_P(Members, of_slabs_are_those_of_the_oracle) {
  compare(member(6, 35, 3), {1, 2, 3});
  compare(member(12, 2, 2), {1, 11});
}

TEST_P(MembersThatShare, numbers_between_samples_are_those_of_the_oracle) {
  compare(member(6, 35, 7, Random::shared), {6});
  compare(member(6, 35, 7, Random::shared), {2, 4});
}

TEST_P(MembersThatShare, of_any_fraction_of_antiferromagnetic_bonds_are_those_of_the_oracle) {
  for (const double p : {0.0, 0.11, 0.75, 1.0}) {
    SCOPED_TRACE(testing::Message() << "p " << p);
    System s = member(6, 70, 2);
    s.p = p;
    compare(s, {6});
    compare(s, {2, 4});
  }
}

TEST_P(MembersInFields, of_every_strength_are_those_of_the_oracle) {
  System s = member(4, 40, 2);
  for (const auto& [J, h] : {std::pair{1.0, 0.0}, {1.0, 0.37}, {1.0, 2.0}, {1.0, 4.0}, {0.5, 6.5}, {0.0, 1.0}}) {
    SCOPED_TRACE(testing::Message() << "J " << J << " h " << h);
    s.J = J;
    s.h = h;
    compare(s, {4});
  }
}

/// Temperatures at which all thresholds are close to 2^32, or 0, and one at which many lanes need residual numbers.
TEST_P(Members, at_extreme_temperatures_are_those_of_the_oracle) {
  for (const double beta : {1e-20, 1e-4, 1e3}) {
    SCOPED_TRACE(testing::Message() << "beta " << beta);
    System s = member(4, 40, 1);
    s.betas = {beta};
    compare(s, {4});
  }
}

TEST_P(Members, are_measured_in_more_integers_than_those_of_the_model) {
  System s = member(6, 35, 3);
  for (const Integer integer : {Integer::magnetization_k2, Integer::overlap, Integer::overlap_k2}) s.also.add(integer);
  compare(s, {6});
  compare(s, {5, 1});
}

template <class Condition>
std::vector<Preset> members_with(Condition condition) {
  std::vector<Preset> all;
  std::copy_if(std::begin(presets), std::end(presets), std::back_inserter(all), condition);
  std::copy_if(std::begin(unnamed_presets), std::end(unnamed_presets), std::back_inserter(all), condition);
  return all;
}
std::string name_of_member(const testing::TestParamInfo<Preset>& info) {
  const Preset& p = info.param;
  if (!p.name.empty()) return std::string(p.name);
  return std::to_string(p.dimension) + "d_" + std::string(name_of(p.couplings)) + "_" + std::string(name_of(p.field));
}
INSTANTIATE_TEST_SUITE_P(Emulated, Members, testing::ValuesIn(members_with([](const Preset&) { return true; })),
                         name_of_member);
INSTANTIATE_TEST_SUITE_P(Emulated, MembersThatShare, testing::ValuesIn(members_with([](const Preset& p) {
                           return p.has_random_bonds() && !p.has_field();
                         })),
                         name_of_member);
INSTANTIATE_TEST_SUITE_P(Emulated, MembersInFields,
                         testing::ValuesIn(members_with([](const Preset& p) { return p.has_field(); })),
                         name_of_member);

}  // namespace
}  // namespace psflip::cuda
