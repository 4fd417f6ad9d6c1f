#include "exchange_systems.hpp"

namespace psflip::equality {
namespace {

System cubic(int L, double J, double h, const std::vector<double>& T) {
  System system;
  system.model = Model::rfim3d;
  system.L = L;
  system.J = J;
  system.h = h;
  for (const double t : T) system.betas.push_back(1 / t);
  system.first_sample = 29;
  system.samples = L <= 6 ? 70 : L <= 10 ? 37 : 7;
  system.replicas = 2;
  system.seed = 0xFFFFFFFF;
  system.round = {4, 1};
  return system;
}

/// Packs that are not consecutive, as extended runs of slow samples have them.
void add_chosen_packs(std::vector<NamedSystem>& all) {
  System few = cubic(6, 1, 1, {3.4, 3.8, 4.3});
  few.packs = {0, 3, 4, 9, 1000};
  few.samples = 32 * few.packs.size();
  all.push_back({"chosen_packs", few});
  System many = cubic(4, 1, 0.5, {3.6, 3.9, 4.2});  // more than the widest word has bits, on both sides of 2^32
  for (std::uint64_t pack = 0; pack < 20; ++pack) many.packs.push_back((1ULL << 32) - 31 + 3 * pack);
  many.samples = 32 * many.packs.size();
  all.push_back({"chosen_packs_beyond_32_bits", many});
}

/// The ends of what the contract allows.
void add_extremes(std::vector<NamedSystem>& all) {
  System far = cubic(4, 1, 1, {3.6, 3.9, 4.2});
  far.first_sample = (1ULL << 45) - 77;
  far.samples = 77;
  all.push_back({"last_samples", far});
  System wrap = far;  // the lower half of the number of the pack overflows inside a word
  wrap.first_sample = (1ULL << 37) - 50;
  all.push_back({"packs_beyond_32_bits", wrap});
  System single = cubic(6, 1, 1, {3.6, 4.2});
  single.samples = 1;
  single.round.half_sweeps = 2;
  all.push_back({"one_sample_two_slots", single});
  System ordered = cubic(6, 1, 1, {2, 3, 4, 5});
  ordered.start = Start::ordered;
  all.push_back({"ordered_start", ordered});
  all.push_back({"infinitely_hot", cubic(4, 1, 1, {1e19, 1e20})});
  all.push_back({"frozen", cubic(4, 1, 1, {1e-3, 1.1e-3, 2e-3})});
  std::vector<double> many;
  for (int k = 0; k < 256; ++k) many.push_back(3 + 0.01 * k);
  System slots = cubic(4, 1, 1, many);
  slots.samples = 2;
  all.push_back({"slots_256", slots});
}

}  // namespace

std::vector<NamedSystem> all_exchange_systems() {
  const std::vector<double> warm = {3.4, 3.7, 4.0, 4.4, 4.9};
  System many = cubic(4, 1, 1, warm);  // more than the widest word has bits
  many.samples = 600;
  std::vector<NamedSystem> all = {{"h_equals_J_L4", many},
                                  {"h_equals_J_L6", cubic(6, 1, 1, warm)},
                                  {"h_equals_J_L8", cubic(8, 1, 1, {3.7, 3.9, 4.1})},
                                  {"h_equals_J_L10", cubic(10, 1, 1, {3.8, 4.0})},
                                  {"h_equals_J_L14", cubic(14, 1, 1, {3.9, 4.0})},  // wide Fourier sums
                                  {"h_equals_J_not_one", cubic(4, 0.3, 0.3, {1.1, 1.25, 1.4})},
                                  {"no_field", cubic(6, 1, 0, {4.3, 4.5, 4.8, 5.2})},
                                  {"weak_field", cubic(6, 1, 0.37, warm)},
                                  {"field_of_ties", cubic(6, 1, 2, warm)},
                                  {"strong_field", cubic(6, 1, 3.7, warm)},
                                  {"field_beyond_all_bonds", cubic(4, 0.5, 6.5, warm)},
                                  {"no_coupling", cubic(6, 0, 1, {0.7, 0.9, 1.3, 2.1})}};
  System thin = cubic(6, 1, 1, warm);
  thin.round.rounds_per_sum = 2;
  all.push_back({"every_second_round_measured", thin});
  System thinner = cubic(8, 1, 0.5, {3.9, 4.1, 4.4, 4.7});
  thinner.round = {2, 4};
  all.push_back({"every_fourth_round_measured", thinner});
  add_chosen_packs(all);
  add_extremes(all);
  return all;
}

}  // namespace psflip::equality
