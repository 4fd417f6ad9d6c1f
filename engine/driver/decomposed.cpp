#include "engine/driver/decomposed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/fourier.hpp"
#include "engine/io/error.hpp"

namespace psflip {

namespace {

constexpr int gathered = Neighbours::other;

/// Calls f with every array of sums.
template <class F>
void for_each_array(DomainObservation& o, F f) {
  for (auto* array : {&o.sums.bond_sum, &o.sums.magnetization, &o.sums.overlap, &o.components}) f(*array);
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

}  // namespace

Planes planes_of_rank(int L, int rank, int count) {
  const auto begin = [=](int r) { return static_cast<std::uint32_t>(std::int64_t{L} * r / count); };
  return {begin(rank), begin(rank + 1) - begin(rank)};
}

void require_planes(const System& system, const Ranks& ranks) {
  if (ranks.count() <= system.L) return;
  const char* planes = system.dimension() == 3 ? "planes" : "rows";
  throw UserError(fmt::format("{} ranks: a lattice with --L {} has {} {} and every rank needs one, use mpirun -n {}.",
                              ranks.count(), system.L, system.L, planes, system.L));
}

Decomposed::Decomposed(const System& system, Ranks& ranks, const MakeDomain& make_domain)
    : system_(system),
      ranks_(ranks),
      domain_(make_domain(system, planes_of_rank(system.L, ranks.rank(), ranks.count()))) {}

void Decomposed::advance(std::uint64_t count) {
  if (!connected_) connect();
  for (std::size_t part = 0; part < domain_->parts(); ++part)
    for (std::uint64_t h = half_sweeps_; h < half_sweeps_ + count; ++h) half_sweep(part, h);
  half_sweeps_ += count;
}

void Decomposed::connect() {
  connected_ = true;
  const std::optional<int> mine = domain_->connect(Neighbours(ranks_));
  if (!mine) return;
  std::vector<std::int64_t> all = {*mine};
  ranks_.add_up(all);
  halo_ = all[0] == 0 ? "host" : all[0] == 2 * ranks_.count() ? "device" : "mixed";
}

/// Only the parity that is updated travels, and only while the planes that nobody else sees are updated.
void Decomposed::half_sweep(std::size_t part, std::uint64_t h) {
  const Halo halo = domain_->halo(part, h & 1u);
  const Neighbours neighbours(ranks_);
  for (const int side : {0, 1}) neighbours.start_receive(side, halo.receive[side], halo.bytes[side]);
  domain_->update_boundary(part, h);
  for (const int side : {0, 1}) neighbours.start_send(side, halo.send[side], halo.bytes[side]);
  domain_->update_interior(part, h, [&] { neighbours.poll(); });
  neighbours.wait();
  domain_->accept_halo(part, h);
}

Observation Decomposed::observe() const {
  DomainObservation o = domain_->observe();
  std::vector<std::int64_t> all;
  for_each_array(o, [&](const auto& array) { all.insert(all.end(), array.begin(), array.end()); });
  ranks_.add_up(all);
  auto next = all.begin();
  for_each_array(o, [&](auto& array) {
    const auto end = next + static_cast<std::ptrdiff_t>(array.size());
    std::copy(next, end, array.begin());
    next = end;
  });
  (system_.preset().has_disorder() ? o.sums.overlap_k2 : o.sums.magnetization_k2) =
      k2_of(o.components, system_.dimension());
  return o.sums;
}

/// Rows of the sites of these planes of every rank to rows of all sites at rank 0.
PackedSigns Decomposed::gather(const PackedSigns& mine) const {
  constexpr std::size_t word = sizeof(std::uint32_t);
  if (!ranks_.is_first()) {
    ranks_.start_send(0, gathered, mine.words.data(), mine.words.size() * word);
    ranks_.wait();
    return {};
  }
  const std::size_t plane = system_.sites() / static_cast<std::size_t>(system_.L);
  PackedSigns all(mine.rows, system_.sites());
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const Planes planes = planes_of_rank(system_.L, rank, ranks_.count());
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

PackedSigns Decomposed::packed_spins() const { return gather(domain_->packed_spins()); }

std::vector<std::int8_t> Decomposed::couplings() const {
  if (!system_.preset().has_random_bonds()) return {};
  return unpack_signs(gather(domain_->packed_couplings()));
}

void Decomposed::restore(std::uint64_t half_sweeps, const PackedSigns& spins) {
  domain_->restore(spins);
  half_sweeps_ = half_sweeps;
}

}  // namespace psflip
