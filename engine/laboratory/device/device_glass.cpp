#include "engine/laboratory/device/device_glass.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/laboratory/device/mtgp32_kernels.hpp"
#include "engine/laboratory/layouts/timing.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

void wait() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

}  // namespace

template <class Layout>
DeviceGlass<Layout>::DeviceGlass(Glass<Layout>& host)
    : even_(host.words(0).size()), odd_(host.words(1).size()), couplings_(host.couplings().size()) {
  even_.upload(host.words(0));
  odd_.upload(host.words(1));
  couplings_.upload(host.couplings());
  view_ = host.view();
  view_.spins[0] = even_.data();
  view_.spins[1] = odd_.data();
  view_.couplings = couplings_.data();
}

template <class Layout>
void DeviceGlass<Layout>::download(Glass<Layout>& host) const {
  using Words = std::vector<std::uint32_t>;
  host.words(0) = even_.template download<Words>();
  host.words(1) = odd_.template download<Words>();
}

template <class Layout>
std::vector<std::int8_t> spins_after(const System& system, std::uint32_t half_sweeps, const Shape& shape) {
  Glass<Layout> glass(system);
  DeviceGlass<Layout> on_gpu(glass);
  const Thresholds thresholds = glass_thresholds(system.betas[0], AddressedNumbers::most);
  for (std::uint32_t h = 0; h < half_sweeps; ++h)
    update_addressed(static_cast<int>(h % 2), on_gpu.view(), glass.layout(), thresholds, metropolis_numbers(system, h),
                     shape);
  wait();
  on_gpu.download(glass);
  return glass.spins();
}

template <class Layout>
std::vector<std::int8_t> spins_after_mtgp32(const System& system, std::uint32_t half_sweeps, unsigned blocks,
                                            unsigned threads_per_block) {
  Glass<Layout> glass(system);
  DeviceGlass<Layout> on_gpu(glass);
  const Thresholds thresholds = glass_thresholds(system.betas[0], mtgp32_most);
  CurandStates states(Curand::mtgp32, blocks);
  for (std::uint32_t h = 0; h < half_sweeps; ++h)
    update_mtgp32(static_cast<int>(h % 2), on_gpu.view(), glass.layout(), thresholds, states, blocks,
                  threads_per_block);
  wait();
  on_gpu.download(glass);
  return glass.spins();
}

namespace {

/// Seconds of `half_sweep` of both parities.
double seconds_of_sweep(const std::function<void(int)>& half_sweep, double seconds) {
  return seconds_of(
      [&] {
        for (const int parity : {0, 1}) half_sweep(parity);
        wait();
      },
      seconds);
}

/// As many blocks as there are states for, or as the sites need.
template <class Layout>
BestTime time_mtgp32(const GlassView& view, const Layout& layout, double beta, double seconds) {
  const Thresholds thresholds = glass_thresholds(beta, mtgp32_most);
  BestTime best{{}, std::numeric_limits<double>::infinity()};
  for (const unsigned threads : {64u, 128u, 256u}) {
    static_assert(256 <= most_mtgp32_threads);
    const std::size_t sites = std::size_t{view.packs} * view.sites, needed = (sites + threads - 1) / threads;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(most_mtgp32_blocks, needed));
    CurandStates states(Curand::mtgp32, blocks);
    const double passed = seconds_of_sweep(
        [&](int parity) { update_mtgp32(parity, view, layout, thresholds, states, blocks, threads); }, seconds);
    const auto rounds = static_cast<unsigned>((needed + blocks - 1) / blocks);
    if (passed < best.seconds) best = {{threads, rounds}, passed};
  }
  return best;
}

}  // namespace

template <class Layout>
BestTime time_sweep(const System& system, const std::string& generator, double seconds) {
  Glass<Layout> glass(system);
  const DeviceGlass<Layout> on_gpu(glass);
  const GlassView view = on_gpu.view();
  if (generator == mtgp32_name) return time_mtgp32(view, glass.layout(), system.betas[0], seconds);
  BestTime best{{}, std::numeric_limits<double>::infinity()};
  const auto try_shape = [&](const Shape& shape, const std::function<void(int)>& half_sweep) {
    const double passed = seconds_of_sweep(half_sweep, seconds);
    if (passed < best.seconds) best = {shape, passed};
  };
  for (const unsigned threads : {64u, 128u, 256u, 512u}) {
    for (const unsigned sites : {1u, 2u, 4u}) {
      const Shape shape{threads, sites};
      if (generator == "none") try_shape(shape, [&](int parity) { stencil(parity, view, glass.layout(), shape); });
      std::uint32_t h = 0;
      const Thresholds addressed = glass_thresholds(system.betas[0], AddressedNumbers::most);
      if (generator == AddressedNumbers::name)
        try_shape(shape, [&](int parity) {
          update_addressed(parity, view, glass.layout(), addressed, metropolis_numbers(system, h++), shape);
        });
      for_each_stateful([&]<class G>() {
        if (generator != G::name) return;
        cuda::DeviceArray<std::uint32_t> states(G::words * shape.threads(view));
        seed_states<G>(states.data(), shape.threads(view));
        const Thresholds thresholds = glass_thresholds(system.betas[0], G::most);
        try_shape(shape, [&](int parity) {
          update_stateful<Layout, G>(parity, view, glass.layout(), thresholds, states.data(), shape);
        });
      });
    }
  }
  return best;
}

double copy_bandwidth() {
  constexpr std::size_t bytes = std::size_t{1} << 28;
  cuda::DeviceArray<std::uint8_t> from(bytes), to(bytes);
  const double passed = seconds_of(
      [&] {
        cuda::check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "copy");
        wait();
      },
      0.1);
  return 2 * static_cast<double>(bytes) / passed;
}

#define PSFLIP_LAYOUT(LAYOUT)                                                                                     \
  template class DeviceGlass<LAYOUT>;                                                                             \
  template std::vector<std::int8_t> spins_after<LAYOUT>(const System&, std::uint32_t, const Shape&);              \
  template std::vector<std::int8_t> spins_after_mtgp32<LAYOUT>(const System&, std::uint32_t, unsigned, unsigned); \
  template BestTime time_sweep<LAYOUT>(const System&, const std::string&, double);
PSFLIP_LAYOUT(Sliced)
PSFLIP_LAYOUT(Standard)
PSFLIP_LAYOUT(Bitwise)
#undef PSFLIP_LAYOUT

}  // namespace psflip::laboratory::device
