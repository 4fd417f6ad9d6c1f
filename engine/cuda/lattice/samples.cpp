#include "engine/cuda/lattice/samples.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/cuda/lattice/observer.hpp"
#include "engine/cuda/measure/sample_rows.hpp"
#include "engine/cuda/update/start.hpp"
#include "engine/driver/part_engine.hpp"
#include "engine/io/error.hpp"
#include "engine/models/tables.hpp"

namespace psflip::cuda {

namespace {

const ModelKernels& kernels_for(const Preset& preset) {
  const ModelKernels* kernels = with_named_traits(preset, []<class T>() { return &kernels_of<T>(); });
  if (kernels == nullptr)
    throw UserError("--backend cuda: the GPU has kernels for the named models only; use --backend cpu.");
  return *kernels;
}

/// Number of the first pack. The kernels simulate consecutive packs.
std::uint64_t first_of(const std::vector<std::uint64_t>& packs) {
  if (packs.back() - packs.front() + 1 != packs.size())
    throw UserError("packs " + std::to_string(packs.front()) + " to " + std::to_string(packs.back()) +
                    " are not all simulated: at one temperature the GPU takes consecutive packs; use --backend cpu.");
  return packs.front();
}

/// Words of some arrays of a number of packs.
double words_of_packs(double packs, std::uint32_t sites_of_parity, std::uint32_t arrays) {
  return 2 * packs * sites_of_parity * arrays;
}

/// How many intervals kernels of small lattices do at once at most. With more, the start of a kernel still takes less
/// of the time, but the arrays of spins after each interval take more memory. `words`: of such an array.
std::uint32_t most_intervals(double words) {
  constexpr double most = 16, most_words = 1u << 25;  // 128 MiB
  return static_cast<std::uint32_t>(std::clamp(1 + std::floor(most_words / words), 1.0, most));
}

/// Whether kernels may need a second array of spins: those of advance_cubic() with shared random numbers. Smaller
/// lattices stay in shared memory.
bool may_have_scratch(const System& system, const Planes& planes) {
  return system.preset().is_cubic_glass() && system.random == Random::shared && system.L > 32 &&
         planes.count == static_cast<std::uint32_t>(system.L);
}

template <int D>
class Samples final : public PlaneLattices {
 public:
  Samples(const System& system, const Planes& planes);

  std::uint64_t intervals_at_once() const override { return intervals_at_once_; }
  void start_rounds(std::uint64_t first, std::uint64_t count) override { start_intervals(first, {count}); }
  void start_intervals(std::uint64_t first, const Intervals& intervals) override;
  std::uint32_t at_thick_ends() const override {
    return system_.preset().is_cubic_glass() ? PlaneSegments::at_thick_ends(domain_.planes) : 1;
  }
  void update_boundary(std::uint64_t half_sweep, std::uint32_t at_each_end, cudaStream_t stream) override {
    update(half_sweep, PlaneSegments::boundary(domain_.planes, at_each_end), stream);
  }
  void update_interior(std::uint64_t half_sweep, std::uint32_t at_each_end, cudaStream_t stream) override {
    const PlaneSegments segments = PlaneSegments::interior(domain_.planes, at_each_end, slab_segment);
    if (segments.count > 0) update(half_sweep, segments, stream);
  }
  std::uint32_t numbers_of_side() const override {
    return kernels_.has_slab_sweeps(metropolis_) ? packs_ * SlabSweeps::columns_of(layout_.L) : 0;
  }
  std::uint32_t update_many(std::uint64_t first, std::uint32_t half_sweeps, const SlabNeighbours& neighbours,
                            cudaStream_t stream) override;
  PlaneMemory memory() override { return {spins_.data(), packs_, layout_.replicas, domain_.planes, plane()}; }
  void start_reading() override;
  void finish_reading(std::uint64_t interval, Reading& reading) override {
    observer_.finish(static_cast<std::uint32_t>(interval), reading.moment);
  }
  PackedSigns packed_spins(std::size_t) const override { return own_planes(spins_, layout_.replicas); }
  PackedSigns packed_couplings() const override;
  PackedSigns packed_fields() const override;
  void restore_spins(std::size_t, const PackedSigns& spins) override { restore(spins, layout_.replicas, spins_); }
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) override {
    if (system_.preset().has_random_bonds()) restore(couplings, D, couplings_);
    if (system_.preset().has_random_field()) restore(fields, 1, fields_);
  }

