#include <gtest/gtest.h>

#include "emulated_lattices.hpp"
#include "engine/cuda/sweep/persistent/site_row_block_kernel.cuh"
#include "engine/cuda/update/start_sites.cuh"
#include "engine/models/tables.hpp"
#include "tests/oracle/oracle.hpp"

// A square lattice with packed sites in the shared memory of several thread blocks, run by the emulator and compared
// with the oracle; the distribution of its rows (engine/cuda/sweep/persistent/site_row_blocks.hpp).
namespace psflip::cuda {
namespace {

System one_lattice(int L, double beta) {
  System s;
  s.model = Model::ising2d;
  s.L = L;
  s.betas = {beta};
  s.first_sample = 31;
  s.samples = 1;
  s.replicas = 1;
  s.seed = 3;
  s.packing = Packing::sites;
  s.couplings = Couplings::ferromagnet;
  s.round.half_sweeps = 1;
  return s;
}

class RowBlocks {
 public:
  RowBlocks(const System& system, const SiteRowBlocks& shape)
      : system_(system),
        shape_(shape),
        layout_{static_cast<std::uint32_t>(system.L), 2, system.first_sample,
                static_cast<std::uint32_t>(system.L) + rows_after_lattice},
        spins_(std::size_t{2} * layout_.words()),
        packets_(std::size_t{2} * shape.blocks * row_block_packets(layout_.L), uint4{0, 0, 0, 0}) {
    const std::uint32_t blocks = blocks_for(layout_.words(), 256);
    launch({blocks}, 256,
           [&] { fill_sites_kernel(spins_.data(), layout_, trajectory_key(system, Stream::initial_spins), blocks); });
  }

  template <int LEADING, class Known>
  void half_sweeps(std::uint32_t count) {
    const SiteDecision<LEADING> decide(trajectory_key(system_, Stream::metropolis),
                                       make_thresholds(system_.betas[0], 2));
    emulated::run({shape_.blocks, shape_.threads, row_block_bytes(layout_.L, shape_) / 4}, next_seed(), [&] {
      const auto run = [&](auto kernel) {
        kernel(spins_.data(), layout_.L, layout_.words(), layout_.first_sample, shape_, done_, count,
               {packets_.data(), sequence_}, decide);
      };
      if (done_ % 2 == 0)
        run(site_row_block_kernel<Known, 1, SiteDecision<LEADING>>);
      else
        run(site_row_block_kernel<Known, 0, SiteDecision<LEADING>>);
    });
    done_ += count;
    sequence_ += exchanges_of(count);
  }

  std::vector<std::int8_t> spins() const {
    std::vector<std::int8_t> all;
    for (std::uint32_t y = 0; y < layout_.L; ++y)
      for (std::uint32_t x = 0; x < layout_.L; ++x) {
        const std::uint32_t word =
            spins_[((x + y) & 1u) * layout_.words() + y * layout_.words_in_row() + x / 64] >> (x / 2 % 32);
        all.push_back(static_cast<std::int8_t>(word & 1u ? -1 : 1));
      }
    return all;
  }

