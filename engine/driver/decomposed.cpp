#include "engine/driver/decomposed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/core/fourier.hpp"
#include "engine/io/error.hpp"

namespace psflip {

namespace {

constexpr int gathered = Neighbours::other;

/// The share of rank `rank` of `count` in `n` items: first and number.
std::pair<std::size_t, std::size_t> part_of(std::size_t n, int rank, int count) {
  const auto begin = [=](int r) { return n * static_cast<std::size_t>(r) / static_cast<std::size_t>(count); };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

std::vector<std::int64_t> k2_of(const std::vector<std::int64_t>& components, int axes) {
  const auto field = 2 * static_cast<std::size_t>(axes);
  std::vector<std::int64_t> k2;
  for (std::size_t i = 0; i < components.size(); i += field) {
    std::int64_t re[3], im[3];
    for (std::size_t axis = 0; 2 * axis < field; ++axis) {
      re[axis] = components[i + 2 * axis];
      im[axis] = components[i + 2 * axis + 1];
    }
    k2.push_back(k2_from_components(re, im, axes));
  }
  return k2;
}

/// Copies [blocks][rows of `part`][row] to or from [blocks][all rows][row]; copy(row of the part, row of all, count).
template <class F>
void for_each_block(std::size_t blocks, std::size_t all_rows, const Slots& part, std::size_t row, F copy) {
  for (std::size_t block = 0; block < blocks; ++block)
    copy(block * part.count * row, (block * all_rows + part.first) * row, part.count * row);
}

}  // namespace

Share share_of_rank(const System& system, int rank, int count) {
  Share share = full_share(system);
  if (system.slots() > 1) {
    std::tie(share.slots.first, share.slots.count) = part_of(system.slots(), rank, count);
  } else {
    const auto [first, number] = part_of(static_cast<std::size_t>(system.L), rank, count);
    share.planes = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(number)};
    share.fewest_planes = static_cast<std::uint32_t>(system.L / count);
  }
  return share;
}

void require_shares(const System& system, const Ranks& ranks) {
  const auto count = static_cast<std::size_t>(ranks.count()), slots = system.slots();
  if (slots > 1 && count > slots)
    throw UserError(fmt::format("{} ranks: there are {} temperature slots and every rank needs one, use mpirun -n {}.",
                                count, slots, slots));
  if (slots > 1 || count <= static_cast<std::size_t>(system.L)) return;
  throw UserError(fmt::format("{} ranks: a lattice with --L {} has {} {} and every rank needs one, use mpirun -n {}.",
                              count, system.L, system.L, system.preset().planes(), system.L));
}

Decomposed::Decomposed(const System& system, Ranks& ranks, const MakePart& make_part)
    : Engine(system),
      system_(system),
      ranks_(ranks),
      own_(share_of_rank(system, ranks.rank(), ranks.count())),
      part_(make_part(system, own_)) {}

void Decomposed::connect() {
  is_connected_ = true;
  const std::optional<int> mine = part_->connect(Neighbours(ranks_));
  if (!mine) return;
  std::vector<std::int64_t> all = {*mine};
  ranks_.add_up(all);
  halo_ = all[0] == 0 ? "host" : all[0] == 2 * std::int64_t{ranks_.count()} ? "device" : "mixed";
}

void Decomposed::advance(std::uint64_t rounds) {
  if (!is_connected_) connect();
  const std::uint64_t steps = shares_slots() ? 1 : system_.round.half_sweeps;
  for (std::size_t batch = 0; batch < part_->batches(); ++batch) {
    for (std::uint64_t step = rounds_ * steps; step < (rounds_ + rounds) * steps; ++step) do_step(batch, step);
    part_->finish_steps(batch);
  }
  rounds_ += rounds;
}

/// Both sides of a pair of slots on two ranks get everything that the exchange needs and decide alike. Of planes only
/// the parity that is updated is sent, unless an engine exchanges planes less often: then most steps send nothing.
void Decomposed::do_step(std::size_t batch, std::uint64_t step) {
  const Halo halo = part_->halo(batch, step);
  const Neighbours neighbours(ranks_);
  const auto has_message = [&](int side) { return halo.bytes[side] != 0 && is_in_contact(side, step); };
  for (const int side : {0, 1})
    if (has_message(side)) neighbours.start_receive(side, halo.receive[side], halo.bytes[side]);
  part_->update_outer(batch, step);
  for (const int side : {0, 1})
    if (has_message(side)) neighbours.start_send(side, halo.send[side], halo.bytes[side]);
  part_->update_inner(batch, step, [&] { neighbours.poll(); });
  neighbours.wait();
  part_->finish(batch, step);
}

bool Decomposed::is_in_contact(int side, std::uint64_t step) const {
  if (!shares_slots()) return true;
  const std::size_t first = own_.slots.first, end = first + own_.slots.count;
  return side == 0 ? first > 0 && is_exchanged(first - 1, step) : end < system_.slots() && is_exchanged(end - 1, step);
}

Observation Decomposed::observe() const {
  if (shares_slots()) return {};
  Observation o = part_->observe();
  std::vector<std::int64_t> all;
  for (const auto& values : o.values) all.insert(all.end(), values.begin(), values.end());
  ranks_.add_up(all);
  auto next = all.begin();
  for (auto& values : o.values) {
    const auto end = next + static_cast<std::ptrdiff_t>(values.size());
    std::copy(next, end, values.begin());
    next = end;
  }
  for (const IntegerInfo& info : integer_table)
    if (info.kind == Kind::fourier) o[info.integer] = k2_of(o[info.integer], system_.dimension());
  return o;
}

PackedSigns Decomposed::gather_planes(const PackedSigns& mine) const {
  constexpr std::size_t word = sizeof(std::uint32_t);
  if (!ranks_.is_first()) {
    ranks_.start_send(0, gathered, mine.words.data(), mine.words.size() * word);
    ranks_.wait();
    return {};
  }
  const std::size_t plane = system_.sites() / static_cast<std::size_t>(system_.L);
  PackedSigns all(mine.rows, system_.sites());
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const Planes planes = share_of_rank(system_, rank, ranks_.count()).planes;
    PackedSigns theirs;
    if (rank != 0) {
      theirs = PackedSigns(mine.rows, planes.count * plane);
      ranks_.start_receive(rank, gathered, theirs.words.data(), theirs.words.size() * word);
      ranks_.wait();
    }
    const PackedSigns& part = rank == 0 ? mine : theirs;
    for (std::size_t row = 0; row < all.rows; ++row)
      copy_bits(part.row(row), 0, part.length, all.row(row), planes.first * plane);
  }
  return all;
}

