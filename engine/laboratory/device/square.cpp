#include "engine/laboratory/device/square.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine/cuda/device/streams.hpp"
#include "engine/laboratory/device/slabs/updates.hpp"
#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory::device {

namespace {

/// The work of one GPU on its slab. All members belong to the current device of their construction.
template <class Update>
struct Worker {
  template <class Numbers>
  Worker(int gpu, const RowRange& rows, double beta, const Numbers& numbers)
      : device(gpu), stream(false), update(rows, beta, numbers) {}

  int device;
  cuda::CudaStream stream;
  cuda::CudaEvent done[2];  ///< half sweeps of both parities
  Update update;
};

template <class Update>
class Slabs final : public SquareOnGpus {
 public:
  using Entry = typename Update::Entry;

  template <class Numbers>
  Slabs(const IsingSquare& square, const Numbers& numbers, const SlabPlan& plan) : L_(square.L), rows_(plan.rows) {
    if (plan.devices.size() > 1) {
      if (plan.memory == SlabMemory::peer)
        open_memory_of_neighbours(plan.devices);
      else
        require_managed_memory(plan.devices);
    }
    const int count = static_cast<int>(plan.devices.size());
    for (int i = 0; i < count; ++i) {
      const OnDevice on(plan.devices[static_cast<std::size_t>(i)]);
      workers_.push_back(std::make_unique<Worker<Update>>(plan.devices[static_cast<std::size_t>(i)],
                                                          rows_of_slab(L_, rows_, i, count), square.beta, numbers));
    }
    allocate(plan);
    if (square.spins.empty())
      start_ordered();
    else
      upload(Update::stored(square.spins, L_));
    wait();
  }

  void advance(std::uint64_t half_sweeps) override {
    for (const std::uint64_t end = half_sweep_ + half_sweeps; half_sweep_ < end; ++half_sweep_)
      for (std::size_t gpu = 0; gpu < workers_.size(); ++gpu) start_half_sweep(gpu);
  }
  void wait() const override {
    for (const auto& worker : workers_) {
      const OnDevice on(worker->device);
      cuda::check(cudaDeviceSynchronize(), "kernel");
    }
  }
  std::vector<std::int8_t> spins() const override {
    wait();
    std::array<std::vector<Entry>, Update::arrays> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = arrays_[i]->download();
    return Update::spins_of(all, L_);
  }
  double bytes() const override { return square_bytes_per_spin(Update::name) * L_ * rows_; }

 private:
  void allocate(const SlabPlan& plan) {
    const std::size_t lines = static_cast<std::size_t>(rows_ / Update::rows_of_line) / workers_.size();
    for (auto& array : arrays_)
      array = std::make_unique<SlabArray<Entry>>(Update::line_of(L_), lines, plan.devices, plan.memory);
  }

  void start_ordered() {
    for (std::size_t gpu = 0; gpu < workers_.size(); ++gpu) {
      const OnDevice on(workers_[gpu]->device);
      for (auto& array : arrays_) array->fill_slab(gpu, Update::up(), workers_[gpu]->stream);
    }
  }
  void upload(const std::array<std::vector<Entry>, Update::arrays>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) arrays_[i]->upload(all[i]);
  }

  /// Of one slab: after the previous half sweep of its neighbours, which wrote the rows that it reads and read those
  /// that it writes.
  void start_half_sweep(std::size_t gpu) {
    Worker<Update>& worker = *workers_[gpu];
    const OnDevice on(worker.device);
    const std::size_t count = workers_.size(), parity = half_sweep_ % 2;
    worker.update.prepare(half_sweep_, worker.stream);
    if (count > 1)
      for (const std::size_t other : {(gpu + count - 1) % count, (gpu + 1) % count})
        workers_[other]->done[1 - parity].hold(worker.stream);
    worker.update.update(arrays_, gpu, half_sweep_, worker.stream);
    if (count > 1) worker.done[parity].set(worker.stream);
  }

  int L_, rows_;
  std::vector<std::unique_ptr<Worker<Update>>> workers_;
  SlabArrays<Entry, Update::arrays> arrays_;
  std::uint64_t half_sweep_ = 0;
};

SlabPlan on_current_gpu(const IsingSquare& square) { return {{current_gpu()}, SlabMemory::peer, square.L}; }

void require_cut(const std::string& name, const IsingSquare& square, const SlabPlan& plan) {
  if (square.L < 4 || square.L % size_unit(name) != 0) throw std::invalid_argument(name + ": L of another unit");
  if (plan.devices.empty() || plan.rows % (rows_unit(name) * static_cast<int>(plan.devices.size())) != 0)
    throw std::invalid_argument(name + ": rows that cannot be cut into equal slabs");
}

template <class Numbers>
std::unique_ptr<SquareOnGpus> make(const std::string& name, const IsingSquare& square, const Numbers& numbers,
                                   const SlabPlan& plan) {
  require_cut(name, square, plan);
  if (name == "basic") return std::make_unique<Slabs<BytesUpdate<IntegerSource<Numbers>>>>(square, numbers, plan);
  if (name == "four_bit") return std::make_unique<Slabs<WordsUpdate<Numbers>>>(square, numbers, plan);
  return std::make_unique<Slabs<MatrixUpdate<Numbers>>>(square, numbers, plan);
}

}  // namespace

std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const SequenceNumbers& numbers) {
  return make(name, square, numbers, on_current_gpu(square));
}
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const AddressedSquareNumbers& numbers) {
  return make(name, square, numbers, on_current_gpu(square));
}
std::unique_ptr<SquareOnGpus> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed) {
  return make_basic_of_floats(square, seed, on_current_gpu(square));
}

std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const SequenceNumbers& numbers, const SlabPlan& plan) {
  return make(name, square, numbers, plan);
}
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const AddressedSquareNumbers& numbers, const SlabPlan& plan) {
  return make(name, square, numbers, plan);
}
std::unique_ptr<SquareOnGpus> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed,
                                                   const SlabPlan& plan) {
  require_cut("basic", square, plan);
  return std::make_unique<Slabs<BytesUpdate<FloatSource>>>(square, FloatSeed{seed}, plan);
}

double square_bytes_per_spin(const std::string& name) {
  if (name == "tensor") return sizeof(__half) * 1.25;  // and the sums of a quarter
  return bytes_per_spin(name);
}

double shared_bytes_per_spin(const std::string& name) {
  if (name == "basic") return 1;
  return name == "tensor" ? sizeof(__half) : square_bytes_per_spin(name);
}

double seconds_per_sweep(SquareOnGpus& square, double sites, double seconds) {
  // Many sweeps of a small lattice: what the host does between two launches is not part of their time.
  const auto sweeps = static_cast<std::uint64_t>(std::clamp(1e9 / sites, 1.0, 256.0));
  return seconds_of(
             [&] {
               square.advance(2 * sweeps);
               square.wait();
             },
             seconds) /
         static_cast<double>(sweeps);
}

double free_memory() { return static_cast<double>(cuda::free_device_memory()); }

}  // namespace psflip::laboratory::device
