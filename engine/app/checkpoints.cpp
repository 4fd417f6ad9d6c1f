#include "engine/app/checkpoints.hpp"

#include <algorithm>

#include "engine/app/say.hpp"
#include "engine/driver/pieces.hpp"

namespace psflip::app {

namespace {

constexpr const char* cost = "seconds_checkpointing";

}  // namespace

Checkpoints::Checkpoints(SimulatedJob& simulation, const Execution& execution)
    : simulation_(simulation), interval_(execution.checkpoint_interval), last_(now()) {
  if (execution.checkpoint) file_.emplace(*execution.checkpoint);
}

void Checkpoints::resume() {
  if (!file_) return;
  const auto found = file_->read([](const std::string& sentence) { say("{}\n", sentence); });
  if (!found) return;
  simulation_.resume(*found);
  // A checkpoint of an older version does not tell its cost.
  if (found->attributes.contains(cost)) seconds_ = found->real(cost);
  say("going on from {} at {:.1f} %\n", found->path.string(),
      100 * simulation_.flips_done() / simulation_.flips_total());
  last_ = now();
}

double Checkpoints::interval() const {
  // Unless a user says otherwise, ten minutes, or longer where a checkpoint takes long: then they cost 1 % of the time.
  return interval_.value_or(std::max(600.0, 100 * last_took_));
}

void Checkpoints::write_if_due() {
  if (file_ && now() - last_ >= interval()) write();
}

void Checkpoints::write() {
  if (!file_) return;
  const double start = now();
  io::LabelledFile checkpoint = simulation_.checkpoint();
  checkpoint.attributes[cost] = seconds_ + last_took_;  // the cost of this one is not known yet
  file_->write(checkpoint);
  last_ = now();
  last_took_ = last_ - start;
  seconds_ += last_took_;
}

void Checkpoints::remove() {
  if (file_) file_->remove();
}

}  // namespace psflip::app
