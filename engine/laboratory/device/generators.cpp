#include "engine/laboratory/device/generators.hpp"

#include <curand.h>

#include <algorithm>
#include <stdexcept>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/generator_kernels.hpp"
#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

constexpr std::uint32_t seed = 5489;
constexpr unsigned fill_blocks = 1024, count_blocks = 64;
constexpr std::uint32_t numbers_per_thread = 1u << 15;
constexpr int launches = 10;

void wait() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

void check_curand(curandStatus_t status, const char* call) {
  if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error(call);
}

/// Table 2: numbers per second of `launch`, which counts those of all threads once.
template <class Launch>
double rate_of(Launch launch, double seconds) {
  const double passed = seconds_of(
      [&] {
        for (int i = 0; i < launches; ++i) launch();
        wait();
      },
      seconds);
  return launches * double{numbers_per_thread} * count_blocks * threads_per_block / passed;
}

template <class G>
GeneratorTime time_own(cuda::DeviceArray<float>& out, double seconds) {
  GeneratorTime time{G::name, "psflip", G::words * sizeof(std::uint32_t), double{fill_blocks} * threads_per_block};
  const std::size_t threads = std::size_t{fill_blocks} * threads_per_block;
  cuda::DeviceArray<std::uint32_t> states(threads * G::words);
  const double start = now();
  states.upload(states_of<G>(threads, seed));
  time.seconds_init = now() - start;
  time.numbers_filled = static_cast<double>(out.size());
  time.seconds_fill = seconds_of(
      [&] {
        fill<G>(states.data(), fill_blocks, out.data(), out.size());
        wait();
      },
      seconds);
  states.upload(states_of<G>(std::size_t{count_blocks} * threads_per_block, seed));
  cuda::DeviceArray<std::uint32_t> odd(std::size_t{count_blocks} * threads_per_block);
  odd.clear();
  time.numbers_per_second =
      rate_of([&] { count_odd<G>(states.data(), count_blocks, numbers_per_thread, odd.data()); }, seconds);
  return time;
}

/// Table 1 by the host interface of cuRAND.
void time_fill(GeneratorTime& time, curandRngType_t type, cuda::DeviceArray<float>& out, double seconds) {
  curandGenerator_t generator = nullptr;
  const double start = now();
  check_curand(curandCreateGenerator(&generator, type), "curandCreateGenerator");
  check_curand(curandSetPseudoRandomGeneratorSeed(generator, seed), "curandSetPseudoRandomGeneratorSeed");
  check_curand(curandGenerateSeeds(generator), "curandGenerateSeeds");
  wait();
  time.seconds_init = now() - start;
  time.numbers_filled = static_cast<double>(out.size());
  time.seconds_fill = seconds_of(
      [&] {
        check_curand(curandGenerateUniform(generator, out.data(), out.size()), "curandGenerateUniform");
        wait();
      },
      seconds);
  check_curand(curandDestroyGenerator(generator), "curandDestroyGenerator");
}

GeneratorTime time_curand(const char* name, curandRngType_t type, cuda::DeviceArray<float>& out, double seconds) {
  GeneratorTime time{name, "cuRAND"};
  time_fill(time, type, out, seconds);
  if (type == CURAND_RNG_PSEUDO_MT19937) return time;  // has no device interface
  CurandStates states(type == CURAND_RNG_PSEUDO_XORWOW ? Curand::xorwow : Curand::mtgp32, count_blocks);
  time.state_bytes = states.bytes_per_state();
  time.threads = double{count_blocks} * threads_per_block;
  cuda::DeviceArray<std::uint32_t> odd(std::size_t{count_blocks} * threads_per_block);
  odd.clear();
  time.numbers_per_second = rate_of([&] { states.count_odd(numbers_per_thread, odd.data()); }, seconds);
  return time;
}

}  // namespace

std::vector<GeneratorTime> time_generators(const std::vector<std::string>& names, std::size_t count, double seconds) {
  cuda::DeviceArray<float> out(count);
  std::vector<GeneratorTime> times;
  const auto is_named = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  for_each_generator([&]<class G>() {
    if (is_named(G::name)) times.push_back(time_own<G>(out, seconds));
  });
  if (is_named("mt19937")) times.push_back(time_curand("mt19937", CURAND_RNG_PSEUDO_MT19937, out, seconds));
  if (is_named("xorwow")) times.push_back(time_curand("xorwow", CURAND_RNG_PSEUDO_XORWOW, out, seconds));
  if (is_named("mtgp32")) times.push_back(time_curand("mtgp32", CURAND_RNG_PSEUDO_MTGP32, out, seconds));
  return times;
}

}  // namespace psflip::laboratory::device
