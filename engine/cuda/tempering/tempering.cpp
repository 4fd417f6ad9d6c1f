#include "engine/cuda/tempering/tempering.hpp"

#include <algorithm>
#include <string>

#include "engine/cuda/tempering/kernels.hpp"
#include "engine/cuda/tempering/sweep.hpp"
#include "engine/io/error.hpp"

// Construction and the steps of a round of Tempering.
namespace psflip::cuda {

namespace {

constexpr std::uint32_t most_packs = 65535;  // of a grid

DeviceArray<std::uint64_t> pack_numbers_of(const System& s) {
  const std::vector<std::uint64_t> all = s.pack_numbers();
  if (all.size() > most_packs)
    throw UserError("--samples: the GPU takes at most " + std::to_string(32 * (most_packs - 1)) +
                    " samples of rfim3d in one job; use fewer or --backend cpu.");
  DeviceArray<std::uint64_t> numbers(all.size());
  numbers.upload(all);
  return numbers;
}

TemperingShape shape_of(const System& s, const Slots& own, const DeviceArray<std::uint64_t>& pack_numbers) {
  const Lattice<3> lattice{static_cast<std::uint32_t>(s.L)};
  const std::size_t first = own.first > 0 ? own.first - 1 : 0, behind = std::min(own.first + own.count + 1, s.slots());
  return {lattice,
          lattice.sites_per_parity(),
          static_cast<std::uint32_t>(first),
          static_cast<std::uint32_t>(behind - first),
          static_cast<std::uint32_t>(pack_numbers.size()),
          pack_numbers.data()};
}

}  // namespace

Tempering::Tempering(const System& system, const Slots& own)
    : system_(system),
      own_(own),
      pack_numbers_(pack_numbers_of(system)),
      shape_(shape_of(system, own, pack_numbers_)),
      exchange_(make_exchange_table(system)) {
  for (const double beta : system.betas) thresholds_.push_back(make_field_thresholds(system, beta));
  allocate();
  const FourierTable table = make_fourier_table(system.L);
  cosine_.upload(table.cosine);
  sine_.upload(table.sine);
  weights_.upload(exchange_.weights);
  start();
}

void Tempering::allocate() {
  const std::size_t units = std::size_t{shape_.packs} * shape_.units(), lanes = shape_.lanes();
  spins_ = DeviceArray<std::uint32_t>(units * 2 * shape_.sites);
  fields_ = DeviceArray<std::uint32_t>(std::size_t{2} * shape_.packs * shape_.sites);
  masks_ = DeviceArray<std::uint32_t>(units);
  from_cold_ = DeviceArray<std::uint32_t>(units);
  from_hot_ = DeviceArray<std::uint32_t>(units);
  counts_ = DeviceArray<int>(32 * shape_.count_rows() * shape_.packs);
  accepted_ = DeviceArray<int>(lanes * shape_.units());
  round_trips_ = DeviceArray<int>(lanes * tempering_sets);
  cosine_ = DeviceArray<int>(shape_.lattice.L);
  sine_ = DeviceArray<int>(shape_.lattice.L);
  weights_ = DeviceArray<ExchangeWeights>(exchange_.weights.size());
  set_sums_ = DeviceArray<double>(lanes * shape_.units() * psflip::set_sums);
  pair_sums_ = DeviceArray<double>(lanes * shape_.slots * random_field_pair_sums);
  arrays_ = {shape_,
             spins_.data(),
             fields_.data(),
             masks_.data(),
             counts_.data(),
             {from_cold_.data(), from_hot_.data(), accepted_.data(), round_trips_.data()},
             {set_sums_.data(), pair_sums_.data()},
             cosine_.data(),
             sine_.data(),
             weights_.data() + shape_.first_slot,
             exchange_.shift};
}

void Tempering::start() {
  start_fields(arrays_, disorder_key(system_, Stream::fields));
  spins_.clear();
  if (system_.start == Start::random) start_spins(arrays_, trajectory_key(system_, Stream::initial_spins));
  std::vector<std::uint32_t> cold(from_cold_.size(), 0);
  for (std::uint32_t pack = 0; own_.first == 0 && pack < shape_.packs; ++pack)
    for (std::uint32_t set = 0; set < tempering_sets; ++set) cold[shape_.unit(pack, set)] = ~0u;
  from_cold_.upload(cold);
  from_hot_.clear();
  clear_sums();
}

void Tempering::clear_sums() {
  set_sums_.clear();
  pair_sums_.clear();
  accepted_.clear();
  round_trips_.clear();
}

void Tempering::start_rounds(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t round = first; round < first + count; ++round) {
    begin_round(nullptr);
    sweep(own_, round, nullptr);
    finish_round(round, nullptr);
  }
}

void Tempering::begin_round(cudaStream_t stream) { counts_.clear(stream); }

void Tempering::sweep(const Slots& slots, std::uint64_t round, cudaStream_t stream) {
  const auto half_sweeps = static_cast<std::uint32_t>(system_.round.half_sweeps);
  const SweepJob sweeps{spins_.data() + shape_.spins(0, 2 * slot_index(slots.first)),
                        fields_.data(),
                        shape_,
                        static_cast<std::uint32_t>(slots.first),
                        static_cast<std::uint32_t>(slots.count),
                        half_sweeps * static_cast<std::uint32_t>(round),
                        half_sweeps};
  const Key key = trajectory_key(system_, Stream::metropolis);
  with_field_scheme(thresholds_, [&]<class Scheme>() {
    start_sweeps<Scheme>(sweeps, key, thresholds_.data(), thresholds_.size(), stream);
  });
  const std::uint32_t unit = 2 * slot_index(slots.first), units = 2 * static_cast<std::uint32_t>(slots.count);
  start_energies(arrays_, unit, units, stream);
  if (system_.is_summed(round)) start_planes(arrays_, unit, units, stream);
}

void Tempering::finish_round(std::uint64_t round_number, cudaStream_t stream) {
  const auto round = static_cast<std::uint32_t>(round_number), odd = shape_.colder_parity(round);
  const std::uint32_t first = slot_index(own_.first), last = slot_index(own_.first + own_.count - 1);
  const bool measured = system_.is_summed(round_number);
  start_exchange(arrays_, trajectory_key(system_, Stream::exchange), round, stream);
  start_swaps(arrays_, first, last, odd, measured, stream);
  if (measured) start_sums(arrays_, first, last, odd, stream);
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

}  // namespace psflip::cuda
