#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/multi_gpu/engines.hpp"
#include "engine/cuda/multi_gpu/lattice_part.hpp"

namespace psflip::cuda {

namespace {

/// The boundary of half sweep h is updated at the same time as the interior of h, on a stream of its own. Both need the
/// boundary and the interior of h - 1, but the interior needs no ghost: its update continues while planes are sent
/// between GPUs. Without the ranks, if that is possible: then the kernels of many half sweeps wait in the streams.
class PlaneEngine final : public LatticePart<PlaneLattices> {
 public:
  explicit PlaneEngine(std::unique_ptr<PlaneLattices> lattices)
      : LatticePart(std::move(lattices)), boundary_stream_(true), interior_stream_(false) {
    check(cudaDeviceSynchronize(), "start");
  }

  void finish_steps(std::size_t) override {
    device_.use();
    wait_for_streams();
  }

  Halo halo(std::size_t, std::uint64_t h) override {
    return exchange_.is_direct() ? Halo{} : exchange_.halo(static_cast<std::uint32_t>(h & 1u));
  }

  void update_outer(std::size_t, std::uint64_t h) override {
    const auto parity = static_cast<std::uint32_t>(h & 1u);
    device_.use();
    interior_done_.hold(boundary_stream_);
    boundary_done_.hold(interior_stream_);
    lattices_->update_boundary(h, at_each_end(), boundary_stream_);
    boundary_done_.set(boundary_stream_);
    if (exchange_.is_direct()) {
      exchange_.exchange(lattices_->memory(), parity, boundary_stream_);
    } else {
      exchange_.start(lattices_->memory(), parity, boundary_stream_);
    }
    lattices_->update_interior(h, at_each_end(), interior_stream_);
    interior_done_.set(interior_stream_);
    if (!exchange_.is_direct()) exchange_.wait();
  }

  /// The GPU has been updating the interior since update_outer(); this process only handles messages.
  void update_inner(std::size_t, std::uint64_t, const std::function<void()>& poll) override { poll(); }

  void finish(std::size_t, std::uint64_t h) override {
    if (exchange_.is_direct()) return;
    device_.use();
    exchange_.accept(lattices_->memory(), static_cast<std::uint32_t>(h & 1u), boundary_stream_);
  }

 private:
  /// Thick ends take less time, but messages start later. Short ones that also need the ranks would then arrive too
  /// late.
  std::uint32_t at_each_end() const {
    return exchange_.is_direct() || exchange_.is_long() ? lattices_->at_thick_ends() : 1;
  }
  void wait_for_streams() const override {
    interior_stream_.wait();
    boundary_stream_.wait();
  }

  CudaStream boundary_stream_, interior_stream_;
  CudaEvent boundary_done_, interior_done_;
};

}  // namespace

std::unique_ptr<PartEngine> make_plane_engine(std::unique_ptr<PlaneLattices> lattices) {
  return std::make_unique<PlaneEngine>(std::move(lattices));
}

}  // namespace psflip::cuda
