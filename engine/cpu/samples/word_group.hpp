#pragma once
#include <algorithm>
#include <vector>

#include "engine/cpu/words/lanes.hpp"
#include "engine/models/system.hpp"

namespace psflip::cpu {

/// State that temperature slots and sums need besides spins and disorder; slots as they are numbered in memory.
template <class W>
struct TemperingState {
  /// [slot][replica], flow labels of the configurations; both bits are set if one has visited the hottest slot only.
  std::vector<std::vector<W>> from_cold, from_hot;
  std::vector<std::vector<std::int32_t>> bonds, field_sums;    ///< [slot][replica * bits + lane], of the configurations
  std::vector<std::vector<double>> set_sums;                   ///< [slot * replicas + replica][sum * bits + lane]
  std::vector<std::vector<double>> pair_sums;                  ///< [slot * pairs + pair][sum * bits + lane]
  std::vector<std::vector<std::int32_t>> overlap_counts;       ///< [slot][lane * bins + bin]
  std::vector<std::vector<std::int64_t>> overlap_link_sums;    ///< [own slot of link_slots][lane * bins + bin]
  std::vector<std::vector<std::int32_t>> accepted;             ///< [colder slot][replica * bits + lane]
  std::vector<std::int32_t> round_trips;                       ///< [replica * bits + lane]
  std::vector<std::vector<std::int32_t>> flow_cold, flow_hot;  ///< [slot][replica * bits + lane]
};

/// The samples of one word. Sites by their index in the memory of the domain.
template <class W>
struct WordGroup {
  WordPacks<W> packs;
  int first_lane, end_lane;           ///< of the samples of the job
  std::size_t first_sample;           ///< in the job, of lane first_lane
  std::vector<W> couplings;           ///< [parity][site][direction]
  std::vector<W> fields;              ///< [parity][site]
  std::vector<std::vector<W>> spins;  ///< [slot in memory][parity][site][replica]
  TemperingState<W> tempering;
};

/// Word groups of a system: as divide_samples() makes them.
template <class W>
std::uint64_t word_groups_of(const System& system) {
  if (system.samples == 0) return 0;
  const std::uint64_t first = system.first_sample / 32, last = (system.first_sample + system.samples - 1) / 32;
  std::uint64_t groups = 0;
  for (std::uint64_t begin = first; begin <= last; begin = (begin >> 32 << 32) + (std::uint64_t{1} << 32)) {
    const std::uint64_t end = std::min(last, begin | 0xffffffff) + 1;
    groups += (end - begin + W::packs - 1) / W::packs;
  }
  return groups;
}

/// Divides the samples of a system. A word takes as many of the packs as fit, all with the same upper bits.
/// Chunks that are left repeat the last pack; their samples are simulated twice and not read.
template <class W>
std::vector<WordGroup<W>> divide_samples(const System& system) {
  const std::vector<std::uint64_t> packs = system.pack_numbers();
  const std::size_t first = system.first_lane(), end = first + system.samples;  // lanes of all packs, one after another
  std::vector<WordGroup<W>> groups;
  for (std::size_t begin = 0, next = 0; begin < packs.size(); begin = next) {
    WordGroup<W> group{};
    group.packs.upper = packs[begin];
    const auto fits = [&](std::size_t k) {
      return k < packs.size() && k < begin + W::packs && packs[k] >> 32 == packs[begin] >> 32;
    };
    while (fits(next)) ++next;
    for (std::size_t chunk = 0; chunk < W::packs; ++chunk)
      group.packs.lower[chunk] = static_cast<std::uint32_t>(packs[std::min(begin + chunk, next - 1)]);
    group.first_lane = static_cast<int>(std::max(first, 32 * begin) - 32 * begin);
    group.end_lane = static_cast<int>(std::min(end, 32 * next) - 32 * begin);
    group.first_sample = std::max(first, 32 * begin) - first;
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace psflip::cpu
