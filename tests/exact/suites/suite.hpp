#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/driver/engine.hpp"
#include "judgement.hpp"
#include "tests/exact/members.hpp"
#include "tests/exact/references/disorder.hpp"

/// The suite of one model and method: runs of small lattices of known disorder against exact averages.
namespace psflip::exact {

/// Means of one sample at one time, in one slot or in equilibrium, totals of the lattice. The overlaps are of two
/// independent replicas. A quantity that is not measured is NaN.
struct Means {
  double E = 0, E_2 = 0, M_2 = 0, Q_2 = 0, Q_l = 0;
};

/// [point][sample]; the points of a run are its times (relaxation), its slots (tempering), or one.
using PointMeans = std::vector<std::vector<Means>>;

/// Exact means of the samples of a system, of all points.
using ExactMeans = std::function<PointMeans(const System& system, const std::vector<Disorder>& disorder)>;

/// What the runs of a suite are made of.
struct Effort {
  std::size_t runs = 0;  ///< independent runs of the same samples: the rows of the comparisons
  std::uint64_t first_sample = 0, samples = 0;
  int replicas = 0;
  std::vector<std::uint64_t> times;  ///< of relaxation, in sweeps
  std::uint64_t warm_up = 0;         ///< of the other methods, in sweeps
  std::uint64_t measurements = 0;    ///< of the other methods, two sweeps apart
};

/// The fraction of negative bonds and the field of the systems of a suite, which follow from the traits of the preset.
struct Parameters {
  double p = 0.5, h = 0;
};

/// Whether some flip costs exactly nothing. On tiny lattices the states in which all local fields vanish are then never
/// left, nor reached from others, as such flips are always accepted.
bool has_free_flips(const System& system);

class Suite {
 public:
  Suite(const Member& member, int L, std::vector<double> betas, std::vector<Parameters> parameters, ExactMeans exact);

  /// Runs all systems with engines of `make`; the same systems have the same random numbers every time.
  Judgement run(const MakeEngine& make, const Effort& effort) const;

 private:
  System system(const Parameters& parameters, Start start, const Effort& effort) const;
  std::vector<Start> starts(const Parameters& parameters, const Effort& effort) const;
  Comparison compare(const System& system, const MakeEngine& make, const Effort& effort) const;
  PointMeans measure(const System& system, Engine& engine, const Effort& effort) const;

  Member member_;
  int L_;
  std::vector<double> betas_;
  std::vector<Parameters> parameters_;
  ExactMeans exact_;
};

/// CPU engines with the thresholds of the temperature; narrow words for few samples.
MakeEngine right_engines();
/// Engines of GivenThresholds, samples and disorder as of psflip. The acceptance probability of the moves with the
/// smallest dE > `above` is larger by `change`.
MakeEngine engines_with_changed_threshold(double change, double above = 0);

/// Engines in which all samples have the disorder of the first: many trajectories of one sample, with random numbers of
/// their own.
MakeEngine with_one_disorder(MakeEngine make);

}  // namespace psflip::exact