PackedSigns Decomposed::send_to_first(PackedSigns mine, int owner, std::size_t rows) const {
  if (owner == 0) return ranks_.is_first() ? std::move(mine) : PackedSigns();
  if (ranks_.is_first()) {
    mine = PackedSigns(rows, system_.sites());
    ranks_.start_receive(owner, gathered, mine.words.data(), mine.words.size() * sizeof(std::uint32_t));
  } else if (ranks_.rank() == owner) {
    ranks_.start_send(0, gathered, mine.words.data(), mine.words.size() * sizeof(std::uint32_t));
  }
  ranks_.wait();
  return ranks_.is_first() ? std::move(mine) : PackedSigns();
}

Slots Decomposed::rows_of(PerSlot kind, const Slots& slots) const {
  if (kind == PerSlot::link_sums) return sum_lists_of(system_).link_slots_among(slots);
  if (kind == PerSlot::all) return slots;
  return {slots.first, std::min(slots.first + slots.count, system_.slots() - 1) - slots.first};
}

/// [blocks][rows of the rank][row] of every rank to [blocks][rows][row] in `all` at rank 0; a row has `row` values.
template <class T>
void Decomposed::gather_slots(const std::vector<T>& mine, std::size_t row, PerSlot kind, std::vector<T>& all) const {
  if (row == 0) return;  // a model without such sums; a rank with a single slot still sends none of its pairs
  if (!ranks_.is_first()) {
    ranks_.start_send(0, gathered, mine.data(), mine.size() * sizeof(T));
    ranks_.wait();
    return;
  }
  const std::size_t rows = rows_of(kind, {0, system_.slots()}).count, blocks = all.size() / (rows * row);
  std::vector<T> theirs = mine;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const Slots slots = rows_of(kind, share_of_rank(system_, rank, ranks_.count()).slots);
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

/// Values of a row of Sums::overlap_link_sums; 0: there are no such sums.
std::size_t Decomposed::link_row(const SumLists& lists) const {
  return lists.link_slots.empty() ? 0 : system_.samples * lists.overlap_bins;
}

Sums Decomposed::sums() const {
  if (!shares_slots()) return {};
  const Sums mine = part_->sums();
  Sums all = empty_sums(system_);
  const std::size_t rows = system_.samples * static_cast<std::size_t>(system_.replicas);
  gather_slots(mine.set, rows, PerSlot::all, all.set);
  const SumLists lists = sum_lists_of(system_);
  gather_slots(mine.pair, system_.samples * lists.pairs, PerSlot::all, all.pair);
  gather_slots(mine.overlap_counts, system_.samples * lists.overlap_bins, PerSlot::all, all.overlap_counts);
  gather_slots(mine.overlap_link_sums, link_row(lists), PerSlot::link_sums, all.overlap_link_sums);
  gather_slots(mine.accepted, rows, PerSlot::pairs, all.accepted);
  gather_slots(mine.flow_cold, rows, PerSlot::all, all.flow_cold);
  gather_slots(mine.flow_hot, rows, PerSlot::all, all.flow_hot);
  all.round_trips = mine.round_trips;  // counted where slot 0 is, at rank 0
  return all;
}

std::vector<FlowLabel> Decomposed::flow_labels() const {
  if (!shares_slots()) return {};
  const std::size_t rows = system_.samples * static_cast<std::size_t>(system_.replicas);
  std::vector<FlowLabel> all(system_.slots() * rows, FlowLabel::none);
  gather_slots(part_->flow_labels(), rows, PerSlot::all, all);
  return all;
}

PackedSigns Decomposed::packed_spins(std::size_t slot) const {
  if (!shares_slots()) return gather_planes(part_->packed_spins(slot));
  int owner = 0;
  while (owner + 1 < ranks_.count() && share_of_rank(system_, owner + 1, ranks_.count()).slots.first <= slot) ++owner;
  PackedSigns mine;
  if (ranks_.rank() == owner) mine = part_->packed_spins(slot);
  return send_to_first(std::move(mine), owner, system_.samples * static_cast<std::size_t>(system_.replicas));
}

PackedSigns Decomposed::packed_couplings() const {
  if (!system_.preset().has_random_bonds()) return {};
  const PackedSigns mine = part_->packed_couplings();
  return shares_slots() ? send_to_first(mine, 0, 0) : gather_planes(mine);
}

PackedSigns Decomposed::packed_fields() const {
  if (!system_.preset().has_random_field()) return {};
  const PackedSigns mine = part_->packed_fields();
  return shares_slots() ? send_to_first(mine, 0, 0) : gather_planes(mine);
}

void Decomposed::restore_spins(std::size_t slot, const PackedSigns& spins) {
  const Slots& own = own_.slots;
  if (slot >= own.first && slot < own.first + own.count) part_->restore_spins(slot, spins);
}

Sums Decomposed::own_sums(const Sums& all) const {
  const auto own = [&](const auto& values, std::size_t row, PerSlot kind) -> std::decay_t<decltype(values)> {
    if (row == 0) return values;
    const std::size_t rows = rows_of(kind, {0, system_.slots()}).count, blocks = values.size() / (rows * row);
    const Slots slots = rows_of(kind, own_.slots);
    std::decay_t<decltype(values)> mine(blocks * slots.count * row);
    for_each_block(blocks, rows, slots, row, [&](std::size_t to, std::size_t from, std::size_t count) {
      std::copy_n(values.data() + from, count, mine.data() + to);
    });
    return mine;
  };
  const std::size_t rows = system_.samples * static_cast<std::size_t>(system_.replicas);
  const SumLists lists = sum_lists_of(system_);
  Sums mine{own(all.set, rows, PerSlot::all),
            own(all.pair, system_.samples * lists.pairs, PerSlot::all),
            own(all.accepted, rows, PerSlot::pairs),
            all.round_trips,
            own(all.overlap_counts, system_.samples * lists.overlap_bins, PerSlot::all),
            own(all.flow_cold, rows, PerSlot::all),
            own(all.flow_hot, rows, PerSlot::all),
            own(all.overlap_link_sums, link_row(lists), PerSlot::link_sums)};
  if (!ranks_.is_first()) std::fill(mine.round_trips.begin(), mine.round_trips.end(), 0);
  return mine;
}

void Decomposed::restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) {
  rounds_ = rounds;
  if (!shares_slots()) return part_->restore({}, {});
  const std::size_t row = system_.samples * static_cast<std::size_t>(system_.replicas);
  const auto first = labels.begin() + static_cast<std::ptrdiff_t>(own_.slots.first * row);
  const std::vector<FlowLabel> mine(first, first + static_cast<std::ptrdiff_t>(own_.slots.count * row));
  part_->restore(mine, own_sums(sums));
}

}  // namespace psflip
