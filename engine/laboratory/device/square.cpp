#include "engine/laboratory/device/square.hpp"

#include <cuda_fp16.h>
#include <curand.h>

#include <algorithm>
#include <stdexcept>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/square_kernels.hpp"
#include "engine/laboratory/ising2d/storage.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

void wait() { cuda::check(cudaDeviceSynchronize(), "kernel"); }

void check_curand(curandStatus_t status, const char* call) {
  if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error(call);
}

/// N arrays of a lattice: from the host, or filled with `value`.
template <class T, std::size_t N>
std::array<cuda::DeviceArray<T>, N> arrays_of(std::size_t size) {
  std::array<cuda::DeviceArray<T>, N> arrays;
  for (auto& array : arrays) array = cuda::DeviceArray<T>(size);
  return arrays;
}
template <class T, std::size_t N>
void upload(std::array<cuda::DeviceArray<T>, N>& arrays, const std::array<std::vector<T>, N>& host) {
  for (std::size_t i = 0; i < N; ++i) arrays[i].upload(host[i]);
}
template <class T, std::size_t N>
void fill_all(std::array<cuda::DeviceArray<T>, N>& arrays, T value) {
  for (auto& array : arrays) fill(array.data(), array.size(), value);
}
template <class T, std::size_t N>
std::array<std::vector<T>, N> download(const std::array<cuda::DeviceArray<T>, N>& arrays) {
  std::array<std::vector<T>, N> host;
  for (std::size_t i = 0; i < N; ++i) host[i] = arrays[i].template download<std::vector<T>>();
  return host;
}

/// Fills the array of basic with integers.
template <class Numbers>
class IntegerSource {
 public:
  IntegerSource(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L), rule_(square_thresholds(square.beta)), numbers_(numbers), random_(sites_of(square.L) / 2) {}

  void fill(std::uint64_t half_sweep) { fill_random(random_.data(), L_, half_sweep, numbers_); }
  const std::uint32_t* data() const { return random_.data(); }
  const SquareThresholds& rule() const { return rule_; }

 private:
  int L_;
  SquareThresholds rule_;
  Numbers numbers_;
  cuda::DeviceArray<std::uint32_t> random_;
};

/// The same with floats of cuRAND.
class FloatSource {
 public:
  FloatSource(const IsingSquare& square, std::uint64_t seed)
      : rule_{static_cast<float>(square.beta)}, random_(sites_of(square.L) / 2) {
    check_curand(curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10), "curandCreateGenerator");
    check_curand(curandSetPseudoRandomGeneratorSeed(generator_, seed), "curandSetPseudoRandomGeneratorSeed");
  }
  FloatSource(const FloatSource&) = delete;
  FloatSource& operator=(const FloatSource&) = delete;
  ~FloatSource() { curandDestroyGenerator(generator_); }

  void fill(std::uint64_t /*half_sweep*/) {
    check_curand(curandGenerateUniform(generator_, random_.data(), random_.size()), "curandGenerateUniform");
  }
  const float* data() const { return random_.data(); }
  const SingleRule& rule() const { return rule_; }

 private:
  SingleRule rule_;
  cuda::DeviceArray<float> random_;
  curandGenerator_t generator_ = nullptr;
};

template <class Source>
class Basic : public Variant {
 public:
  template <class Numbers>
  Basic(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L), source_(square, numbers), spins_(arrays_of<std::int8_t, 2>(sites_of(square.L) / 2)) {
    if (square.spins.empty())
      fill_all(spins_, std::int8_t{1});
    else
      upload(spins_, bytes_of_spins(square.spins, L_));
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_) {
      const std::size_t parity = half_sweep_ % 2;
      source_.fill(half_sweep_);
      update_bytes(spins_[parity].data(), spins_[1 - parity].data(), source_.data(), static_cast<int>(parity), L_,
                   source_.rule());
    }
  }
  std::vector<std::int8_t> spins() const override { return spins_of_bytes(download(spins_), L_); }
  double bytes() const override { return square_bytes_per_spin("basic") * static_cast<double>(sites_of(L_)); }

 private:
  int L_;
  Source source_;
  std::array<cuda::DeviceArray<std::int8_t>, 2> spins_;
  std::uint64_t half_sweep_ = 0;
};

