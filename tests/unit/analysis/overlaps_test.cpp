#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "analysis/models/overlaps/table.hpp"
#include "engine/io/error.hpp"

// Distribution of the overlap and link overlap in its bins, from histograms of made-up samples.
namespace psflip::analysis {
namespace {

constexpr std::int64_t L = 4, N = 64, bonds = 192;
constexpr std::size_t bins = 63;

struct Sample {
  std::int64_t id;
  std::vector<std::int32_t> counts;
  std::vector<std::int64_t> links;
};

io::LabelledFile file_of(const std::vector<Sample>& samples, bool has_links = true) {
  io::LabelledFile file;
  file.path = "shard.h5";
  file.attributes = {{"model", std::string("ea3d")}, {"L", L}};
  std::vector<std::int64_t> ids, links;
  std::vector<std::int32_t> counts;
  for (const Sample& sample : samples) {
    ids.push_back(sample.id);
    counts.insert(counts.end(), sample.counts.begin(), sample.counts.end());
    links.insert(links.end(), sample.links.begin(), sample.links.end());
  }
  file.axes = {{"temperature", std::vector<double>{0.9}, "", ""},
               {"sample", ids, "", ""},
               {"overlap_bin", std::vector<double>(bins, 0.0), "", ""}};
  file.datasets = {{"overlap_counts", {"temperature", "sample", "overlap_bin"}, counts, "", ""}};
  if (!has_links) return file;
  file.axes.push_back({"link_overlap_slot", std::vector<std::int64_t>{0}, "", ""});
  file.datasets.push_back({"overlap_link_sums", {"link_overlap_slot", "sample", "overlap_bin"}, links, "", ""});
  return file;
}

/// Of samples with consecutive ids, in blocks of `size`.
Ensemble ensemble_of(std::size_t samples, std::size_t size) {
  Ensemble ensemble;
  ensemble.attributes = {
      {"model", std::string("ea3d")}, {"method", std::string("tempering")}, {"L", L}, {"start", std::string("random")}};
  ensemble.temperature = 0.9;
  ensemble.blocks.samples = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(samples / size), double(size));
  return ensemble;
}

std::vector<OverlapRow> table_of(const std::vector<io::LabelledFile>& files, std::size_t block) {
  OverlapHistograms histograms;
  for (const io::LabelledFile& file : files) histograms.add(file);
  return overlap_table(histograms, 0, ensemble_of(histograms.samples(), block));
}

/// A sample that is in each bin i with the probability weight[i] / sum of the weights on average over samples (the
/// probabilities of a sample have a Dirichlet distribution), and there has the link overlap mean_link(i) on average.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < bins; ++i) weight_.push_back(1 + 0.5 * std::cos(0.1 * (double(i) - 31)));
    total_ = std::accumulate(weight_.begin(), weight_.end(), 0.0);
  }
  double share(std::size_t bin) const { return weight_[bin] / total_; }
  static double mean_link(std::size_t bin) { return 0.3 + 0.5 * std::pow((double(bin) - 31) / 31, 2); }

  Sample sample(std::int64_t id) {
    std::vector<double> part;
    for (const double one : weight_) part.push_back(std::gamma_distribution(one)(random_));
    std::discrete_distribution<std::size_t> bin(part.begin(), part.end());
    Sample made{id, std::vector<std::int32_t>(bins, 0), {}};
    for (int i = 0; i < 400; ++i) ++made.counts[bin(random_)];
    const double shift = 0.1 * std::uniform_real_distribution<double>(-1, 1)(random_);
    for (std::size_t i = 0; i < bins; ++i)
      made.links.push_back(std::llround(bonds * made.counts[i] * (mean_link(i) + shift)));
    return made;
  }
  std::vector<Sample> samples(std::int64_t count) {
    std::vector<Sample> all;
    for (std::int64_t id = 0; id < count; ++id) all.push_back(sample(id));
    return all;
  }

 private:
  std::mt19937_64 random_;
  std::vector<double> weight_;
  double total_ = 0;
};

