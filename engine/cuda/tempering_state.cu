#include "engine/cuda/tempering.cuh"

// Canonical order of Tempering.
namespace psflip::cuda {

SampleWords Tempering::where(std::size_t fields, std::size_t per_pack) const {
  const std::size_t sites = shape_.sites;
  return {shape_.lattice.L, 2 * sites, fields, per_pack, 2 * sites, sites, lane_of(0), system_.samples};
}

PackedSigns Tempering::packed_spins(std::size_t slot) const {
  const std::size_t first = shape_.spins(0, static_cast<std::uint32_t>(2 * slot));
  return rows_of_words(spins_.data() + first, where(tempering_sets, shape_.spins(1, 0)));
}

std::vector<std::int8_t> Tempering::fields() const {
  return unpack_signs(rows_of_words(fields_.data(), where(1, shape_.fields(1))));
}

void Tempering::restore_spins(std::size_t slot, const PackedSigns& spins) {
  const std::size_t first = shape_.spins(0, static_cast<std::uint32_t>(2 * slot));
  words_of_rows(spins, where(tempering_sets, shape_.spins(1, 0)), spins_.data() + first);
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