 private:
  DeviceArray<std::uint32_t> words_of(bool stored, std::uint32_t arrays) const;
  void fill(DeviceArray<std::uint32_t>& words, std::uint32_t arrays, const Key& key) const;
  void fill_couplings();
  /// Where the stored sites lie in the full lattice.
  Addresses addresses() const { return {domain_.plane(0) * plane(), domain_.lattice().sites_per_parity()}; }
  SlabJob slab_job(std::uint64_t half_sweep, const PlaneSegments& segments, cudaStream_t stream);
  void update(std::uint64_t half_sweep, const PlaneSegments& segments, cudaStream_t stream) {
    kernels_.update(slab_job(half_sweep, segments, stream), metropolis_);
  }
  std::uint32_t plane() const { return domain_.sites_in_plane() / 2; }
  std::uint32_t ghost_words() const { return domain_.ghosts * plane(); }  ///< before the first own site
  SampleWords where(std::size_t arrays, std::uint32_t first, std::uint32_t count) const;
  void restore(const PackedSigns& full, std::size_t arrays, DeviceArray<std::uint32_t>& words) const;
  /// Whether a kernel can store the spins after several intervals.
  bool has_snapshots() const {
    return domain_.ghosts == 0 && observer_.takes_intervals() && kernels_.has_snapshots(layout_, packs_, metropolis_);
  }
  /// The arrays of the last start_intervals() that was not measured yet.
  Snapshots snapshots() { return {spins_.data(), snapshots_.data(), spins_.size(), intervals_}; }
  PackedSigns own_planes(const DeviceArray<std::uint32_t>& words, std::size_t arrays) const {
    return rows_of_words(words.data() + ghost_words(), where(arrays, domain_.ghosts, domain_.planes));
  }

  System system_;
  const ModelKernels& kernels_;
  Domain<D> domain_;
  Layout layout_;  ///< sites: including the ghost planes
  std::uint32_t packs_;
  Metropolis metropolis_;
  DeviceArray<std::uint32_t> spins_, snapshots_, scratch_, couplings_, fields_, progress_, slab_progress_;
  std::uint32_t slab_half_sweeps_ = 0;  ///< that slab_progress_ counts
  DeviceArray<HaloPacket> halo_packets_;
  DeviceArray<uint4> row_packets_, queue_;
  PersistingCache cache_;
  Observer observer_;
  std::uint32_t intervals_at_once_ = 1, intervals_ = 1;  ///< at most; of snapshots()
};

template <int D>
Samples<D>::Samples(const System& system, const Planes& planes)
    : system_(system),
      kernels_(kernels_for(system.preset())),
      domain_(Lattice<D>{static_cast<std::uint32_t>(system.L)}, planes),
      layout_{domain_.L, domain_.stored_per_parity(), static_cast<std::uint32_t>(system.replicas),
              first_of(system.pack_numbers())},
      packs_(static_cast<std::uint32_t>(system.pack_numbers().size())),
      metropolis_{system.random == Random::shared, make_thresholds(system.betas[0], D),
                  make_field_thresholds(system, system.betas[0])},
      spins_(words_of(true, layout_.replicas)),
      couplings_(words_of(system.preset().has_random_bonds(), D)),
      fields_(words_of(system.preset().has_random_field(), 1)),
      progress_(packs_),
      observer_(system, kernels_, layout_, packs_, planes) {
  if (system.preset().has_random_bonds() && system.couplings == Couplings::bimodal) fill_couplings();
  if (system.preset().has_random_field()) fill(fields_, 1, disorder_key(system, Stream::fields));
  if (system.start == Start::random) fill(spins_, layout_.replicas, trajectory_key(system, Stream::initial_spins));
  if (has_snapshots()) intervals_at_once_ = most_intervals(static_cast<double>(spins_.size()));
}

/// Memory for some arrays of every pack, all bits zero: spins +1, bonds ferromagnetic.
template <int D>
DeviceArray<std::uint32_t> Samples<D>::words_of(bool stored, std::uint32_t arrays) const {
  DeviceArray<std::uint32_t> words(stored ? static_cast<std::size_t>(words_of_packs(packs_, layout_.sites, arrays))
                                          : 1);
  words.clear();
  return words;
}

template <int D>
void Samples<D>::fill(DeviceArray<std::uint32_t>& words, std::uint32_t arrays, const Key& key) const {
  Layout layout = layout_;
  layout.replicas = arrays;
  start_words(words.data(), layout, packs_, addresses(), key);
}

template <int D>
void Samples<D>::fill_couplings() {
  const Key key = disorder_key(system_, Stream::couplings);
  if (system_.p == 0.5) return fill(couplings_, D, key);
  Layout layout = layout_;
  layout.replicas = D;
  start_bonds(couplings_.data(), layout, packs_, addresses(), key, bond_threshold(system_));
}

template <int D>
void Samples<D>::start_intervals(std::uint64_t first, const Intervals& intervals) {
  const std::uint64_t half_sweeps = system_.round.half_sweeps;
  intervals_ = static_cast<std::uint32_t>(intervals.count);
  if (snapshots_.size() < (intervals_ - 1) * spins_.size())
    snapshots_ = DeviceArray<std::uint32_t>((intervals_at_once_ - 1) * spins_.size());
  const PackJob job{spins_,
                    snapshots(),
                    scratch_,
                    couplings_.data(),
                    fields_.data(),
                    layout_,
                    packs_,
                    trajectory_key(system_, Stream::metropolis),
                    static_cast<std::uint32_t>(first * half_sweeps),
                    static_cast<std::uint32_t>(intervals.all_rounds() * half_sweeps),
                    0,
                    progress_,
                    halo_packets_,
                    row_packets_,
                    queue_,
                    cache_};
  if (kernels_.advance(job, metropolis_)) std::swap(spins_, scratch_);
}

template <int D>
void Samples<D>::start_reading() {
  Snapshots spins = snapshots();
  spins.current += ghost_words();
  observer_.start({spins, couplings_.data() + ghost_words(), fields_.data() + ghost_words()});
  intervals_ = 1;
}

template <int D>
SlabJob Samples<D>::slab_job(std::uint64_t half_sweep, const PlaneSegments& segments, cudaStream_t stream) {
  return {spins_.data(),
          couplings_.data(),
          fields_.data(),
          layout_,
          {domain_.first, domain_.planes},
          segments,
          packs_,
          trajectory_key(system_, Stream::metropolis),
          static_cast<std::uint32_t>(half_sweep),
          0,
          stream};
}

template <int D>
std::uint32_t Samples<D>::update_many(std::uint64_t first, std::uint32_t half_sweeps, const SlabNeighbours& neighbours,
                                      cudaStream_t stream) {
  const PlaneSegments segments = slab_segments(domain_.planes, layout_.L, packs_);
  const std::size_t words = SlabSweeps::words(layout_.L, packs_, segments.count);
  if (slab_progress_.size() < words) {
    slab_progress_ = DeviceArray<std::uint32_t>(words);
    slab_progress_.clear(stream);
  }
  SlabSweeps sweeps(layout_.L, packs_, segments.count, slab_progress_.data());
  sweeps.first = static_cast<std::uint32_t>(first);
  sweeps.count = half_sweeps;
  sweeps.before = slab_half_sweeps_;
  slab_half_sweeps_ = kernels_.update_many(slab_job(first, segments, stream), sweeps, neighbours, metropolis_);
  return slab_half_sweeps_;
}

/// The words of stored planes `first` ... `first + count - 1`; configurations begin at plane `first`.
template <int D>
SampleWords Samples<D>::where(std::size_t arrays, std::uint32_t first, std::uint32_t count) const {
  const std::size_t sites = layout_.sites;
  return {layout_.L,
          std::size_t{count} * domain_.sites_in_plane(),
          arrays,
          2 * arrays * sites,
          sites,
          arrays * sites,
          system_.first_lane(),
          system_.samples,
          domain_.plane(first) & 1u};
}

template <int D>
PackedSigns Samples<D>::packed_couplings() const {
  return system_.preset().has_random_bonds() ? own_planes(couplings_, D) : PackedSigns();
}

template <int D>
PackedSigns Samples<D>::packed_fields() const {
  return system_.preset().has_random_field() ? own_planes(fields_, 1) : PackedSigns();
}

/// From rows of the full lattice.
template <int D>
void Samples<D>::restore(const PackedSigns& full, std::size_t arrays, DeviceArray<std::uint32_t>& words) const {
  PackedSigns stored(full.rows, std::size_t{domain_.stored_planes()} * domain_.sites_in_plane());
  for (std::size_t row = 0; row < full.rows; ++row) copy_stored_planes(full.row(row), domain_, stored.row(row));
  words_of_rows(stored, where(arrays, 0, domain_.stored_planes()), words.data());
}

}  // namespace

