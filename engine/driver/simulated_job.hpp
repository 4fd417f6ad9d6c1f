#pragma once
#include <functional>

#include "engine/io/labelled_file.hpp"

namespace psflip {

/// A job of any model between its start and its measurement file: it runs in pieces, stops and goes on anywhere.
class SimulatedJob {
 public:
  virtual ~SimulatedJob() = default;

  /// Goes on until the job is finished or `should_stop` (asked several times a second) says so. Returns true when
  /// finished. `after_chunk` sees the simulation between two chunks of sweeps, for progress and checkpoints.
  virtual bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) = 0;

  virtual double flips_done() const = 0;
  virtual double flips_total() const = 0;
  virtual double seconds() const = 0;  ///< spent in run(), of all pieces of an interrupted job
  /// The time attributes of docs/file-format.md that the job can tell.
  virtual io::Attributes timings() const = 0;

  /// The labelled arrays of docs/file-format.md without provenance attributes. Only of a finished job, and once: the
  /// arrays leave the simulation without a copy.
  virtual io::LabelledFile measurement() = 0;
  /// Everything needed to go on: configuration, position, measurements so far.
  virtual io::LabelledFile checkpoint() const = 0;
  /// Goes on from a checkpoint of the same job; throws UserError when it belongs to another.
  virtual void resume(const io::LabelledFile& checkpoint) = 0;
};

}  // namespace psflip
