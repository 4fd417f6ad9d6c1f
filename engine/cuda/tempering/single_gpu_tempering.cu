#include "engine/cuda/tempering/engine.hpp"
#include "engine/cuda/tempering/tempering.cuh"

namespace psflip::cuda {

namespace {

/// A TemperingSystem on one GPU.
class SingleGpuTempering final : public TemperingEngine {
 public:
  explicit SingleGpuTempering(const TemperingSystem& system) : state_(system, {0, system.slots()}) {}

  std::uint64_t rounds() const override { return rounds_; }
  void advance(std::uint64_t rounds) override {
    for (std::uint64_t k = 0; k < rounds; ++k, ++rounds_) {
      state_.begin_round(nullptr);
      state_.sweep(state_.own(), rounds_, nullptr);
      state_.finish_round(rounds_, nullptr);
    }
    check(cudaDeviceSynchronize(), "rounds");
  }
  TemperingSums sums() const override { return state_.sums(); }
  void clear_sums() override { state_.clear_sums(); }
  PackedSigns packed_spins(std::size_t slot) const override { return state_.packed_spins(slot); }
  std::vector<FlowLabel> flow_labels() const override { return state_.flow_labels(); }
  std::vector<std::int8_t> fields() const override { return state_.fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override { state_.restore_spins(slot, spins); }
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override {
    state_.restore(flow_labels, sums);
    rounds_ = rounds;
  }

 private:
  Tempering state_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

std::unique_ptr<TemperingEngine> make_single_gpu_tempering(const TemperingSystem& system) {
  return std::make_unique<SingleGpuTempering>(system);
}

}  // namespace psflip::cuda
