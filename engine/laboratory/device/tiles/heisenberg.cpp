#include "engine/laboratory/device/tiles/heisenberg.hpp"

#include <stdexcept>

#include "engine/cuda/device/array.hpp"
#include "engine/laboratory/device/tiles/heisenberg_kernels.hpp"

namespace psflip::laboratory::device {

namespace {

template <class Math, bool CONE>
class GpuHeisenberg : public HeisenbergLattice {
 public:
  using Real = typename Math::Real;

  explicit GpuHeisenberg(const HeisenbergPlan& plan)
      : step_{{nullptr, nullptr, nullptr, plan.L},
              plan.tile,
              plan.hits,
              heisenberg_key(plan.seed, Stream::metropolis, plan.L, plan.beta),
              {static_cast<Real>(plan.beta), static_cast<Real>(plan.cap)}},
        sums_(static_cast<std::size_t>(blocks_of_sums)) {
    const std::size_t sites = static_cast<std::size_t>(plan.L) * static_cast<std::size_t>(plan.L);
    for (auto& component : components_) component = cuda::DeviceArray<Real>(sites);
    step_.lattice = {components_[0].data(), components_[1].data(), components_[2].data(), plan.L};
    start_heisenberg<Math>(step_.lattice, heisenberg_key(plan.seed, Stream::initial_spins, plan.L, plan.beta));
  }

  void advance(std::uint64_t rounds) override {
    for (std::uint64_t end = round_ + rounds; round_ < end; ++round_)
      for (const int parity : {0, 1}) update_heisenberg<Math, CONE>(step_, parity, static_cast<std::uint32_t>(round_));
    cuda::check(cudaDeviceSynchronize(), "update of the Heisenberg model");
  }

  SpinSums sums() const override {
    sum_heisenberg(step_.lattice, sums_.data());
    SpinSums all;
    for (const SpinSums& sums : sums_.template download<std::vector<SpinSums>>()) all.add(sums);
    return all;
  }

  std::vector<double> spins() const override {
    std::vector<Real> host[3];
    for (std::size_t i = 0; i < 3; ++i) host[i] = components_[i].template download<std::vector<Real>>();
    std::vector<double> all;
    for (std::size_t site = 0; site < host[0].size(); ++site)
      all.insert(all.end(), {host[0][site], host[1][site], host[2][site]});
    return all;
  }

 private:
  HeisenbergStep<Real> step_;
  cuda::DeviceArray<Real> components_[3];
  mutable cuda::DeviceArray<SpinSums> sums_;  ///< of thread blocks
  std::uint64_t round_ = 0;
};

template <class Math>
std::unique_ptr<HeisenbergLattice> make(const HeisenbergPlan& plan) {
  if (plan.has_cone()) return std::make_unique<GpuHeisenberg<Math, true>>(plan);
  return std::make_unique<GpuHeisenberg<Math, false>>(plan);
}

}  // namespace

std::unique_ptr<HeisenbergLattice> make_heisenberg(const std::string& precision, const HeisenbergPlan& plan) {
  require_plan(plan);
  if (precision == "double") return make<Polynomial<double>>(plan);
  if (precision == "float") return make<Polynomial<float>>(plan);
  if (precision == "double_library") return make<Library<double>>(plan);
  if (precision == "float_library") return make<Library<float>>(plan);
  if (precision == gpu_precision) return make<Intrinsics>(plan);
  throw std::invalid_argument(precision + ": no precision of a GPU");
}

std::size_t shared_memory_of_block() {
  return static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

}  // namespace psflip::laboratory::device
