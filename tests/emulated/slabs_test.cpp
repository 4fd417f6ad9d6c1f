#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "emulated_slabs.hpp"
#include "engine/core/fourier.hpp"
#include "engine/cpu/cpu.hpp"

// Slabs of the GPU (engine/cuda/multi_gpu), run by the emulator, compared with the CPU engine of the full lattice.
namespace psflip::cuda {
namespace {

std::unique_ptr<EmulatedSlab> make_block_planes(const System& system, const Planes& planes) {
  return system.packing == Packing::sites ? emulated_site_slab(system, planes) : emulated_sample_slab(system, planes);
}

/// A lattice cut into slabs that exchange planes as ranks do.
class Slabs {
 public:
  Slabs(const System& system, const std::vector<std::uint32_t>& cuts) : system_(system) {
    std::uint32_t first = 0;
    for (const std::uint32_t count : cuts) {
      planes_.push_back({first, count});
      slabs_.push_back(make_block_planes(system, planes_.back()));
      first += count;
    }
  }

  void half_sweep(std::uint32_t h) {
    std::vector<Words32> messages;
    for (const auto& slab : slabs_) {
      const bool boundary_first = random_() % 2 == 0;  // they run concurrently
      if (boundary_first) slab->update_boundary(h);
      slab->update_interior(h);
      if (!boundary_first) slab->update_boundary(h);
      messages.push_back(slab->messages(h & 1u));
    }
    const std::size_t count = slabs_.size(), length = messages[0].size() / 2;
    for (std::size_t k = 0; k < count; ++k) {
      Words32 both(2 * length);
      const Words32 &smaller = messages[(k + count - 1) % count], &larger = messages[(k + 1) % count];
      std::copy_n(smaller.begin() + static_cast<std::ptrdiff_t>(length), length, both.begin());
      std::copy_n(larger.begin(), length, both.begin() + static_cast<std::ptrdiff_t>(length));
      slabs_[k]->accept(h & 1u, both);
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
    DomainObservation sum = slabs_[0]->observe();
    for (std::size_t k = 1; k < slabs_.size(); ++k) {
      const DomainObservation more = slabs_[k]->observe();
      add(sum.sums.bond_sum, more.sums.bond_sum);
      add(sum.sums.magnetization, more.sums.magnetization);
      add(sum.sums.overlap, more.sums.overlap);
      add(sum.components, more.components);
    }
    const int D = system_.dimension();
    std::vector<std::int64_t>& k2 = D == 3 ? sum.sums.overlap_k2 : sum.sums.magnetization_k2;
    for (std::size_t i = 0; i < sum.components.size(); i += 2 * static_cast<std::size_t>(D)) {
      std::int64_t re[3], im[3];
      for (int axis = 0; axis < D; ++axis) {
        re[axis] = sum.components[i + 2 * static_cast<std::size_t>(axis)];
        im[axis] = sum.components[i + 2 * static_cast<std::size_t>(axis) + 1];
      }
      k2.push_back(k2_from_components(re, im, D));
    }
    return sum.sums;
  }

 private:
  static void add(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
  }

  System system_;
  std::vector<Planes> planes_;
  std::vector<std::unique_ptr<EmulatedSlab>> slabs_;
  std::mt19937 random_{5};
};

void compare(const System& system, const std::vector<std::uint32_t>& cuts) {
  Slabs slabs(system, cuts);
  const auto expected = cpu::make_engine(system, 1, 64);
  EXPECT_TRUE(slabs.spins() == expected->spins()) << "at the start";
  for (std::uint32_t h = 0; h < 5; ++h) slabs.half_sweep(h);
  expected->advance(5);
  EXPECT_TRUE(slabs.spins() == expected->spins()) << "after five half sweeps";
  const Observation found = slabs.observe(), wanted = expected->observe();
  EXPECT_EQ(found.bond_sum, wanted.bond_sum);
  EXPECT_EQ(found.magnetization, wanted.magnetization);
  EXPECT_EQ(found.magnetization_k2, wanted.magnetization_k2);
  EXPECT_EQ(found.overlap, wanted.overlap);
  EXPECT_EQ(found.overlap_k2, wanted.overlap_k2);
}

System cubic(int L, std::uint64_t samples, int replicas, Random random) {
  return {Model::ea3d, L, 0.9, 31, samples, replicas, 3, random, Packing::samples, Start::random, Couplings::bimodal};
}
System square(int L, std::uint64_t samples, Packing packing) {
  return {Model::ising2d,        L, 0.44, 31, samples, 1, 3, Random::independent, packing, Start::random,
          Couplings::ferromagnet};
}

TEST(Slabs, of_one_two_and_three_planes_with_shared_numbers_are_the_lattice) {
  compare(cubic(6, 35, 3, Random::shared), {1, 2, 3});
}
TEST(Slabs, with_a_full_segment_and_a_rest_are_the_lattice) { compare(cubic(14, 2, 4, Random::shared), {3, 11}); }
TEST(Slabs, of_five_replicas_are_the_lattice) { compare(cubic(4, 3, 5, Random::independent), {2, 1, 1}); }
TEST(Slabs, whose_undecided_lanes_wait_in_queues_are_the_lattice) {
  compare(cubic(8, 33, 4, Random::independent), {5, 3});
}
TEST(Slabs, of_one_replica_have_no_overlap) { compare(cubic(4, 3, 1, Random::independent), {3, 1}); }
TEST(Slabs, of_rows_of_square_lattices_are_the_lattice) {
  compare(square(6, 35, Packing::samples), {1, 5});
  compare(square(34, 3, Packing::samples), {20, 3, 11});
}
TEST(Slabs, of_rows_of_packed_sites_are_the_lattice) {
  compare(square(64, 3, Packing::sites), {1, 2, 3, 4, 5, 49});
  compare(square(128, 1, Packing::sites), {77, 51});
}

}  // namespace
}  // namespace psflip::cuda
