#include "engine/cuda/lattice/observer.hpp"

#include <algorithm>

#include "engine/models/tables.hpp"

namespace psflip::cuda {

namespace {

constexpr std::uint32_t largest_counts = 1u << 24;  // 64 MiB; larger jobs are measured in several batches

CountRows rows_of(const System& system) {
  const auto replicas = static_cast<std::uint32_t>(system.replicas), pairs = static_cast<std::uint32_t>(system.pairs());
  return {static_cast<std::uint32_t>(system.L), static_cast<std::uint32_t>(system.dimension()), replicas,
          system.measures(Integer::magnetization_k2) ? replicas : 0,
          system.measures(Integer::overlap) || system.measures(Integer::overlap_k2) ? pairs : 0};
}

}  // namespace

Observer::Observer(const System& system, const ModelKernels& kernels, const Layout& layout, std::uint32_t packs,
                   const Planes& planes)
    : system_(system),
      kernels_(kernels),
      layout_(layout),
      packs_(packs),
      planes_(planes),
      rows_(rows_of(system)),
      packs_at_once_(std::clamp(largest_counts / (rows_.count() * 32), 1u, std::min(packs, 65535u))),
      cosine_(layout.L),
      sine_(layout.L) {
  const FourierTable table = make_fourier_table(system.L);
  cosine_.upload(table.cosine);
  sine_.upload(table.sine);
  reserve(1);
  in_blocks_ = kernels.has_measure(job({}, 0, packs_));
  if (!in_blocks_) counts_ = DeviceArray<int>(std::size_t{packs_at_once_} * rows_.count() * 32);
}

void Observer::reserve(std::uint32_t intervals) {
  const std::size_t reduced = intervals * reduced_size(), counted = intervals * counted_size();
  if (measured_.size() < reduced) {
    measured_ = DeviceArray<std::int64_t>(reduced);
    host_ = PinnedArray<std::int64_t>(reduced);
  }
  if (sums_.size() < counted) {
    sums_ = DeviceArray<int>(counted);
    host_sums_ = PinnedArray<int>(counted);
  }
}

double Observer::bytes(const System& system, const Planes& planes, std::uint32_t intervals) {
  const double lanes = 32 * static_cast<double>(system.pack_count());
  double numbers = 0;
  for (const IntegerInfo& info : integer_table) {
    if (!system.measures(info.integer)) continue;
    const bool components = info.kind == Kind::fourier && planes.count < static_cast<std::uint32_t>(system.L);
    numbers += static_cast<double>(system.width(info.integer)) * (components ? 2 * system.dimension() : 1);
  }
  const double counts = std::min<double>(largest_counts, lanes * rows_of(system).count());
  return sizeof(int) * counts + sizeof(std::int64_t) * lanes * numbers * intervals;
}

bool Observer::is_counted(Integer integer) const {
  return system_.measures(integer) && has_sum_kernel(integer, system_.preset().has_random_field());
}

bool Observer::is_reduced(Integer integer) const {
  return system_.measures(integer) && !is_counted(integer) && integer != Integer::field_sum;
}

std::size_t Observer::size(Integer integer) const {
  if (!is_reduced(integer)) return 0;
  const bool components = info_of(integer).kind == Kind::fourier && !is_full_lattice();
  return system_.samples * system_.width(integer) * (components ? 2 * rows_.dimension : 1);
}

std::size_t Observer::reduced_size() const {
  std::size_t all = 0;
  for (const IntegerInfo& info : integer_table) all += size(info.integer);
  return all;
}

std::size_t Observer::counted_size(Integer integer) const {
  return is_counted(integer) ? system_.width(integer) * packs_ * 32 : 0;
}

std::size_t Observer::counted_size() const {
  std::size_t all = 0;
  for (const IntegerInfo& info : integer_table) all += counted_size(info.integer);
  return all;
}

Measured Observer::measured() {
  std::int64_t* next = measured_.data();
  std::int64_t* of[integer_count];
  for (std::size_t i = 0; i < integer_count; ++i) {
    const std::size_t numbers = intervals_ * size(integer_table[i].integer);
    of[i] = numbers > 0 ? next : nullptr;
    next += numbers;
  }
  const auto at = [&](Integer integer) { return of[static_cast<std::size_t>(integer)]; };
  return {at(Integer::bond_sum),
          at(Integer::magnetization),
          at(Integer::overlap),
          at(Integer::magnetization_k2),
          at(Integer::overlap_k2),
          !is_full_lattice(),
          32 * layout_.first_pack + system_.first_lane(),
          system_.samples};
}

MeasureJob Observer::job(const LatticeWords& words, std::uint32_t first, std::uint32_t packs) {
  MeasureJob job{
      {words.spins.current, words.couplings, words.fields, layout_, planes_, first, packs, rows_, counts_.data()},
      words.spins,
      cosine_.data(),
      sine_.data(),
      measured(),
      {}};
  int* counts = sums_.data();
  for (std::size_t i = 0; i < integer_count; ++i) {
    const Integer integer = integer_table[i].integer;
    if (is_counted(integer)) job.sums[i] = {static_cast<std::uint32_t>(system_.width(integer)), counts};
    counts += intervals_ * counted_size(integer);
  }
  return job;
}

void Observer::count_and_reduce(const LatticeWords& words) {
  if (sums_.size() > 0) sums_.clear();
  for (std::uint32_t first = 0; first < packs_; first += packs_at_once_) {
    const MeasureJob some = job(words, first, std::min(packs_at_once_, packs_ - first));
    kernels_.count(some.count);
    for (std::size_t i = 0; i < integer_count; ++i)
      if (some.sums[i].width > 0)
        kernels_.count_sum(some.count, integer_table[i].integer, some.sums[i].width, some.sums[i].counts);
    start_reduction(some.count, cosine_.data(), sine_.data(), some.out);
  }
}

void Observer::start(const LatticeWords& words) {
  copied_.wait();  // the memory is used again
  intervals_ = words.spins.intervals;
  reserve(intervals_);
  if (in_blocks_)
    kernels_.measure(job(words, 0, packs_));
  else
    count_and_reduce(words);
  is_measured_.set(nullptr);
  is_measured_.hold(copies_);
  const auto copy = [&](auto& to, auto& from, std::size_t size) {
    check(cudaMemcpyAsync(to.data(), from.data(), size * sizeof(*from.data()), cudaMemcpyDeviceToHost, copies_),
          "copy from the GPU");
  };
  copy(host_, measured_, intervals_ * reduced_size());
  if (sums_.size() > 0) copy(host_sums_, sums_, intervals_ * counted_size());
  copied_.set(copies_);
}

std::vector<std::int64_t> Observer::sums_of_counts(const IntegerInfo& info, const int* counts) const {
  const std::size_t width = system_.width(info.integer), lane = system_.first_lane();
  const auto sites = static_cast<std::int64_t>(system_.sites()) / system_.L * planes_.count;
  const std::int64_t values = sites * (info.over == Over::bonds ? system_.dimension() : 1);
  std::vector<std::int64_t> sums(system_.samples * width);
  for (std::size_t s = 0; s < system_.samples; ++s)
    for (std::size_t i = 0; i < width; ++i)
      sums[s * width + i] = values - 2 * counts[((lane + s) / 32 * width + i) * 32 + (lane + s) % 32];
  return sums;
}

void Observer::finish(std::uint32_t interval, Observation& o) {
  copied_.wait();
  const std::int64_t* from = host_.data();
  const int* counts = host_sums_.data();
  for (const IntegerInfo& info : integer_table) {
    if (is_counted(info.integer)) {
      o[info.integer] = sums_of_counts(info, counts + interval * counted_size(info.integer));
      counts += intervals_ * counted_size(info.integer);
    } else {
      const std::size_t numbers = size(info.integer);
      o[info.integer].assign(from + interval * numbers, from + (interval + 1) * numbers);
      from += intervals_ * numbers;
    }
  }
  if (system_.measures(Integer::field_sum) && !is_counted(Integer::field_sum))
    o[Integer::field_sum] = o[Integer::magnetization];
}

}  // namespace psflip::cuda
