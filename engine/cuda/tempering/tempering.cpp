#include "engine/cuda/tempering/tempering.hpp"

#include <algorithm>
#include <string>

#include "engine/cuda/tempering/kernels.hpp"
#include "engine/cuda/update/start.hpp"
#include "engine/io/error.hpp"

// Construction and the steps of a round of Tempering.
namespace psflip::cuda {

namespace {

constexpr std::uint32_t most_packs = 65535;  // of a grid

DeviceArray<std::uint64_t> pack_numbers_of(const System& s) {
  const std::vector<std::uint64_t> all = s.pack_numbers();
  if (all.size() > most_packs)
    throw UserError("--samples: the GPU exchanges temperatures of at most " + std::to_string(32 * (most_packs - 1)) +
                    " samples in one job; use fewer or --backend cpu.");
  DeviceArray<std::uint64_t> numbers(all.size());
  numbers.upload(all);
  return numbers;
}

TemperingShape shape_of(const System& s, const Slots& own, const DeviceArray<std::uint64_t>& pack_numbers,
                        SlotOrder order) {
  const std::size_t first = own.first > 0 ? own.first - 1 : 0, behind = std::min(own.first + own.count + 1, s.slots());
  const auto sites = static_cast<std::uint32_t>(s.sites() / 2), sets = static_cast<std::uint32_t>(s.replicas);
  const bool sets_first = order == SlotOrder::set_parity;
  return {static_cast<std::uint32_t>(s.L),
          sites,
          sets,
          static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(behind - first),
          static_cast<std::uint32_t>(pack_numbers.size()),
          sets_first ? 2 * sites : sites,
          sets_first ? sites : sets * sites,
          pack_numbers.data()};
}

/// BinSums::link_places of all slots in memory.
std::vector<int> link_places_of(const SumLists& lists, const Slots& own, const TemperingShape& shape) {
  std::vector<int> places(shape.slots, -1);
  const Slots links = lists.link_slots_among(own);
  for (std::size_t i = 0; i < links.count; ++i)
    places[lists.link_slots[links.first + i] - shape.first_slot] = static_cast<int>(i);
  return places;
}

/// Calls f(index of the first, number of the first, count) for consecutive packs.
template <class F>
void for_each_run_of_packs(const std::vector<std::uint64_t>& packs, F f) {
  for (std::size_t first = 0, next = 0; first < packs.size(); first = next) {
    for (next = first + 1; next < packs.size() && packs[next] == packs[first] + (next - first);) ++next;
    f(static_cast<std::uint32_t>(first), packs[first], static_cast<std::uint32_t>(next - first));
  }
}

}  // namespace

Tempering::Tempering(const System& system, const Slots& own, SlotOrder order)
    : system_(system),
      own_(own),
      lists_(sum_lists_of(system)),
      own_links_(lists_.link_slots_among(own)),
      pack_numbers_(pack_numbers_of(system)),
      shape_(shape_of(system, own, pack_numbers_, order)),
      exchange_(make_exchange_table(system)) {
  allocate();
  const FourierTable table = make_fourier_table(system.L);
  cosine_.upload(table.cosine);
  sine_.upload(table.sine);
  link_places_.upload(link_places_of(lists_, own, shape_));
  weights_.upload(exchange_.weights);
  start_disorder();
  spins_.clear();
  if (system.start == Start::random) start_spins(shape_, spins_.data(), trajectory_key(system, Stream::initial_spins));
  start_labels();
  clear_sums();
}

void Tempering::allocate() {
  const std::size_t units = std::size_t{shape_.packs} * shape_.units(), lanes = shape_.lanes();
  const auto directions = static_cast<std::uint32_t>(system_.preset().has_random_bonds() ? system_.dimension() : 0);
  spins_ = DeviceArray<std::uint32_t>(shape_.spins(shape_.packs, 0));
  couplings_ = DeviceArray<std::uint32_t>(shape_.couplings(shape_.packs, directions));
  fields_ = DeviceArray<std::uint32_t>(system_.preset().has_random_field() ? shape_.fields(shape_.packs) : 0);
  masks_ = DeviceArray<std::uint32_t>(units);
  from_cold_ = DeviceArray<std::uint32_t>(units);
  from_hot_ = DeviceArray<std::uint32_t>(units);
  accepted_ = DeviceArray<int>(lanes * shape_.units());
  round_trips_ = DeviceArray<int>(lanes * shape_.sets);
  flow_cold_ = DeviceArray<int>(lanes * shape_.units());
  flow_hot_ = DeviceArray<int>(lanes * shape_.units());
  overlap_counts_ = DeviceArray<int>(lanes * shape_.slots * lists_.overlap_bins);
  overlap_link_sums_ = DeviceArray<unsigned long long>(lanes * own_links_.count * lists_.overlap_bins);
  link_places_ = DeviceArray<int>(shape_.slots);
  cosine_ = DeviceArray<int>(shape_.L);
  sine_ = DeviceArray<int>(shape_.L);
  weights_ = DeviceArray<ExchangeWeights>(exchange_.weights.size());
  set_sums_ = DeviceArray<double>(lanes * shape_.units() * lists_.set.size());
  pair_sums_ = DeviceArray<double>(lanes * shape_.slots * lists_.pairs * lists_.pair.size());
}

void Tempering::start_disorder() {
  couplings_.clear();
  const auto directions = static_cast<std::uint32_t>(system_.dimension());
  const Key bonds = disorder_key(system_, Stream::couplings), fields = disorder_key(system_, Stream::fields);
  for_each_run_of_packs(system_.pack_numbers(), [&](std::uint32_t index, std::uint64_t number, std::uint32_t packs) {
    const Addresses addresses{0, shape_.sites};
    Layout layout{shape_.L, shape_.sites, directions, number};
    std::uint32_t* words = couplings_.data() + shape_.couplings(index, directions);
    if (couplings_.size() > 0 && system_.couplings == Couplings::bimodal) {
      if (system_.p == 0.5)
        start_words(words, layout, packs, addresses, bonds);
      else
        start_bonds(words, layout, packs, addresses, bonds, bond_threshold(system_));
    }
    layout.replicas = 1;
    if (fields_.size() > 0) start_words(fields_.data() + shape_.fields(index), layout, packs, addresses, fields);
  });
}

/// The labels of the configurations that begin at an end of the temperature grid.
void Tempering::start_labels() {
  std::vector<std::uint32_t> cold(from_cold_.size(), 0), hot(from_hot_.size(), 0);
  const bool has_hottest = own_.first + own_.count == system_.slots();
  for (std::uint32_t pack = 0; pack < shape_.packs; ++pack) {
    for (std::uint32_t set = 0; set < shape_.sets; ++set) {
      const std::size_t coldest = shape_.unit(pack, 0, set), hottest = shape_.unit(pack, shape_.slots - 1, set);
      if (has_hottest) cold[hottest] = hot[hottest] = ~0u;
      if (own_.first > 0) continue;
      cold[coldest] = ~0u;
      hot[coldest] = 0;
    }
  }
  from_cold_.upload(cold);
  from_hot_.upload(hot);
}

TemperingArrays Tempering::arrays() const {
  return {spins_.data(),
          couplings_.data(),
          fields_.data(),
          masks_.data(),
          energies(),
          {from_cold_.data(), from_hot_.data(), accepted_.data(), round_trips_.data()},
          {set_sums_.data(), pair_sums_.data(), overlap_counts_.data(), flow_cold_.data(), flow_hot_.data(),
           overlap_link_sums_.data(), link_places_.data()},
          cosine_.data(),
          sine_.data(),
          weights_.data() + shape_.first_slot,
          exchange_.shift};
}

SlotWords Tempering::words() const {
  return {shape_,
          spins_.data(),
          counts_.data(),
          counts_.size() / shape_.packs,
          counts_of_slot_,
          static_cast<std::uint32_t>(counts_of_slot_),
          from_cold_.data(),
          from_hot_.data()};
}

void Tempering::clear_sums() {
  set_sums_.clear();
  pair_sums_.clear();
  overlap_counts_.clear();
  overlap_link_sums_.clear();
  flow_cold_.clear();
  flow_hot_.clear();
  accepted_.clear();
  round_trips_.clear();
}

void Tempering::start_rounds(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t round = first; round < first + count; ++round) {
    begin_round(nullptr);
    const bool waits = sweep(own_, round, nullptr);
    finish_round(round, waits, nullptr);
  }
}

