#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/tempering_sums.hpp"
#include "engine/models/overlap_histogram.hpp"
#include "engine/models/system.hpp"

/// Which sums an exchange Monte Carlo keeps: a list for each kind of disorder, part of the file format.
namespace psflip {

/// Consecutive temperature slots.
struct Slots {
  std::size_t first, count;
};

/// The sums of a system, in the order of files and of the arrays of an engine.
struct SumLists {
  std::vector<SetSum> set;                   ///< of every set of replicas
  std::vector<PairSum> pair;                 ///< of every pair of sets
  std::size_t pairs = 0;                     ///< pairs of sets that have sums
  std::size_t overlap_bins = 0;              ///< bins of the histogram of the overlap, an odd number; 0: there is none
  std::vector<std::size_t> link_slots = {};  ///< with sums of the link overlap in each of these bins, increasing

  bool has(SetSum sum) const { return std::find(set.begin(), set.end(), sum) != set.end(); }
  bool has(PairSum sum) const { return std::find(pair.begin(), pair.end(), sum) != pair.end(); }
  /// Places in link_slots of those that are among some slots: the first, and their number.
  Slots link_slots_among(const Slots& some) const {
    const auto place = [&](std::size_t slot) {
      return static_cast<std::size_t>(std::lower_bound(link_slots.begin(), link_slots.end(), slot) -
                                      link_slots.begin());
    };
    return {place(some.first), place(some.first + some.count) - place(some.first)};
  }
};

/// A uniform field has F = M: what would be the same as a sum of M is left out.
inline std::vector<SetSum> set_sums_of(const System& s) {
  if (s.preset().has_random_field())
    return {sum_B,  sum_F, sum_B2,   sum_BF,   sum_F2,  sum_M,    sum_abs_M, sum_M2,
            sum_M4, sum_K, sum_B_M2, sum_B_M4, sum_B_K, sum_F_M2, sum_F_M4,  sum_F_K};
  if (s.has_field())
    return {sum_B, sum_B2,   sum_BF,   sum_M,   sum_abs_M, sum_M2,   sum_M4,
            sum_K, sum_B_M2, sum_B_M4, sum_B_K, sum_F_M2,  sum_F_M4, sum_F_K};
  if (s.preset().has_random_bonds()) {
    std::vector<SetSum> sums = {sum_B, sum_B2, sum_M, sum_abs_M, sum_M2, sum_M4};
    if (s.measures(Integer::magnetization_k2)) sums.push_back(sum_K);
    return sums;
  }
  return {sum_B, sum_B2, sum_M, sum_abs_M, sum_M2, sum_M4, sum_K, sum_B_M2, sum_B_M4, sum_B_K};
}

inline std::vector<PairSum> pair_sums_of(const System& s) {
  if (s.replicas < 2) return {};
  if (s.preset().has_random_field()) return {sum_Q, sum_Q2, sum_Q4, sum_M_M, sum_MK_MK};
  if (s.preset().has_random_bonds())
    return {sum_Q, sum_Q2, sum_Q4, sum_abs_Q, sum_QK, sum_link, sum_B_Q2, sum_B_Q4, sum_B_QK, sum_B_link};
  return {};
}

inline SumLists sum_lists_of(const System& s) {
  SumLists lists{set_sums_of(s), pair_sums_of(s)};
  if (!lists.pair.empty()) lists.pairs = static_cast<std::size_t>(s.pairs());
  if (!lists.has(sum_QK)) return lists;
  lists.overlap_bins = std::min<std::uint64_t>(s.sites() + 1, most_overlap_bins);
  lists.link_slots = s.link_overlap_slots;
  return lists;
}

}  // namespace psflip