template <class Numbers>
class FourBit : public Variant {
 public:
  FourBit(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers),
        words_(arrays_of<WordPair, 2>(sites_of(square.L) / (2 * spins_of_pair))) {
    constexpr std::uint64_t ones = 0x1111111111111111u;
    if (square.spins.empty())
      fill_all(words_, WordPair{{ones, ones}});
    else
      upload(words_, words_of_spins(square.spins, L_));
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_)
      update_words(words_[half_sweep_ % 2].data(), words_[1 - half_sweep_ % 2].data(), L_, half_sweep_, numbers_,
                   thresholds_);
  }
  std::vector<std::int8_t> spins() const override { return spins_of_words(download(words_), L_); }
  double bytes() const override { return square_bytes_per_spin("four_bit") * static_cast<double>(sites_of(L_)); }

 private:
  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::array<cuda::DeviceArray<WordPair>, 2> words_;
  std::uint64_t half_sweep_ = 0;
};

template <class Numbers>
class Tensor : public Variant {
 public:
  Tensor(const IsingSquare& square, const Numbers& numbers)
      : L_(square.L),
        thresholds_(square_thresholds(square.beta)),
        numbers_(numbers),
        matrices_(arrays_of<__half, 4>(sites_of(square.L) / 4)),
        sums_(sites_of(square.L) / 4) {
    if (square.spins.empty())
      fill_all(matrices_, __float2half(1));
    else
      upload(matrices_, matrices_of_spins<__half>(square.spins, L_));
  }

  void advance(std::uint64_t half_sweeps) override {
    TensorView<__half> view{{}, sums_.data(), L_};
    for (std::size_t m = 0; m < 4; ++m) view.matrices[m] = matrices_[m].data();
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_)
      for (int r = 0; r < 2; ++r) {
        const int matrix = matrix_of(r, static_cast<int>(half_sweep_ % 2));
        multiply(view, matrix);
        update_matrix(view, matrix, half_sweep_, numbers_, thresholds_);
      }
  }
  std::vector<std::int8_t> spins() const override { return spins_of_matrices(download(matrices_), L_); }
  double bytes() const override { return square_bytes_per_spin("tensor") * static_cast<double>(sites_of(L_)); }

 private:
  int L_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  std::array<cuda::DeviceArray<__half>, 4> matrices_;
  cuda::DeviceArray<__half> sums_;  ///< of the matrix that is updated
  std::uint64_t half_sweep_ = 0;
};

template <class Numbers>
std::unique_ptr<Variant> make(const std::string& name, const IsingSquare& square, const Numbers& numbers) {
  if (square.L < 4 || square.L % size_unit(name) != 0) throw std::invalid_argument(name + ": L of another unit");
  if (name == "basic") return std::make_unique<Basic<IntegerSource<Numbers>>>(square, numbers);
  if (name == "four_bit") return std::make_unique<FourBit<Numbers>>(square, numbers);
  return std::make_unique<Tensor<Numbers>>(square, numbers);
}

}  // namespace

std::unique_ptr<Variant> make_square(const std::string& name, const IsingSquare& square,
                                     const SequenceNumbers& numbers) {
  return make(name, square, numbers);
}
std::unique_ptr<Variant> make_square(const std::string& name, const IsingSquare& square,
                                     const AddressedSquareNumbers& numbers) {
  return make(name, square, numbers);
}
std::unique_ptr<Variant> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed) {
  return std::make_unique<Basic<FloatSource>>(square, seed);
}

double square_bytes_per_spin(const std::string& name) {
  if (name == "tensor") return sizeof(__half) * 1.25;  // and the sums of a quarter
  return bytes_per_spin(name);
}

double seconds_per_sweep(Variant& square, double sites, double seconds) {
  // Many sweeps of a small lattice: what the host does between two launches is not part of their time.
  const auto sweeps = static_cast<std::uint64_t>(std::clamp(1e9 / sites, 1.0, 256.0));
  return seconds_of(
             [&] {
               square.advance(2 * sweeps);
               wait();
             },
             seconds) /
         static_cast<double>(sweeps);
}

double free_memory() { return static_cast<double>(cuda::free_device_memory()); }

}  // namespace psflip::laboratory::device
