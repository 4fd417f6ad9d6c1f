#pragma once
#include <array>

namespace psflip::test {

/// Datasets of the sums of one set in files of exchange Monte Carlo: docs/files/tempering.md.
inline constexpr std::array<const char*, 16> set_names = {"bond_sum",
                                                          "field_sum",
                                                          "bond_sum_2",
                                                          "bond_field",
                                                          "field_sum_2",
                                                          "magnetization",
                                                          "abs_magnetization",
                                                          "magnetization_2",
                                                          "magnetization_4",
                                                          "magnetization_k2",
                                                          "bond_magnetization_2",
                                                          "bond_magnetization_4",
                                                          "bond_magnetization_k2",
                                                          "field_magnetization_2",
                                                          "field_magnetization_4",
                                                          "field_magnetization_k2"};

/// The same of the sums of a pair of sets.
inline constexpr std::array<const char*, 12> pair_names = {
    "overlap",         "overlap_2",        "overlap_4",    "magnetization_product", "magnetization_k_product",
    "abs_overlap",     "overlap_k2",       "link_overlap", "bond_overlap_2",        "bond_overlap_4",
    "bond_overlap_k2", "bond_link_overlap"};

}  // namespace psflip::test
