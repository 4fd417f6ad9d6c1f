#pragma once
#include <array>

namespace psflip::test {

/// Datasets of the sums of one set in files of exchange Monte Carlo: docs/file-format.md.
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

}  // namespace psflip::test
