#include "engine/laboratory/device/tiles/tiles.hpp"

#include <cmath>
#include <stdexcept>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/launch.hpp"
#include "engine/laboratory/device/tiles/tile_kernels.hpp"
#include "engine/laboratory/multi_hit/rounds.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/multi_hit/tracking_times.hpp"

namespace psflip::laboratory::device {

namespace {

constexpr double least_seconds_of_timing = 0.3;
constexpr std::size_t most_measurements = std::size_t{1} << 16;  ///< between two copies to the host

void wait() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

/// The generator of the host with its states in the memory of the GPU. source() is for the next launch, advance() is
/// called after it with the numbers that a thread has taken, and the threads of a block.
template <class Word>
class LcgStates {
 public:
  template <class Host>
  explicit LcgStates(const Host& host) : states_(host.states().size()), a_(host.a()), c_(host.c()) {
    states_.upload(host.states());
  }
  LcgOfThreads<Word> source() { return {states_.data(), a_, c_}; }
  void advance(std::uint32_t /*numbers*/, std::uint32_t /*threads*/) {}

 private:
  cuda::DeviceArray<Word> states_;
  Word a_, c_;
};

class PhiloxAddresses {
 public:
  explicit PhiloxAddresses(const PhiloxOfThread& host) : keys_(host.key()) {}
  PhiloxOfThreads source() const { return {keys_, taken_}; }
  void advance(std::uint32_t numbers, std::uint32_t /*threads*/) { taken_ += numbers; }

 private:
  KeySchedule keys_;
  std::uint32_t taken_ = 0;
};

template <class Recurrence>
class SequenceStates {
 public:
  explicit SequenceStates(const NumbersOfBlock<Recurrence>& host) : states_(host.states().size()) {
    states_.upload(host.states());
  }
  SequenceOfBlocks<Recurrence> source() { return {states_.data(), next_}; }
  void advance(std::uint32_t numbers, std::uint32_t threads) {
    next_ = static_cast<std::uint32_t>((next_ + std::uint64_t{numbers} * threads) % Recurrence::words);
  }

 private:
  cuda::DeviceArray<std::uint32_t> states_;
  std::uint32_t next_ = 0;
};

LcgStates<std::uint32_t> on_gpu(const SkippingLcg<std::uint32_t>& host) { return LcgStates<std::uint32_t>(host); }
LcgStates<std::uint32_t> on_gpu(const SeededLcg<std::uint32_t>& host) { return LcgStates<std::uint32_t>(host); }
LcgStates<std::uint64_t> on_gpu(const SkippingLcg<std::uint64_t>& host) { return LcgStates<std::uint64_t>(host); }
LcgStates<std::uint64_t> on_gpu(const SeededLcg<std::uint64_t>& host) { return LcgStates<std::uint64_t>(host); }
PhiloxAddresses on_gpu(const PhiloxOfThread& host) { return PhiloxAddresses(host); }
template <class Recurrence>
SequenceStates<Recurrence> on_gpu(const NumbersOfBlock<Recurrence>& host) {
  return SequenceStates<Recurrence>(host);
}

std::size_t power(int side, int dimension) { return static_cast<std::size_t>(std::llround(std::pow(side, dimension))); }

/// f(numbers) with the generator of the plan on the host.
template <class F>
void with_host_numbers(const MultiHitPlan& plan, F f) {
  const int dimension = plan.preset->dimension;
  with_thread_generator(plan.generator, power(plan.L, dimension) / 4, power(plan.L / plan.tile, dimension) / 2,
                        plan.seed, f);
}

template <int D, class States>
class Tiles final : public DeviceTiles {
 public:
  Tiles(const MultiHitPlan& plan, const std::vector<std::int8_t>& spins, std::size_t measurements, States states)
      : states_(std::move(states)),
        spins_(spins.size()),
        energies_(measurements),
        magnetizations_(measurements),
        start_(TiledFerromagnet<D>(plan.L, plan.tile, spins, {}).energy()) {
    spins_.upload(spins);
    clear();
    view_ = {spins_.data(), static_cast<std::uint32_t>(plan.L), static_cast<std::uint32_t>(plan.tile),
             flip_thresholds<D>(plan.beta)};
    changes_ = cuda::DeviceArray<std::int64_t>(view_.blocks());
    changes_.clear();
  }

  void update(int parity, int hits, bool tracked) override {
    update_tiles(view_, states_.source(), parity, hits, tracked ? changes_.data() : nullptr);
    states_.advance(2 * static_cast<std::uint32_t>(hits), view_.pairs());
  }
  void measure(std::size_t index, bool with_magnetization) override {
    measure_tiles(changes_.data(), changes_.size(), spins_.data(), spins_.size(), energies_.data() + index,
                  with_magnetization ? magnetizations_.data() + index : nullptr);
  }
  std::vector<TileSums> take(std::size_t count) override {
    using Sums = std::vector<std::int64_t>;
    const Sums energies = energies_.template download<Sums>(), spins = magnetizations_.template download<Sums>();
    std::vector<TileSums> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = {start_ + energies[i], spins[i]};
    clear();
    return all;
  }
  std::vector<std::int8_t> spins() const override { return spins_.template download<std::vector<std::int8_t>>(); }

