#include "analysis/ensemble/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

std::string show(const io::Attributes& attributes, const std::string& name) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return "none";
  return std::visit([](const auto& value) { return fmt::format("{}", value); }, found->second);
}

void require_same(const Ensemble& a, const Ensemble& b, const std::string& name) {
  const std::string left = show(a.attributes, name), right = show(b.attributes, name);
  if (left != right)
    throw UserError(fmt::format("Cannot combine {} and {}: their {} differs ({} and {}); give files of one study only.",
                                a.path.string(), b.path.string(), name, left, right));
}

void require_same_job(const Ensemble& a, const Ensemble& b) {
  for (const std::string& name : identity()) require_same(a, b, name);
  require_same(a, b, "block_samples");
  if (a.moments != b.moments || a.measurements != b.measurements)
    throw UserError(
        fmt::format("Cannot combine {} and {}: they were measured at different times or in different bins; "
                    "give files of one study only.",
                    a.path.string(), b.path.string()));
}

void require_disjoint(const Ensemble& a, const Ensemble& b) {
  for (const SampleRange& x : a.ranges)
    for (const SampleRange& y : b.ranges) {
      const std::int64_t first = std::max(x.first, y.first);
      const std::int64_t last = std::min(x.first + x.count, y.first + y.count) - 1;
      if (first <= last)
        throw UserError(
            fmt::format("Cannot combine {} and {}: both hold the samples {} to {} at T = {}; leave one of them out.",
                        a.path.string(), b.path.string(), first, last, a.temperature));
    }
}

/// Groups of both, by id; sums of a group that lies in both are added. A quantity that only one has is left out.
Grouping add(const Grouping& a, const Grouping& b) {
  std::map<std::int64_t, double> samples;
  for (Eigen::Index i = 0; i < a.size(); ++i) samples[a.ids[i]] += a.samples[i];
  for (Eigen::Index i = 0; i < b.size(); ++i) samples[b.ids[i]] += b.samples[i];
  Grouping result;
  std::copy_if(a.names.begin(), a.names.end(), std::back_inserter(result.names),
               [&](const std::string& name) { return b.has(name); });
  result.samples.resize(std::ssize(samples));
  for (const auto& [id, count] : samples) {
    result.samples[std::ssize(result.ids)] = count;
    result.ids.push_back(id);
  }
  const auto column = [&](std::int64_t id) {
    return std::lower_bound(result.ids.begin(), result.ids.end(), id) - result.ids.begin();
  };
  for (const std::string& name : result.names) {
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(a[name].rows(), result.size());
    for (const Grouping* part : {&a, &b})
      for (Eigen::Index i = 0; i < part->size(); ++i) sums.col(column(part->ids[i])) += (*part)[name].col(i);
    result.sums.push_back(std::move(sums));
  }
  return result;
}

/// Both texts, lists with " / " in between.
std::string united(const std::string& a, const std::string& b) {
  std::set<std::string> items;
  for (std::string rest : {a, b}) {
    for (std::size_t end; (end = rest.find(" / ")) != std::string::npos; rest.erase(0, end + 3))
      items.insert(rest.substr(0, end));
    items.insert(rest);
  }
  return fmt::format("{}", fmt::join(items, " / "));
}

/// The attributes that both have in common, and their provenance: descriptions as lists, costs as sums, the mean speed
/// of a shard, the later date. Other attributes that differ are dropped.
io::Attributes joined(const io::Attributes& a, const io::Attributes& b) {
  io::Attributes result;
  for (const auto& [name, value] : a)
    if (const auto found = b.find(name); found != b.end() && found->second == value) result.emplace(name, value);
  const auto with_both = [&](const char* name, const auto& set) {
    if (a.contains(name) && b.contains(name)) set(result[name], a.at(name), b.at(name));
  };
  for (const char* name : {"code_version", "git_commit", "backend", "device", "instruction_set"})
    with_both(name, [](auto& to, const auto& x, const auto& y) {
      to = united(std::get<std::string>(x), std::get<std::string>(y));
    });
  with_both("created", [](auto& to, const auto& x, const auto& y) { to = std::max(x, y); });
  with_both("core_seconds",
            [](auto& to, const auto& x, const auto& y) { to = std::get<double>(x) + std::get<double>(y); });
  with_both("shards", [&](auto& to, const auto& x, const auto& y) {
    const auto m = std::get<std::int64_t>(x), n = std::get<std::int64_t>(y);
    to = m + n;
    with_both("ps_per_flip", [&](auto& mean, const auto& p, const auto& q) {
      const auto weight = [](std::int64_t count) { return static_cast<double>(count); };
      mean = (weight(m) * std::get<double>(p) + weight(n) * std::get<double>(q)) / weight(m + n);
    });
  });
  return result;
}

void join(Ensemble& a, const Ensemble& b) {
  require_disjoint(a, b);
  a.attributes = joined(a.attributes, b.attributes);
  a.ranges.insert(a.ranges.end(), b.ranges.begin(), b.ranges.end());
  a.ranges = joined(std::move(a.ranges));
  a.blocks = add(a.blocks, b.blocks);
  // Data of only some files do not represent all samples.
  for (Grouping Ensemble::*part : {&Ensemble::packs, &Ensemble::products})
    a.*part = (a.*part).size() > 0 && (b.*part).size() > 0 ? add(a.*part, b.*part) : Grouping{};
}

}  // namespace

std::vector<Ensemble> merge(std::vector<Ensemble> ensembles) {
  std::stable_sort(ensembles.begin(), ensembles.end(), [](const Ensemble& a, const Ensemble& b) {
    return std::pair(a.L(), a.temperature) < std::pair(b.L(), b.temperature);
  });
  std::vector<Ensemble> result;
  for (Ensemble& ensemble : ensembles) {
    if (!result.empty()) {
      for (const char* name : {"model", "method"}) require_same(result.back(), ensemble, name);
      if (result.back().L() == ensemble.L()) require_same_job(result.back(), ensemble);
    }
    if (!result.empty() && result.back().L() == ensemble.L() && result.back().temperature == ensemble.temperature)
      join(result.back(), ensemble);
    else
      result.push_back(std::move(ensemble));
  }
  return result;
}

void require_samples(const std::vector<Ensemble>& ensembles, const SampleRange& expected) {
  for (const Ensemble& ensemble : ensembles) {
    const std::vector<SampleRange>& have = ensemble.ranges;
    if (have.size() == 1 && have[0].first == expected.first && have[0].count == expected.count) continue;
    std::vector<std::string> list;
    for (const SampleRange& range : have) list.push_back(fmt::format("{}:{}", range.first, range.count));
    throw UserError(
        fmt::format("The samples {}:{} are expected at L = {}, T = {}, but the files hold {}; add the missing ones "
                    "or correct --expect-samples.",
                    expected.first, expected.count, ensemble.L(), ensemble.temperature, fmt::join(list, ", ")));
  }
}

}  // namespace psflip::analysis
