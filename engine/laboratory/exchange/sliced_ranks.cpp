#include "engine/laboratory/exchange/sliced_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/error.hpp"

namespace psflip::laboratory {

namespace {

SlicedPart part_of(const System& system, int rank, int ranks) {
  const auto L = static_cast<std::uint32_t>(system.L), count = L / 2 / static_cast<std::uint32_t>(ranks);
  return {L, static_cast<std::uint32_t>(rank) * count, count};
}

/// f(words of a row in the glass, words of its part in a message), for each pack and replica; a part has `sites` sites.
template <class G, class Words, class F>
void for_each_row(G& glass, int parity, std::size_t begin, std::size_t sites, Words* message, F f) {
  const GlassView view = glass.view();
  for (std::uint32_t pack = 0; pack < view.packs; ++pack)
    for (std::uint32_t replica = 0; replica < glass_replicas; ++replica, message += sites)
      f(view.spins_of(parity, pack, replica) + begin, message);
}

}  // namespace

void require_equal_shares(int L, const Ranks& ranks) {
  const int pairs = L / 2, count = ranks.count();
  if (count > pairs)
    throw UserError(fmt::format("{} ranks: --L {} has {} pairs of slices and every rank needs one, use mpirun -n {}.",
                                count, L, pairs, pairs));
  if (pairs % count != 0)
    throw UserError(fmt::format("--L {}: {} ranks cannot share {} pairs of slices equally, give a multiple of {}.", L,
                                count, pairs, 2 * count));
}

SlicedRanks::SlicedRanks(const System& system, Ranks& ranks)
    : system_(system),
      ranks_(ranks),
      neighbours_(ranks),
      glass_(system, part_of(system, ranks.rank(), ranks.count())),
      thresholds_(glass_thresholds(system.betas[0], AddressedNumbers::most)),
      sent_(system.samples / 32 * glass_replicas * glass_.layout().slice()),
      received_(sent_.size()) {}

void SlicedRanks::half_sweep() {
  if (half_sweeps_ % 2 == 0)
    half_sweep<0>();
  else
    half_sweep<1>();
  ++half_sweeps_;
}

template <int PARITY>
void SlicedRanks::half_sweep() {
  const SlicedPart& layout = glass_.layout();
  const AddressedNumbers numbers = metropolis_numbers(system_, half_sweeps_);
  const std::size_t boundary = layout.boundary(PARITY),
                    inner = layout.slice();  // inner slices have positions from 1 on
  const auto packs = static_cast<std::uint32_t>(system_.samples / 32);
  start_receive(PARITY);
  for (std::uint32_t pack = 0; pack < packs; ++pack)
    glass_.update<PARITY>(pack, boundary, boundary + layout.slice(), thresholds_, numbers);
  start_send(PARITY);
  for (std::uint32_t pack = 0; pack < packs; ++pack) {
    glass_.update<PARITY>(pack, inner, inner + std::size_t{layout.count - 1} * layout.slice(), thresholds_, numbers);
    neighbours_.poll();
  }
  finish(PARITY);
}

/// Even slices are sent to the smaller side (0) and arrive from the larger (1), odd ones the other way.
void SlicedRanks::start_receive(int parity) {
  neighbours_.start_receive(1 - parity, received_.data(), received_.size() * sizeof(received_[0]));
}

void SlicedRanks::start_send(int parity) {
  const std::uint32_t slice = glass_.layout().slice();
  for_each_row(glass_, parity, glass_.layout().boundary(parity), slice, sent_.data(),
               [&](const std::uint32_t* row, std::uint32_t* message) { std::copy_n(row, slice, message); });
  neighbours_.start_send(parity, sent_.data(), sent_.size() * sizeof(sent_[0]));
}

void SlicedRanks::finish(int parity) {
  neighbours_.wait();
  const std::uint32_t slice = glass_.layout().slice();
  for_each_row(glass_, parity, glass_.layout().ghost(parity), slice, received_.data(),
               [&](std::uint32_t* row, const std::uint32_t* message) { std::copy_n(message, slice, row); });
}

std::vector<std::uint32_t> SlicedRanks::own_words() {
  const std::size_t own = std::size_t{glass_.layout().count} * glass_.layout().slice();
  std::vector<std::uint32_t> words(2 * system_.samples / 32 * glass_replicas * own);
  for (const int parity : {0, 1})
    for_each_row(glass_, parity, glass_.layout().first_own(parity), own,
                 words.data() + static_cast<std::size_t>(parity) * words.size() / 2,
                 [&](const std::uint32_t* row, std::uint32_t* part) { std::copy_n(row, own, part); });
  return words;
}

Glass<Sliced> SlicedRanks::gathered() {
  constexpr int tag = Neighbours::other;
  Glass<Sliced> all(system_);
  std::vector<std::uint32_t> words = own_words();
  const std::size_t bytes = words.size() * sizeof(words[0]);
  if (!ranks_.is_first()) {
    ranks_.start_send(0, tag, words.data(), bytes);
    ranks_.wait();
    return all;
  }
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    if (rank != 0) {
      ranks_.start_receive(rank, tag, words.data(), bytes);
      ranks_.wait();
    }
    const SlicedPart part = part_of(system_, rank, ranks_.count());
    const std::size_t own = std::size_t{part.count} * part.slice(), begin = std::size_t{part.first} * part.slice();
    for (const int parity : {0, 1})
      for_each_row(all, parity, begin, own, words.data() + static_cast<std::size_t>(parity) * words.size() / 2,
                   [&](std::uint32_t* row, const std::uint32_t* message) { std::copy_n(message, own, row); });
  }
  return all;
}

}  // namespace psflip::laboratory
