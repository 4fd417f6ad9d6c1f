#include "analysis/models/overlaps/histograms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/ensemble/fields.hpp"
#include "analysis/ensemble/simulated_model.hpp"

namespace psflip::analysis {
namespace {

std::vector<std::int64_t> link_slots_of(const io::LabelledFile& file) {
  return file.has_dataset("overlap_link_sums") ? file.values<std::int64_t>("link_overlap_slot")
                                               : std::vector<std::int64_t>();
}

/// Appends row `row` of [row][values of the samples of the file].
template <class T>
void append_row(const std::vector<T>& all, std::size_t row, std::size_t length, std::vector<T>& to) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * length);
  to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(length));
}

}  // namespace

void OverlapHistograms::start(const io::LabelledFile& file) {
  path_ = file.path;
  bins_ = io::size(file.axis("overlap_bin").values);
  temperatures_ = file.values<double>("temperature");
  link_slots_ = link_slots_of(file);
  link_place_.assign(slots(), -1);
  for (std::size_t i = 0; i < link_slots_.size(); ++i) {
    if (link_slots_[i] < 0 || link_slots_[i] >= std::ssize(temperatures_))
      throw UserError(
          fmt::format("Cannot use {}: it has sums of the link overlap in slot {}, which is not there; make "
                      "the file again.",
                      file.path.string(), link_slots_[i]));
    link_place_[static_cast<std::size_t>(link_slots_[i])] = static_cast<int>(i);
  }
  counts_.resize(slots());
  link_sums_.resize(link_slots_.size());
}

void OverlapHistograms::require_same(const io::LabelledFile& file) const {
  const auto refuse = [&](const char* what) {
    throw UserError(fmt::format("Cannot combine {} and {}: their {} differ; give the shards of one job.",
                                path_.string(), file.path.string(), what));
  };
  if (file.values<double>("temperature") != temperatures_) refuse("temperatures");
  if (io::size(file.axis("overlap_bin").values) != bins_) refuse("bins of the overlap");
  if (link_slots_of(file) != link_slots_) refuse("slots with sums of the link overlap");
}

/// Of the samples from `first` on: every sample was measured, and no mean of the link overlap in a bin exceeds 1.
void OverlapHistograms::require_possible(const io::LabelledFile& file, std::size_t first) const {
  const auto refuse = [&](std::size_t slot, std::size_t sample, const char* what) {
    throw UserError(fmt::format("Cannot use {}: its sample {} in slot {} {}; make the file again.", file.path.string(),
                                ids_[sample], slot, what));
  };
  const int dimension = find_preset(file.text("model"))->dimension;
  const double bonds = dimension * std::pow(static_cast<double>(file.integer("L")), dimension);
  for (std::size_t slot = 0; slot < slots(); ++slot)
    for (std::size_t sample = first; sample < samples(); ++sample) {
      const std::int32_t* of_sample = counts(slot, sample);
      if (std::all_of(of_sample, of_sample + bins_, [](std::int32_t count) { return count == 0; }))
        refuse(slot, sample, "has no measurement in the histogram of the overlap");
      for (std::size_t bin = 0; has_link_sums(slot) && bin < bins_; ++bin)
        if (std::abs(static_cast<double>(link_sums(slot, sample)[bin])) > bonds * of_sample[bin])
          refuse(slot, sample, "has an impossible sum of the link overlap");
    }
}

void OverlapHistograms::add(const io::LabelledFile& file) {
  if (!file.has_dataset("overlap_counts"))
    throw UserError(
        fmt::format("Cannot use {}: it has no histogram of the overlap; only exchange Monte Carlo of models "
                    "with random bonds counts one.",
                    file.path.string()));
  if (counts_.empty())
    start(file);
  else
    require_same(file);
  const auto& counts = field<std::int32_t>(file, "overlap_counts", {"temperature", "sample", "overlap_bin"});
  const auto& ids = file.values<std::int64_t>("sample");
  const std::size_t first = samples(), row = ids.size() * bins_;
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  for (std::size_t slot = 0; slot < slots(); ++slot) append_row(counts, slot, row, counts_[slot]);
  if (!link_slots_.empty()) {
    const auto& sums = field<std::int64_t>(file, "overlap_link_sums", {"link_overlap_slot", "sample", "overlap_bin"});
    for (std::size_t place = 0; place < link_sums_.size(); ++place) append_row(sums, place, row, link_sums_[place]);
  }
  require_possible(file, first);
}

}  // namespace psflip::analysis
