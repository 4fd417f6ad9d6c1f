#include "engine/cuda/tempering.cuh"

// Canonical order of Tempering.
namespace psflip::cuda {

namespace {

/// Position of site s = x + L (y + L z) in a configuration: parity, then compact index.
std::size_t place_of(const TemperingShape& shape, std::size_t s) {
  const std::size_t L = shape.lattice.L;
  return ((s % L + s / L % L + s / L / L) & 1u) * shape.sites + s / 2;
}

/// Copies the words of both sets of a slot, [pack][set][parity][site], from or to the spins of all units.
void copy_slot(std::uint32_t* to, std::size_t to_words, const std::uint32_t* from, std::size_t from_words,
               const TemperingShape& shape, cudaMemcpyKind kind) {
  const std::size_t slot_bytes = std::size_t{4} * 4 * shape.sites;
  check(cudaMemcpy2D(to, 4 * to_words, from, 4 * from_words, slot_bytes, shape.packs, kind), "copy of spins");
}

}  // namespace

std::vector<std::int8_t> Tempering::spins(std::size_t slot) const {
  const std::size_t N = system_.sites(), row = shape_.spins(1, 0), slot_words = 2 * N;
  std::vector<std::uint32_t> words(shape_.packs * slot_words);
  copy_slot(words.data(), slot_words, spins_.data() + slot * slot_words, row, shape_, cudaMemcpyDeviceToHost);
  std::vector<std::int8_t> out;
  out.reserve(system_.samples * slot_words);
  for (std::size_t sample = 0; sample < system_.samples; ++sample) {
    const std::size_t lane = lane_of(sample);
    for (std::size_t set = 0; set < tempering_sets; ++set) {
      const std::uint32_t* unit = words.data() + lane / 32 * slot_words + set * N;
      for (std::size_t s = 0; s < N; ++s)
        out.push_back((unit[place_of(shape_, s)] >> (lane % 32)) & 1u ? std::int8_t{-1} : std::int8_t{1});
    }
  }
  return out;
}

std::vector<std::int8_t> Tempering::fields() const {
  const std::size_t N = system_.sites();
  const std::vector<std::uint32_t> words = fields_.download();
  std::vector<std::int8_t> out;
  out.reserve(system_.samples * N);
  for (std::size_t sample = 0; sample < system_.samples; ++sample) {
    const std::size_t lane = lane_of(sample);
    for (std::size_t s = 0; s < N; ++s)
      out.push_back((words[lane / 32 * N + place_of(shape_, s)] >> (lane % 32)) & 1u ? std::int8_t{-1}
                                                                                     : std::int8_t{1});
  }
  return out;
}

void Tempering::restore_spins(std::size_t slot, const std::vector<std::int8_t>& spins) {
  const std::size_t N = system_.sites(), row = shape_.spins(1, 0), slot_words = 2 * N;
  std::vector<std::uint32_t> words(shape_.packs * slot_words, 0);
  auto spin = spins.begin();
  for (std::size_t sample = 0; sample < system_.samples; ++sample) {
    const std::size_t lane = lane_of(sample);
    for (std::size_t set = 0; set < tempering_sets; ++set) {
      std::uint32_t* unit = words.data() + lane / 32 * slot_words + set * N;
      for (std::size_t s = 0; s < N; ++s, ++spin)
        if (*spin < 0) unit[place_of(shape_, s)] |= 1u << (lane % 32);
    }
  }
  copy_slot(spins_.data() + slot * slot_words, row, words.data(), slot_words, shape_, cudaMemcpyHostToDevice);
}

std::vector<Journey> Tempering::journeys() const {
  const std::vector<std::uint32_t> cold = from_cold_.download(), hot = from_hot_.download();
  std::vector<Journey> out;
  for (std::uint32_t slot = 0; slot < shape_.slots; ++slot) {
    for (std::size_t sample = 0; sample < system_.samples; ++sample) {
      const std::size_t lane = lane_of(sample);
      for (std::uint32_t set = 0; set < tempering_sets; ++set) {
        const std::size_t unit = shape_.unit(static_cast<std::uint32_t>(lane / 32), 2 * slot + set);
        const bool from_cold = (cold[unit] >> (lane % 32)) & 1u, from_hot = (hot[unit] >> (lane % 32)) & 1u;
        out.push_back(from_cold ? Journey::from_cold : from_hot ? Journey::from_hot : Journey::none);
      }
    }
  }
  return out;
}

/// What the device holds of TemperingSums, in its order.
template <class Device, class Sums, class Copy>
void Tempering::for_each_sum(Device& device, Sums& sums, Copy copy) const {
  const std::size_t slots = shape_.slots, units = shape_.units(), samples = system_.samples, sets = tempering_sets,
                    lanes = shape_.lanes();
  const auto rows = [&](auto& mine, auto& all, std::size_t row_count, std::size_t row_sets) {
    for (std::size_t row = 0; row < row_count; ++row)
      for (std::size_t sample = 0; sample < samples; ++sample)
        for (std::size_t set = 0; set < row_sets; ++set)
          copy(mine[(row * row_sets + set) * lanes + lane_of(sample)], all[(row * samples + sample) * row_sets + set]);
  };
  static_assert(tempering_sets == 2);
  rows(device.set, sums.set, psflip::set_sums * units / sets, sets);
  rows(device.pair, sums.pair, psflip::pair_sums * slots, 1);
  rows(device.accepted, sums.accepted, slots - 1, sets);
  rows(device.round_trips, sums.round_trips, 1, sets);
}

TemperingSums Tempering::sums() const {
  const TemperingSums device{set_sums_.download(), pair_sums_.download(), accepted_.download(),
                             round_trips_.download()};
  TemperingSums all = empty_sums(system_);
  for_each_sum(device, all, [](const auto& mine, auto& out) { out = mine; });
  return all;
}

void Tempering::restore(std::uint64_t rounds, const std::vector<Journey>& journeys, const TemperingSums& sums) {
  rounds_ = rounds;
  TemperingSums device{std::vector<double>(set_sums_.size(), 0.0), std::vector<double>(pair_sums_.size(), 0.0),
                       std::vector<std::int32_t>(accepted_.size(), 0),
                       std::vector<std::int32_t>(round_trips_.size(), 0)};
  for_each_sum(device, sums, [](auto& mine, const auto& in) { mine = in; });
  set_sums_.upload(device.set);
  pair_sums_.upload(device.pair);
  accepted_.upload(device.accepted);
  round_trips_.upload(device.round_trips);
  std::vector<std::uint32_t> cold(from_cold_.size(), 0), hot(from_hot_.size(), 0);
  auto journey = journeys.begin();
  for (std::uint32_t slot = 0; slot < shape_.slots; ++slot) {
    for (std::size_t sample = 0; sample < system_.samples; ++sample) {
      const std::size_t lane = lane_of(sample);
      for (std::uint32_t set = 0; set < tempering_sets; ++set, ++journey) {
        const std::size_t unit = shape_.unit(static_cast<std::uint32_t>(lane / 32), 2 * slot + set);
        if (*journey == Journey::from_cold) cold[unit] |= 1u << (lane % 32);
        if (*journey == Journey::from_hot) hot[unit] |= 1u << (lane % 32);
      }
    }
  }
  from_cold_.upload(cold);
  from_hot_.upload(hot);
}

}  // namespace psflip::cuda
