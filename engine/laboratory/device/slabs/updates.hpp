#pragma once
#include <cuda_fp16.h>
#include <curand.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "engine/laboratory/device/slabs/slab_array.hpp"
#include "engine/laboratory/ising2d/storage.hpp"
#include "engine/laboratory/ising2d/variant.hpp"

/// How a GPU updates its slab in each variant of the 2D Ising model. An update has the memory that only its GPU uses;
/// prepare() starts what needs no spins, update() the half sweep itself.
namespace psflip::laboratory::device {

template <class T, std::size_t N>
using SlabArrays = std::array<std::unique_ptr<SlabArray<T>>, N>;

inline std::size_t sites_of(const RowRange& rows) {
  return static_cast<std::size_t>(rows.L) * static_cast<std::size_t>(rows.count);
}

/// Fills the array of basic with integers.
template <class Numbers>
class IntegerSource {
 public:
  IntegerSource(const RowRange& rows, double beta, const Numbers& numbers)
      : rows_(rows), rule_(square_thresholds(beta)), numbers_(numbers), random_(sites_of(rows) / 2) {}

  void fill(std::uint64_t half_sweep, cudaStream_t stream) {
    fill_random(random_.data(), rows_, half_sweep, numbers_, stream);
  }
  const std::uint32_t* data() const { return random_.data(); }
  const SquareThresholds& rule() const { return rule_; }

 private:
  RowRange rows_;
  SquareThresholds rule_;
  Numbers numbers_;
  cuda::DeviceArray<std::uint32_t> random_;
};

/// Floats of cuRAND; the key of a slab is `seed` and its first row, so that slabs have numbers of their own.
struct FloatSeed {
  std::uint64_t seed;
};

/// The same with floats of cuRAND.
class FloatSource {
 public:
  FloatSource(const RowRange& rows, double beta, const FloatSeed& numbers)
      : rule_{static_cast<float>(beta)}, random_(sites_of(rows) / 2) {
    const std::uint64_t seed = numbers.seed + (static_cast<std::uint64_t>(rows.first) << 32);
    check_curand(curandCreateGenerator(&generator_, CURAND_RNG_PSEUDO_PHILOX4_32_10), "curandCreateGenerator");
    check_curand(curandSetPseudoRandomGeneratorSeed(generator_, seed), "curandSetPseudoRandomGeneratorSeed");
  }
  FloatSource(const FloatSource&) = delete;
  FloatSource& operator=(const FloatSource&) = delete;
  ~FloatSource() { curandDestroyGenerator(generator_); }

  void fill(std::uint64_t /*half_sweep*/, cudaStream_t stream) {
    if (stream != stream_) check_curand(curandSetStream(generator_, stream), "curandSetStream");
    stream_ = stream;
    check_curand(curandGenerateUniform(generator_, random_.data(), random_.size()), "curandGenerateUniform");
  }
  const float* data() const { return random_.data(); }
  const SingleRule& rule() const { return rule_; }

 private:
  static void check_curand(curandStatus_t status, const char* call) {
    if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error(call);
  }

  SingleRule rule_;
  cuda::DeviceArray<float> random_;
  curandGenerator_t generator_ = nullptr;
  cudaStream_t stream_ = nullptr;  ///< of the generator
};

template <class Source>
class BytesUpdate {
 public:
  using Entry = std::int8_t;  ///< of an array
  static constexpr std::size_t arrays = 2;
  static constexpr const char* name = "basic";
  static constexpr int rows_of_line = 1;  ///< rows of the lattice that have sites in a line
  static std::size_t line_of(int L) { return static_cast<std::size_t>(L / 2); }
  static Entry up() { return 1; }
  static std::array<Spins, 2> stored(const Spins& spins, int L) { return bytes_of_spins(spins, L); }
  static Spins spins_of(const std::array<Spins, 2>& all, int L) { return spins_of_bytes(all, L); }

  template <class Numbers>
  BytesUpdate(const RowRange& rows, double beta, const Numbers& numbers) : rows_(rows), source_(rows, beta, numbers) {}

