#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "engine/driver/engine.hpp"
#include "engine/driver/memory/arrays.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/methods/job.hpp"

namespace psflip {

/// Whether the arrays of a recorder are made, or only their bytes counted.
enum class Arrays { made, counted };

/// What a job measures, in the datasets of docs/file-format.md. The arrays exist from the start and are filled while
/// the simulation runs, so a checkpoint holds these arrays and the state of an engine.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Takes the measurement at stop number `stop` of leg number `leg`.
  virtual void record(std::size_t leg, std::size_t stop, const Reading& reading) = 0;
  /// Packs that the next leg continues, by their index in the job, increasing: the `count` slowest ones.
  virtual std::vector<std::uint64_t> slowest_packs(std::uint64_t count) const;
  /// Leg with some packs: the following records are of these packs, by their index in the job.
  virtual void continue_packs(const std::vector<std::uint64_t>& packs);

  const std::vector<io::Axis>& axes() const { return axes_; }
  const std::vector<io::Dataset>& datasets() const { return datasets_; }
  std::vector<io::Dataset> take_datasets() { return std::move(datasets_); }  ///< at the end; nothing can follow
  /// Takes back the arrays that a checkpoint has kept. Throws UserError if their shapes, types or values are not
  /// possible.
  void restore(const io::LabelledFile& checkpoint);

  /// Bytes of the axes and datasets, also if they are only counted.
  double bytes() const { return bytes_.bytes; }

 protected:
  explicit Recorder(Arrays arrays) : arrays_(arrays) {}

  /// Zeros; none if arrays are only counted.
  template <class T>
  std::vector<T> zeros(Shape shape) {
    std::vector<T> array;
    bytes_(array, shape);
    if (arrays_ == Arrays::made) MakeArrays()(array, shape);
    return array;
  }
  io::Axis sample_axis(const System& system);

  std::vector<io::Axis> axes_;
  std::vector<io::Dataset> datasets_;

 private:
  Arrays arrays_;
  CountArrays bytes_;
};

/// Relaxation: every measurement as it is. Equilibrium: sums of powers in equal bins. Tempering: the sums of the engine
/// in logarithmic bins.
std::unique_ptr<Recorder> make_recorder(const Job& job, Arrays arrays = Arrays::made);

/// Exchange rates of every pair of slots in the last bin of a tempering job: accepted over attempted exchanges, mean
/// over samples and replicas.
std::vector<double> exchange_rates(const Recorder& recorder);

}  // namespace psflip