void Tempering::finish_round(std::uint64_t round, bool waits, cudaStream_t stream) {
  const auto number = static_cast<std::uint32_t>(round);
  start_exchange(shape_, arrays(), trajectory_key(system_, Stream::exchange), number, waits, stream);
  finish(slot_index(own_.first), slot_index(own_.first + own_.count - 1), shape_.colder_parity(number),
         system_.is_summed(round), stream);
}

void Tempering::start_reading() {
  read_ = sums();
  clear_sums();
}

void Tempering::write_message(std::size_t slot, std::uint32_t* message, cudaStream_t stream) {
  start_gather(words(), slot_index(slot), message, stream);
}

void Tempering::read_message(std::size_t slot, const std::uint32_t* message, cudaStream_t stream) {
  start_scatter(words(), slot_index(slot), message, stream);
}

/// Two sets of a random field on a cubic lattice have kernels of their own.
static bool is_field_cube(const System& s) {
  const Preset& preset = s.preset();
  return preset.dimension == 3 && !preset.has_random_bonds() && preset.has_random_field() && s.replicas == 2;
}

std::unique_ptr<Tempering> make_tempering(const System& system, const Slots& own) {
  return is_field_cube(system) ? make_field_cube_tempering(system, own) : make_member_tempering(system, own);
}

/// Rows of 32 integers of a pack and slot, at most.
static double count_rows_of_slot(const System& s) {
  return s.replicas * (is_field_cube(s) ? static_cast<double>(3 * s.L + 2) : 3.0) + 1;
}

double bytes_of_message(const System& s) {
  const double words = s.replicas * (static_cast<double>(s.sites()) + 2) + 32 * count_rows_of_slot(s);
  return sizeof(std::uint32_t) * words * static_cast<double>(s.pack_count());
}

double bytes_of_tempering(const System& system, const Slots& own) {
  constexpr std::size_t largest_measured = std::size_t{64} << 20;
  const std::size_t copies = (own.first > 0 ? 1 : 0) + (own.first + own.count < system.slots() ? 1 : 0);
  const std::size_t slots = own.count + copies;
  Sums sums;
  CountArrays count;
  for_each_array(sums, system, {slots, slots, sum_lists_of(system).link_slots_among(own).count}, count);
  const auto units = static_cast<double>(slots) * system.replicas;
  const double disorder =
      (system.preset().has_random_bonds() ? system.dimension() : 0) + (system.preset().has_random_field() ? 1 : 0);
  const double rows = static_cast<double>(slots) * count_rows_of_slot(system);
  const double words = (units + disorder) * static_cast<double>(system.sites()) + 3 * units + 32 * rows;
  return count.bytes + sizeof(std::uint32_t) * words * static_cast<double>(system.pack_count()) + largest_measured;
}

}  // namespace psflip::cuda
