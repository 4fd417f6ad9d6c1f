#include "engine/laboratory/device/tiles/field_boxes.hpp"

#include <stdexcept>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/tiles/field_kernels.hpp"
#include "engine/laboratory/field_tiles/lcg_start.hpp"
#include "engine/laboratory/field_tiles/tempering.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

void wait_for_boxes() { cuda::check(cudaDeviceSynchronize(), "boxes_kernel"); }

/// `make_numbers(pointer)` gives States for an array of their states.
template <class States, class MakeNumbers>
class BoxesOf : public FieldBoxes {
 public:
  BoxesOf(const FieldLattice& first, const System& system, const TileBox& box,
          const std::vector<typename States::State>& states, MakeNumbers make_numbers)
      : box_(box),
        configurations_(system.slots()),
        spins_(configurations_ * first.spins.size()),
        fields_(first.fields.size()),
        thresholds_(configurations_),
        sums_(2 * configurations_),
        states_(states.size()),
        numbers_(make_numbers(states_.data())) {
    std::vector<std::int8_t> spins;
    for (std::size_t i = 0; i < configurations_; ++i) spins.insert(spins.end(), first.spins.begin(), first.spins.end());
    spins_.upload(spins);
    fields_.upload(first.fields);
    states_.upload(states);
    set_thresholds(make_field_thresholds(system));
    const FieldSums sums = counted_sums(first);
    std::vector<unsigned long long> all;
    for (std::size_t i = 0; i < configurations_; ++i)
      for (const std::int64_t sum : {sums.bonds, sums.fields}) all.push_back(static_cast<unsigned long long>(sum));
    sums_.upload(all);
  }

  void sweep(int hits) override {
    const FieldArrays arrays{static_cast<int>(configurations_), spins_.data(), fields_.data(), thresholds_.data(),
                             sums_.data()};
    for (const int parity : {0, 1}) update_boxes(arrays, box_, parity, hits, numbers_);
  }
  void set_thresholds(const std::vector<FieldThresholds>& of_configurations) override {
    thresholds_.upload(of_configurations);
  }
  std::vector<FieldSums> sums() const override {
    const auto all = sums_.template download<std::vector<unsigned long long>>();
    std::vector<FieldSums> sums;
    for (std::size_t i = 0; i < all.size(); i += 2)
      sums.push_back({static_cast<std::int64_t>(all[i]), static_cast<std::int64_t>(all[i + 1])});
    return sums;
  }
  std::vector<std::int8_t> spins(std::size_t configuration) const override {
    const auto all = spins_.template download<std::vector<std::int8_t>>();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(configuration * fields_.size());
    return {first, first + static_cast<std::ptrdiff_t>(fields_.size())};
  }

 private:
  TileBox box_;
  std::size_t configurations_;
  cuda::DeviceArray<std::int8_t> spins_, fields_;
  cuda::DeviceArray<FieldThresholds> thresholds_;
  cuda::DeviceArray<unsigned long long> sums_;
  cuda::DeviceArray<typename States::State> states_;
  States numbers_;
};

template <class States, class MakeNumbers>
std::unique_ptr<FieldBoxes> boxes_of(const FieldLattice& first, const System& system, const TileBox& box,
                                     const std::vector<typename States::State>& states, MakeNumbers make_numbers) {
  return std::make_unique<BoxesOf<States, MakeNumbers>>(first, system, box, states, make_numbers);
}

/// A configuration that lies in the memory of the GPU: its place there, and the sums of all.
struct PlaceOnDevice {
  std::size_t index;
  const std::vector<FieldSums>* all;

  const FieldSums& sums() const { return (*all)[index]; }
  void swap_spins(PlaceOnDevice& other) { std::swap(index, other.index); }
};

}  // namespace

std::unique_ptr<FieldBoxes> make_field_boxes(const FieldLattice& first, const System& system,
                                             const FieldTilePlan& plan) {
  const TileBox box{first.L, plan.side};
  const std::size_t threads =
      static_cast<std::size_t>(box.blocks(0)) * static_cast<std::size_t>(box.threads()) * system.slots();
  if (plan.generator == "lcg64") {
    const LcgStart start = lcg_start(threads, plan.seed);
    return boxes_of<LcgStates>(first, system, box, start.states, [&](std::uint64_t* states) {
      return LcgStates{states, start.a, start.c};
    });
  }
  if (plan.generator != "philox") throw std::invalid_argument(plan.generator + ": no such generator on a GPU");
  return boxes_of<PhiloxStates>(first, system, box, std::vector<std::uint32_t>(threads), [&](std::uint32_t* states) {
    return PhiloxStates{states, {plan.seed, 0}};
  });
}

int most_threads_of_block() { return cuda::attribute(cudaDevAttrMaxThreadsPerBlock); }

double boxes_field_seconds(const System& system, const FieldTilePlan& plan, double least) {
  const auto boxes = make_field_boxes(random_field_lattice(system.L, system.seed), system, plan);
  constexpr int sweeps = 16;  // the host does work between two launches that is no part of their time
  return seconds_of(
             [&] {
               for (int i = 0; i < sweeps; ++i) boxes->sweep(plan.hits);
               wait_for_boxes();
             },
             least) /
         sweeps;
}

double boxes_step_seconds(const System& system, const FieldTilePlan& plan, int interval, double least) {
  const auto boxes = make_field_boxes(random_field_lattice(system.L, system.seed), system, plan);
  std::vector<FieldSums> sums = boxes->sums();
  std::vector<PlaceOnDevice> places;
  for (std::size_t i = 0; i < system.slots(); ++i) places.push_back({i, &sums});
  FieldTempering<PlaceOnDevice> tempering(places, system, FieldExchange::temperatures, system.seed);
  std::vector<FieldThresholds> thresholds(system.slots());
  const auto sweep = [&](PlaceOnDevice& place, const FieldThresholds& of_slot, std::size_t slot) {
    thresholds[place.index] = of_slot;
    if (slot + 1 < system.slots()) return;
    boxes->set_thresholds(thresholds);
    for (int i = 0; i < interval; ++i) boxes->sweep(1);
    sums = boxes->sums();
  };
  return seconds_of([&] { tempering.step(1, sweep); }, least);
}

}  // namespace psflip::laboratory::device
