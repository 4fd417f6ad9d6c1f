#include "engine/driver/decomposed_tempering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/error.hpp"

namespace psflip {

namespace {

constexpr int gathered = Neighbours::other;

/// Copies [blocks][rows of `part`][row] to or from [blocks][all rows][row]; copy(row of the part, row of all).
template <class F>
void for_each_block(std::size_t blocks, std::size_t all_rows, const Slots& part, std::size_t row, F copy) {
  for (std::size_t block = 0; block < blocks; ++block)
    copy(block * part.count * row, (block * all_rows + part.first) * row, part.count * row);
}

}  // namespace

Slots slots_of_rank(std::size_t slots, int rank, int count) {
  const auto begin = [=](int r) { return slots * static_cast<std::size_t>(r) / static_cast<std::size_t>(count); };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

void require_slots(const TemperingSystem& system, const Ranks& ranks) {
  const std::size_t slots = system.slots();
  if (static_cast<std::size_t>(ranks.count()) <= slots) return;
  throw UserError(fmt::format("{} ranks: there are {} temperature slots and every rank needs one, use mpirun -n {}.",
                              ranks.count(), slots, slots));
}

DecomposedTempering::DecomposedTempering(const TemperingSystem& system, Ranks& ranks,
                                         const MakeTemperingPart& make_part)
    : system_(system),
      ranks_(ranks),
      own_(slots_of_rank(system.slots(), ranks.rank(), ranks.count())),
      part_(make_part(system, own_)) {}

void DecomposedTempering::advance(std::uint64_t rounds) {
  if (!connected_) part_->connect(Neighbours(ranks_));
  connected_ = true;
  for (std::size_t part = 0; part < part_->parts(); ++part)
    for (std::uint64_t round = rounds_; round < rounds_ + rounds; ++round) do_round(part, round);
  rounds_ += rounds;
}

/// Both sides of a pair of slots on two ranks get all that the exchange needs and decide alike.
void DecomposedTempering::do_round(std::size_t part, std::uint64_t round) {
  const Halo halo = part_->halo(part, round);
  const Neighbours neighbours(ranks_);
  const std::size_t end = own_.first + own_.count;
  const bool exchanges[2] = {own_.first > 0 && is_exchanged(own_.first - 1, round),
                             end < system_.slots() && is_exchanged(end - 1, round)};
  for (const int side : {0, 1})
    if (exchanges[side]) neighbours.start_receive(side, halo.receive[side], halo.bytes[side]);
  part_->sweep_outer(part, round);
  for (const int side : {0, 1})
    if (exchanges[side]) neighbours.start_send(side, halo.send[side], halo.bytes[side]);
  part_->sweep_inner(part, round, [&] { neighbours.poll(); });
  neighbours.wait();
  part_->finish(part, round);
}

std::size_t DecomposedTempering::pairs_of(const Slots& slots) const {
  return std::min(slots.first + slots.count, system_.slots() - 1) - slots.first;
}

/// [blocks][slots of the rank][row] of every rank to [blocks][slots][row] in `all` at rank 0. There are `row` values
/// for every slot of a block; with `pairs`, slots stand for the pairs whose colder slot they are.
template <class T>
void DecomposedTempering::gather(const std::vector<T>& mine, std::size_t row, bool pairs, std::vector<T>& all) const {
  if (!ranks_.is_first()) {
    ranks_.start_send(0, gathered, mine.data(), mine.size() * sizeof(T));
    ranks_.wait();
    return;
  }
  const std::size_t rows = system_.slots() - (pairs ? 1 : 0), blocks = all.size() / (rows * row);
  std::vector<T> theirs = mine;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    Slots slots = slots_of_rank(system_.slots(), rank, ranks_.count());
    if (pairs) slots.count = pairs_of(slots);
    if (rank != 0) {
      theirs.resize(blocks * slots.count * row);
      ranks_.start_receive(rank, gathered, theirs.data(), theirs.size() * sizeof(T));
      ranks_.wait();
    }
    for_each_block(blocks, rows, slots, row, [&](std::size_t from, std::size_t to, std::size_t count) {
      std::copy_n(theirs.data() + from, count, all.data() + to);
    });
  }
}

TemperingSums DecomposedTempering::sums() const {
  const TemperingSums mine = part_->sums();
  TemperingSums all = empty_sums(system_);
  const std::size_t sets = system_.samples * tempering_sets;
  gather(mine.set, sets, false, all.set);
  gather(mine.pair, system_.samples, false, all.pair);
  gather(mine.accepted, sets, true, all.accepted);
  all.round_trips = mine.round_trips;  // counted where slot 0 is, at rank 0
  return all;
}

std::vector<FlowLabel> DecomposedTempering::flow_labels() const {
  const std::size_t sets = system_.samples * tempering_sets;
  std::vector<FlowLabel> all(system_.slots() * sets, FlowLabel::none);
  gather(part_->flow_labels(), sets, false, all);
  return all;
}

PackedSigns DecomposedTempering::packed_spins(std::size_t slot) const {
  int owner = 0;
  while (slots_of_rank(system_.slots(), owner + 1, ranks_.count()).first <= slot && owner + 1 < ranks_.count()) ++owner;
  PackedSigns spins;
  if (ranks_.rank() == owner) spins = part_->packed_spins(slot);
  if (owner == 0) return spins;
  if (ranks_.is_first()) {
    spins = PackedSigns(system_.samples * tempering_sets, system_.sites());
    ranks_.start_receive(owner, gathered, spins.words.data(), spins.words.size() * sizeof(std::uint32_t));
  } else if (ranks_.rank() == owner) {
    ranks_.start_send(0, gathered, spins.words.data(), spins.words.size() * sizeof(std::uint32_t));
  }
  ranks_.wait();
  return ranks_.is_first() ? spins : PackedSigns();
}

void DecomposedTempering::restore_spins(std::size_t slot, const PackedSigns& spins) {
  if (slot >= own_.first && slot < own_.first + own_.count) part_->restore_spins(slot, spins);
}

void DecomposedTempering::restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels,
                                  const TemperingSums& sums) {
  rounds_ = rounds;
  const std::size_t sets = system_.samples * tempering_sets;
  const auto own = [&](const auto& all, std::size_t row, bool pairs) {
    const std::size_t rows = system_.slots() - (pairs ? 1 : 0), blocks = all.size() / (rows * row);
    const Slots slots{own_.first, pairs ? pairs_of(own_) : own_.count};
    std::decay_t<decltype(all)> mine(blocks * slots.count * row);
    for_each_block(blocks, rows, slots, row, [&](std::size_t to, std::size_t from, std::size_t count) {
      std::copy_n(all.data() + from, count, mine.data() + to);
    });
    return mine;
  };
  TemperingSums mine{own(sums.set, sets, false), own(sums.pair, system_.samples, false), own(sums.accepted, sets, true),
                     sums.round_trips};
  if (!ranks_.is_first()) std::fill(mine.round_trips.begin(), mine.round_trips.end(), 0);
  part_->restore(own(flow_labels, sets, false), mine);
}

}  // namespace psflip