/// Each of the N + 1 values of q has the width 2 / N in the sum over P(q).
double density_of(double share, std::size_t bin) {
  double values = 0;
  for (std::int64_t Q = -N; Q <= N; Q += 2)
    values += std::size_t((Q + N + 1) * std::int64_t(bins) / (2 * (N + 1))) == bin ? 1 : 0;
  return share * double(N) / (2 * values);
}

void expect_same(double a, double b) { EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " and " << b; }

TEST(Overlaps, HaveTheirDefinitionsFromTheCountsOfEverySample) {
  const std::vector<Sample> samples = Generator(1).samples(8);
  const std::vector<OverlapRow> rows = table_of({file_of(samples)}, 8);
  ASSERT_EQ(rows.size(), bins);
  const auto share = [&](std::size_t i, std::size_t bin) { return samples[i].counts[bin] / 400.0; };
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t other = bins - 1 - bin;
    double mean = 0, mirror = 0, within = 0, links = 0;
    std::vector<double> even;
    for (std::size_t i = 0; i < 8; ++i) {
      mean += share(i, bin) / 8;
      mirror += share(i, other) / 8;
      for (std::size_t k = std::min(bin, other); k <= std::max(bin, other); ++k) within += share(i, k) / 8;
      links += double(samples[i].links[bin] + samples[i].links[other]) / (400.0 * bonds * 8);
      even.push_back(density_of((share(i, bin) + share(i, other)) / 2, bin));
    }
    std::sort(even.begin(), even.end());
    const OverlapRow& row = rows[bin];
    EXPECT_NEAR(row.q, (2 * double(bin) + 1) / 63 - 1, 1e-15);
    EXPECT_NEAR(row.density.value, density_of(mean, bin), 1e-12);
    EXPECT_NEAR(row.even.value, density_of((mean + mirror) / 2, bin), 1e-12);
    EXPECT_NEAR(row.within.value, within, 1e-12);
    EXPECT_NEAR(row.link.value, links / (mean + mirror), 1e-12);
    EXPECT_NEAR(row.quantiles[0], even[1] + 0.12 * (even[2] - even[1]), 1e-12);  // 0.16 x 7 = 1.12
    EXPECT_NEAR(row.quantiles[1], (even[3] + even[4]) / 2, 1e-12);
    EXPECT_NEAR(row.quantiles[2], even[5] + 0.88 * (even[6] - even[5]), 1e-12);  // 0.84 x 7 = 5.88
    EXPECT_TRUE(std::isnan(row.density.error)) << "of a single block";
    EXPECT_EQ(row.samples, 8);
    EXPECT_EQ(row.blocks, 1);
    EXPECT_FALSE(row.equilibrated.has_value());
  }
}

TEST(Overlaps, AreThoseOfOneFileForShardsInAnyOrder) {
  const std::vector<Sample> samples = Generator(2).samples(40);
  const auto part = [&](std::ptrdiff_t first, std::ptrdiff_t last) {
    return file_of({samples.begin() + first, samples.begin() + last});
  };
  const std::vector<OverlapRow> one = table_of({part(0, 40)}, 4),
                                three = table_of({part(25, 40), part(0, 7), part(7, 25)}, 4);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    for (auto estimate : {&OverlapRow::density, &OverlapRow::even, &OverlapRow::within, &OverlapRow::link}) {
      expect_same((one[bin].*estimate).value, (three[bin].*estimate).value);
      expect_same((one[bin].*estimate).error, (three[bin].*estimate).error);
    }
    EXPECT_EQ(one[bin].quantiles, three[bin].quantiles);
  }
}

TEST(Overlaps, CountEverySampleOnceHoweverLongItWas) {
  std::vector<Sample> samples = Generator(3).samples(4);
  const std::vector<OverlapRow> plain = table_of({file_of(samples)}, 1);
  for (std::int32_t& count : samples[2].counts) count *= 4;
  for (std::int64_t& link : samples[2].links) link *= 4;
  const std::vector<OverlapRow> longer = table_of({file_of(samples)}, 1);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    EXPECT_NEAR(plain[bin].density.value, longer[bin].density.value, 1e-12);
    EXPECT_NEAR(plain[bin].link.value, longer[bin].link.value, 1e-12);
  }
}