 private:
  System system_;
  SiteRowBlocks shape_;
  SiteLayout layout_;
  Words32 spins_;
  std::vector<uint4> packets_;
  std::uint32_t done_ = 0, sequence_ = 1;
};

/// Calls with so many half sweeps each.
template <int LEADING = 0, class Known = KnownSites<0>>
void compare(const System& system, const SiteRowBlocks& shape, const std::vector<std::uint32_t>& calls) {
  RowBlocks blocks(system, shape);
  oracle::Oracle expected(system);
  EXPECT_TRUE(blocks.spins() == expected.spins()) << "at the start";
  for (const std::uint32_t count : calls) {
    blocks.half_sweeps<LEADING, Known>(count);
    expected.advance(count);
    ASSERT_TRUE(blocks.spins() == expected.spins()) << "after a call of " << count << " half sweeps";
  }
}

/// A shape with fewer blocks and threads than the GPU has.
SiteRowBlocks shape_of(std::uint32_t L, std::uint32_t blocks, std::uint32_t threads) {
  return {blocks, 2 * ((L / 2 + blocks - 1) / blocks), threads};
}

TEST(SiteRowBlocks, of_calls_of_any_length_are_the_lattice) {
  compare(one_lattice(64, 0.44), shape_of(64, 4, 64), {1, 2, 3, 4, 5, 7, 16, 1});
}
TEST(SiteRowBlocks, of_uneven_rows_are_the_lattice) {
  compare(one_lattice(64, 0.44), shape_of(64, 3, 32), {13, 6});
  compare(one_lattice(192, 0.44), shape_of(192, 7, 96), {11, 4});
}
TEST(SiteRowBlocks, that_are_both_neighbours_of_each_other_are_the_lattice) {
  compare(one_lattice(128, 0.44), shape_of(128, 2, 64), {9, 8});
}
TEST(SiteRowBlocks, of_few_rows_are_the_lattice) {
  compare(one_lattice(64, 0.44), site_row_blocks(64, 200 * 1024, 1000), {5, 12});
  compare(one_lattice(64, 0.44), shape_of(64, 64 / (2 * site_halo_rows), 32), {5, 12});
}
TEST(SiteRowBlocks, whose_warps_fill_their_queues_are_the_lattice) {
  compare(one_lattice(256, 1e-4), shape_of(256, 2, 32), {5});
}
TEST(SiteRowBlocks, with_leading_zeros_of_the_thresholds_are_the_lattice) {
  compare<2>(one_lattice(64, 0.44), shape_of(64, 5, 32), {9});
  compare<4>(one_lattice(64, 1.0), shape_of(64, 5, 32), {9});
}

TEST(SiteRowBlocks, of_a_known_size_are_the_lattice) {
  compare<0, KnownSites<256>>(one_lattice(256, 0.44), shape_of(256, 2, most_row_block_threads), {3, 6});
}

constexpr std::size_t hopper = 227 * 1024;

TEST(SiteRowBlocksShape, is_a_block_for_each_multiprocessor) {
  const SiteRowBlocks shape = site_row_blocks(4096, hopper, 132);
  EXPECT_EQ(shape.blocks, 128u);
  EXPECT_EQ(shape.rows, 32u);
  EXPECT_EQ(shape.threads, most_row_block_threads);
  EXPECT_EQ(site_row_blocks(8192, hopper, 132).blocks, 128u);
  EXPECT_EQ(site_row_blocks(8192, hopper, 132).rows, 64u);
}

TEST(SiteRowBlocksShape, of_a_lattice_that_does_not_fit_has_no_blocks) {
  EXPECT_GT(site_row_blocks(14336, hopper, 132).blocks, 0u);
  EXPECT_EQ(site_row_blocks(16384, hopper, 132).blocks, 0u);
  EXPECT_EQ(site_row_blocks(4096, hopper, 8).blocks, 0u);
  EXPECT_EQ(site_row_blocks(96, hopper, 132).blocks, 0u);
  EXPECT_EQ(site_row_blocks(64, hopper, 1).blocks, 0u);
}

TEST(SiteRowBlocksShape, distributes_all_rows) {
  for (std::uint32_t L = 64; L <= 14336; L += 64)
    for (const std::uint32_t multiprocessors : {2u, 7u, 78u, 108u, 132u, 148u}) {
      const SiteRowBlocks shape = site_row_blocks(L, hopper, multiprocessors);
      if (shape.blocks == 0) continue;
      EXPECT_LE(shape.blocks, multiprocessors);
      EXPECT_EQ(shape.threads % 32, 0u);
      EXPECT_EQ(shape.first_row(L, 0), 0u);
      EXPECT_EQ(shape.first_row(L, shape.blocks), L);
      for (std::uint32_t b = 0; b < shape.blocks; ++b) {
        const std::uint32_t rows = shape.first_row(L, b + 1) - shape.first_row(L, b);
        EXPECT_EQ(rows % 2, 0u);
        EXPECT_GE(rows, site_halo_rows) << L;
        EXPECT_LE(rows, shape.rows) << L;
      }
    }
}

}  // namespace
}  // namespace psflip::cuda
