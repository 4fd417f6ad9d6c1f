#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "emulated_lattices.hpp"
#include "engine/cuda/update/field_decision.cuh"
#include "engine/cuda/update/field_scheme.hpp"
#include "engine/models/tables.hpp"

// The decision of a site of the random-field model on a cubic lattice (engine/cuda/update/field_decision.cuh), lane by
// lane.
namespace psflip::cuda {
namespace {

struct SiteOfLane {
  std::uint32_t spin, neighbour[6], field;  ///< a bit each
};

/// Threshold of a flip, whose number has 32 bits; 2^32 if it costs nothing.
std::uint64_t threshold_of(const SiteOfLane& site, const FieldThresholds& t) {
  std::uint32_t unsatisfied = 0;
  for (const std::uint32_t n : site.neighbour) unsatisfied += n ^ site.spin;
  const std::uint32_t f = site.spin ^ site.field;
  return t.always[f][unsatisfied] ? std::uint64_t{1} << 32 : t.below[f][unsatisfied];
}

template <class Scheme>
void compare_lanes(const FieldThresholds& t) {
  std::mt19937 random(11);
  const KeySchedule keys(Key{1, 2});
  const ClassMasks<Scheme> masks(slot_thresholds<Scheme>(t));
  const HalfSweepNumbers numbers(keys, 5, 6, 7);
  std::uint32_t undecided = 0;
  for (std::uint32_t site = 0; site < 200; ++site) {
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    const std::uint32_t spin = word(), field = word(), set = site % 2;
    const std::uint32_t neighbour[6] = {word(), word(), word(), word(), word(), word()};
    Four<std::uint32_t> planes[2];
    numbers.draw<2>(site, {set, set}, {0, 1}, planes);
    const Decided<Scheme> decided = decide(numbers, site, set, spin, neighbour, field, masks);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const auto bit = [&](std::uint32_t of) { return of >> lane & 1u; };
      SiteOfLane one{bit(spin), {}, bit(field)};
      for (int k = 0; k < 6; ++k) one.neighbour[k] = bit(neighbour[k]);
      const std::uint64_t threshold = threshold_of(one, t);
      std::uint64_t first_bits = 0;
      for (int j = 0; j < plane_count; ++j) first_bits = 2 * first_bits + bit(planes[j / 4].x[j % 4]);
      const bool is_open = threshold < std::uint64_t{1} << 32 && first_bits == threshold >> (32 - plane_count);
      ASSERT_EQ(bit(decided.equal), is_open) << "site " << site << ", lane " << lane;
      if (!is_open) {
        ASSERT_EQ(bit(decided.flip), first_bits < threshold >> (32 - plane_count));
        continue;
      }
      ++undecided;
      std::uint32_t class_bit[Scheme::bits];
      for (int b = 0; b < Scheme::bits; ++b) class_bit[b] = bit(decided.class_bit[b]);
      ASSERT_EQ(threshold_of_class<Scheme::bits>(slot_thresholds<Scheme>(t).of_class, class_bit), threshold);
    }
  }
  EXPECT_GT(undecided, 0u);
}

TEST(FieldDecision, of_each_lane_is_that_of_its_bonds_and_its_field) {
  for (const double h : {0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0}) {
    SCOPED_TRACE(h);
    System system;
    system.model = Model::rfim3d;
    system.h = h;
    const std::vector<FieldThresholds> slots = {make_field_thresholds(system, 0.3), make_field_thresholds(system, 0.2)};
    with_field_scheme(slots, [&]<class Scheme>() {
      for (const FieldThresholds& t : slots) compare_lanes<Scheme>(t);
    });
  }
}

}  // namespace
}  // namespace psflip::cuda