double bytes_of_samples(const System& system, const Planes& planes) {
  const Preset& preset = system.preset();
  const auto replicas = static_cast<std::uint32_t>(system.replicas), D = static_cast<std::uint32_t>(preset.dimension);
  const auto packs = static_cast<double>(system.pack_count());
  const double spins = packs * replicas * static_cast<double>(system.sites());
  const bool may_have_snapshots = !preset.has_random_bonds() && planes.count == static_cast<std::uint32_t>(system.L);
  const std::uint32_t intervals = may_have_snapshots ? most_intervals(spins) : 1;
  const std::uint32_t arrays = (intervals + (may_have_scratch(system, planes) ? 1 : 0)) * replicas +
                               (preset.has_random_bonds() ? D : 0) + (preset.has_random_field() ? 1 : 0);
  const double words = with_dimension(preset, [&]<int dimension>() {
    const Domain<dimension> domain(Lattice<dimension>{static_cast<std::uint32_t>(system.L)}, planes);
    const double in_message = packs * replicas * domain.ghosts * domain.sites_in_plane() / 2;
    return words_of_packs(packs, domain.stored_per_parity(), arrays) + copies_of_message * in_message;
  });
  return sizeof(std::uint32_t) * words + Observer::bytes(system, planes, intervals);
}

std::unique_ptr<PlaneLattices> make_samples(const System& system, const Planes& planes) {
  return with_dimension(system.preset(), [&]<int D>() -> std::unique_ptr<PlaneLattices> {
    return std::make_unique<Samples<D>>(system, planes);
  });
}

}  // namespace psflip::cuda