 private:
  void clear() {
    energies_.clear();
    magnetizations_.clear();
  }

  States states_;
  cuda::DeviceArray<std::int8_t> spins_;
  cuda::DeviceArray<std::int64_t> changes_;  ///< of the energy, by tiles of a parity
  cuda::DeviceArray<std::int64_t> energies_, magnetizations_;
  std::int64_t start_;
  TiledView<D> view_{};
};

std::unique_ptr<DeviceTiles> ordered_tiles(const MultiHitPlan& plan, std::size_t measurements) {
  return make_tiles(plan, std::vector<std::int8_t>(power(plan.L, plan.preset->dimension), 1), measurements);
}

/// Of measurement 0, which is that of the last state.
void require_counted(DeviceTiles& tiles, const MultiHitPlan& plan) {
  const TileSums found = tiles.take(1).front();
  with_dimension(*plan.preset, [&]<int D>() {
    const TiledFerromagnet<D> last(plan.L, plan.tile, tiles.spins(), {});
    if (found.energy != last.energy() || found.magnetization != last.magnetization())
      throw std::logic_error("the tracked energy or the magnetization on the GPU is not that of the state");
  });
}

}  // namespace

std::unique_ptr<DeviceTiles> make_tiles(const MultiHitPlan& plan, const std::vector<std::int8_t>& spins,
                                        std::size_t measurements) {
  std::unique_ptr<DeviceTiles> tiles;
  with_host_numbers(plan, [&](const auto& host) {
    with_dimension(*plan.preset, [&]<int D>() {
      auto states = on_gpu(host);
      tiles = std::make_unique<Tiles<D, decltype(states)>>(plan, spins, measurements, std::move(states));
    });
  });
  return tiles;
}

std::size_t tile_shared_bytes(const Preset& preset, int tile, const std::string& generator) {
  std::size_t words = 0;
  // A generator with one thread and block tells its type.
  with_thread_generator(generator, 1, 1, 1, [&](const auto& host) {
    using Source = decltype(on_gpu(host).source());
    words = tile_shared_words<Source>(power(tile + 2, preset.dimension));
  });
  return 4 * words;
}

std::size_t most_tile_shared_bytes() { return cuda::most_shared_bytes(); }

double free_tile_bytes() { return static_cast<double>(cuda::free_device_memory()); }

double tile_bytes(const Preset& preset, int L, int tile, const std::string& generator) {
  const double sites = std::pow(L, preset.dimension), blocks = std::pow(L / tile, preset.dimension) / 2;
  double bytes = sites + 8 * blocks + 16.0 * most_measurements;
  with_thread_generator(generator, 1, 1, 1, [&](const auto& host) {
    using Source = decltype(on_gpu(host).source());
    bytes += Source::shared_words > 0 ? 4.0 * Source::shared_words * blocks : 8 * sites / 4;
  });
  return bytes;
}

MultiHitSeries run_tiles(const MultiHitPlan& plan) {
  MultiHitSeries series;
  const auto tiles = ordered_tiles(plan, most_measurements);
  const double sites = sites_of(plan);
  const auto update = [&](int parity, int hits) { tiles->update(parity, hits); };
  do_sweeps(plan, plan.discarded, update, [] {});
  std::size_t count = 0;
  const auto take = [&] {
    for (const TileSums& sums : tiles->take(count)) {
      series.energy.push_back(static_cast<double>(sums.energy) / sites);
      series.magnetization.push_back(std::abs(static_cast<double>(sums.magnetization)) / sites);
    }
    count = 0;
  };
  do_sweeps(plan, plan.sweeps, update, [&] {
    tiles->measure(count++, true);
    if (count == most_measurements) take();
  });
  take();
  tiles->measure(0, true);
  require_counted(*tiles, plan);
  count_flips(series, plan);
  const double rounds = std::ceil(static_cast<double>(plan.sweeps) / plan.hits);
  series.seconds = rounds * device::time_tracking(plan, least_seconds_of_timing).tracked;
  return series;
}

TrackingTimes time_tracking(const MultiHitPlan& plan, double seconds) {
  const auto tiles = ordered_tiles(plan, 1);
  const auto tracked = [&](int parity, int hits) { tiles->update(parity, hits, true); };
  const auto untracked = [&](int parity, int hits) { tiles->update(parity, hits, false); };
  do_sweeps(plan, plan.discarded, untracked, [] {});
  wait();
  return best_times([&] { do_round(plan, tracked, [&] { tiles->measure(0, false); }); },
                    [&] { do_round(plan, untracked, [] {}); }, wait, seconds);
}

}  // namespace psflip::laboratory::device