  void prepare(std::uint64_t half_sweep, cudaStream_t stream) { source_.fill(half_sweep, stream); }
  void update(const SlabArrays<Entry, arrays>& spins, std::size_t gpu, std::uint64_t half_sweep, cudaStream_t stream) {
    const std::size_t parity = half_sweep % 2;
    update_bytes(spins[parity]->own(gpu), spins[1 - parity]->slab(gpu), source_.data(), static_cast<int>(parity), rows_,
                 source_.rule(), stream);
  }

 private:
  RowRange rows_;
  Source source_;
};

template <class Numbers>
class WordsUpdate {
 public:
  using Entry = WordPair;
  static constexpr std::size_t arrays = 2;
  static constexpr const char* name = "four_bit";
  static constexpr int rows_of_line = 1;
  static std::size_t line_of(int L) { return static_cast<std::size_t>(L / (2 * spins_of_pair)); }
  static Entry up() { return {{0x1111111111111111u, 0x1111111111111111u}}; }
  static std::array<Words, 2> stored(const Spins& spins, int L) { return words_of_spins(spins, L); }
  static Spins spins_of(const std::array<Words, 2>& all, int L) { return spins_of_words(all, L); }

  WordsUpdate(const RowRange& rows, double beta, const Numbers& numbers)
      : rows_(rows), thresholds_(square_thresholds(beta)), numbers_(numbers) {}

  void prepare(std::uint64_t /*half_sweep*/, cudaStream_t /*stream*/) {}
  void update(const SlabArrays<Entry, arrays>& words, std::size_t gpu, std::uint64_t half_sweep, cudaStream_t stream) {
    const std::size_t parity = half_sweep % 2;
    update_words(words[parity]->own(gpu), words[1 - parity]->slab(gpu), rows_, half_sweep, numbers_, thresholds_,
                 stream);
  }

 private:
  RowRange rows_;
  SquareThresholds thresholds_;
  Numbers numbers_;
};

template <class Numbers>
class MatrixUpdate {
 public:
  using Entry = __half;
  static constexpr std::size_t arrays = 4;
  static constexpr const char* name = "tensor";
  static constexpr int rows_of_line = 2 * block_side;
  static std::size_t line_of(int L) { return block_row_size(L); }
  static Entry up() { return __float2half(1); }
  static std::array<std::vector<Entry>, 4> stored(const Spins& spins, int L) {
    return matrices_of_spins<Entry>(spins, L);
  }
  static Spins spins_of(const std::array<std::vector<Entry>, 4>& all, int L) { return spins_of_matrices(all, L); }

  MatrixUpdate(const RowRange& rows, double beta, const Numbers& numbers)
      : rows_(rows), thresholds_(square_thresholds(beta)), numbers_(numbers), sums_(sites_of(rows) / 4) {}

  void prepare(std::uint64_t /*half_sweep*/, cudaStream_t /*stream*/) {}
  void update(const SlabArrays<Entry, arrays>& matrices, std::size_t gpu, std::uint64_t half_sweep,
              cudaStream_t stream) {
    std::array<Entry*, arrays> own{};
    std::array<Slab<Entry>, arrays> slabs{};
    for (std::size_t m = 0; m < arrays; ++m) {
      own[m] = matrices[m]->own(gpu);
      slabs[m] = matrices[m]->slab(gpu);
    }
    for (int r = 0; r < 2; ++r) {
      const MatrixView<Entry> view =
          view_of(own, slabs, sums_.data(), matrix_of(r, static_cast<int>(half_sweep % 2)), rows_);
      multiply(view, stream);
      update_matrix(view, half_sweep, numbers_, thresholds_, stream);
    }
  }

 private:
  RowRange rows_;
  SquareThresholds thresholds_;
  Numbers numbers_;
  cuda::DeviceArray<Entry> sums_;  ///< of the matrix that is updated
};

}  // namespace psflip::laboratory::device
