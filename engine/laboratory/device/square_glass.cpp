#include "engine/laboratory/device/square_glass.hpp"

#include <limits>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/square_glass_kernels.hpp"
#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

constexpr std::uint32_t sweeps_of_launch = 100;

void wait() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

/// Between [group][place] of the host and the order of the GPU, which for bytes has groups side by side.
template <class E>
std::vector<E> transposed(const std::vector<E>& elements, std::size_t rows) {
  if (sizeof(E) > 1) return elements;
  const std::size_t columns = elements.size() / rows;
  std::vector<E> all(elements.size());
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      all[column * rows + row] = elements[row * columns + column];
  return all;
}

template <class E>
class DeviceSquareGlass {
 public:
  explicit DeviceSquareGlass(SquareGlass<E>& host)
      : host_(host), spins_(host.elements().size()), couplings_(host.couplings().size()) {
    spins_.upload(transposed(host.elements(), host.groups()));
    couplings_.upload(transposed(host.couplings(), host.groups()));
  }
  GlassArrays<E> arrays() {
    return {spins_.data(), couplings_.data(), host_.view(0).L, static_cast<std::uint32_t>(host_.groups())};
  }
  void download() { host_.elements() = transposed(spins_.template download<std::vector<E>>(), host_.sites()); }

 private:
  SquareGlass<E>& host_;
  cuda::DeviceArray<E> spins_, couplings_;
};

}  // namespace

template <class E>
std::vector<std::int8_t> glass_spins_after(const System& system, std::uint32_t half_sweeps,
                                           unsigned threads_per_block) {
  SquareGlass<E> glass(system);
  DeviceSquareGlass<E> on_gpu(glass);
  const Thresholds thresholds = square_glass_thresholds(system.betas[0], AddressedPhilox::most);
  sweep_addressed(on_gpu.arrays(), thresholds, glass_numbers(system, 0, 0).key, half_sweeps, threads_per_block);
  wait();
  on_gpu.download();
  return glass.spins();
}

template <class E>
GlassTime time_glass_sweep(const System& system, const std::string& generator, double seconds) {
  SquareGlass<E> glass(system);
  DeviceSquareGlass<E> on_gpu(glass);
  GlassTime best{0, std::numeric_limits<double>::infinity()};
  for_each_glass_generator([&]<class G>() {
    if (generator != G::name) return;
    const Thresholds thresholds = square_glass_thresholds(system.betas[0], G::most);
    for (const unsigned threads : {32u, 64u, 128u, 256u}) {
      const std::size_t count = glass_threads(on_gpu.arrays(), threads);
      cuda::DeviceArray<std::uint32_t> states(G::words * count);
      states.upload(states_of<G>(count, system.seed));
      const double passed = seconds_of(
          [&] {
            sweep_stateful<E, G>(on_gpu.arrays(), thresholds, states.data(), 2 * sweeps_of_launch, threads);
            wait();
          },
          seconds);
      if (passed / sweeps_of_launch < best.seconds) best = {threads, passed / sweeps_of_launch};
    }
  });
  return best;
}

#define PSFLIP_STORAGE(E)                                                                         \
  template std::vector<std::int8_t> glass_spins_after<E>(const System&, std::uint32_t, unsigned); \
  template GlassTime time_glass_sweep<E>(const System&, const std::string&, double);
PSFLIP_STORAGE(std::int8_t)
PSFLIP_STORAGE(std::uint32_t)
PSFLIP_STORAGE(std::uint64_t)
#undef PSFLIP_STORAGE

}  // namespace psflip::laboratory::device