TEST(Overlaps, HaveNoLinkOverlapWhereThereAreNoSumsAndNoneWhereQNeverIs) {
  std::vector<Sample> samples = Generator(4).samples(4);
  EXPECT_TRUE(std::isnan(table_of({file_of(samples, false)}, 1)[31].link.value));
  for (Sample& sample : samples)
    for (const std::size_t bin : {0, 62}) sample.counts[bin] = sample.links[bin] = 0;
  const std::vector<OverlapRow> rows = table_of({file_of(samples)}, 1);
  EXPECT_TRUE(std::isnan(rows[0].link.value));
  EXPECT_EQ(rows[0].density.value, 0);
  EXPECT_FALSE(std::isnan(rows[31].link.error));
}

void expect_refused(const std::vector<io::LabelledFile>& files, const std::string& part) {
  try {
    table_of(files, 1);
    ADD_FAILURE() << "not refused: " << part;
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Overlaps, OfFilesWithoutHistogramsOrOfOtherSlotsAreRefused) {
  const std::vector<Sample> samples = Generator(5).samples(2);
  io::LabelledFile none = file_of(samples);
  none.datasets.clear();
  expect_refused({none}, "no histogram of the overlap");
  io::LabelledFile hotter = file_of(samples);
  hotter.axes[0].values = std::vector<double>{1.1};
  expect_refused({file_of(samples), hotter}, "their temperatures differ");
  expect_refused({file_of(samples), file_of(samples, false)}, "slots with sums of the link overlap differ");
  io::LabelledFile coarse = file_of(samples);
  coarse.axes[2].values = std::vector<double>(bins - 2, 0.0);
  expect_refused({file_of(samples), coarse}, "bins of the overlap differ");
  io::LabelledFile beyond = file_of(samples);
  beyond.axes[3].values = std::vector<std::int64_t>{1};
  expect_refused({beyond}, "slot 1, which is not there");
  std::vector<Sample> impossible = samples;
  impossible[1].links[31] = bonds * impossible[1].counts[31] + 1;
  expect_refused({file_of(impossible)}, "impossible sum of the link overlap");
  impossible = samples;
  impossible[0].counts.assign(bins, 0);
  impossible[0].links.assign(bins, 0);
  expect_refused({file_of(impossible)}, "no measurement");
}

/// Repeated data sets with known truth: one error covers it as often as a Gaussian deviation, up to what chance allows
/// in 1 of 10,000 cases on each side.
TEST(Overlaps, HaveErrorsThatCoverTheTruth) {
  constexpr int sets = 300;
  constexpr std::size_t watched[] = {3, 20, 31, 45};
  Generator generator(6);
  std::vector<std::array<int, 4>> covered(std::size(watched), std::array<int, 4>{});
  for (int set = 0; set < sets; ++set) {
    const std::vector<OverlapRow> rows = table_of({file_of(generator.samples(100))}, 1);
    for (std::size_t k = 0; k < std::size(watched); ++k) {
      const std::size_t bin = watched[k], other = bins - 1 - bin;
      double within = 0;
      for (std::size_t i = std::min(bin, other); i <= std::max(bin, other); ++i) within += generator.share(i);
      const double density = density_of(generator.share(bin), bin);
      const double truth[4] = {density, density, within, Generator::mean_link(bin)};
      const statistics::Estimate found[4] = {rows[bin].density, rows[bin].even, rows[bin].within, rows[bin].link};
      for (std::size_t i = 0; i < 4; ++i) covered[k][i] += std::abs(found[i].value - truth[i]) < found[i].error ? 1 : 0;
    }
  }
  const boost::math::binomial expected(sets, 0.6827);
  for (std::size_t k = 0; k < std::size(watched); ++k)
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_GE(covered[k][i], boost::math::quantile(expected, 1e-4)) << "bin " << watched[k] << ", column " << i;
      EXPECT_LE(covered[k][i], boost::math::quantile(boost::math::complement(expected, 1e-4)))
          << "bin " << watched[k] << ", column " << i;
    }
}

}  // namespace
}  // namespace psflip::analysis
