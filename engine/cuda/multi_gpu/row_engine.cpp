#include <stdexcept>

#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/lattice_part.hpp"

namespace psflip::cuda {

namespace {

/// Between two exchanges of rows a rank does as many half sweeps as it has ghost rows on a side. It also updates
/// ghosts, one fewer in each half sweep. These half sweeps are one launch unless a measurement comes between, and the
/// time of an exchange is divided by their number. All ranks exchange rows at steps that are multiples of this number,
/// also after a restart, which renews the ghosts.
class RowEngine final : public LatticePart<RowLattices> {
 public:
  explicit RowEngine(std::unique_ptr<RowLattices> lattices)
      : LatticePart(std::move(lattices)), depth_(lattices_->memory().ghosts), stream_(false) {
    if (depth_ == 0) throw std::logic_error("rows without ghosts need no exchange");
    check(cudaDeviceSynchronize(), "start");
  }

  void finish_steps(std::size_t) override {
    device_.use();
    wait_for_streams();
  }

  /// Without ranks if that is possible: then the kernels of many exchanges wait in the stream.
  Halo halo(std::size_t, std::uint64_t h) override { return uses_ranks_after(h) ? exchange_.halo(buffer(h)) : Halo{}; }

  void update_outer(std::size_t, std::uint64_t h) override {
    steps_.add(h);
    if (!exchanges_after(h)) return;
    device_.use();
    launch();
    if (exchange_.is_direct()) return exchange_.exchange(lattices_->memory(), 0, stream_);
    exchange_.start(lattices_->memory(), buffer(h), stream_);
    exchange_.wait();
  }

  void update_inner(std::size_t, std::uint64_t, const std::function<void()>& poll) override { poll(); }

  void finish(std::size_t, std::uint64_t h) override {
    if (!uses_ranks_after(h)) return;
    device_.use();
    exchange_.accept(lattices_->memory(), buffer(h), stream_);
  }

 private:
  bool exchanges_after(std::uint64_t h) const { return (h + 1) % depth_ == 0; }
  bool uses_ranks_after(std::uint64_t h) const { return exchanges_after(h) && !exchange_.is_direct(); }
  std::uint32_t buffer(std::uint64_t h) const { return static_cast<std::uint32_t>((h / depth_) & 1u); }
  /// Starts the half sweeps of all steps since the last launch.
  void launch() const {
    const auto [first, count] = steps_.take();
    if (count > 0) lattices_->update_rows(first, count, static_cast<std::uint32_t>(first % depth_), stream_);
  }
  void wait_for_streams() const override {
    launch();
    stream_.wait();
  }

  std::uint32_t depth_;
  mutable CollectedSteps steps_;
  CudaStream stream_;
};

}  // namespace

std::unique_ptr<PartEngine> make_row_engine(std::unique_ptr<RowLattices> lattices) {
  return std::make_unique<RowEngine>(std::move(lattices));
}

}  // namespace psflip::cuda
