#include "engine/app/run/checkpoints.hpp"

#include <algorithm>

#include "engine/app/say.hpp"
#include "engine/driver/clock.hpp"

namespace psflip::app {

namespace {

constexpr const char* cost = "seconds_checkpointing";

}  // namespace

Checkpoints::Checkpoints(Simulation& simulation, const Execution& execution)
    : simulation_(simulation),
      ranks_(*execution.ranks),
      kept_(execution.checkpoint.has_value()),
      interval_(execution.checkpoint_interval),
      last_(now()) {
  if (kept_ && ranks_.is_first()) file_.emplace(*execution.checkpoint);
}

void Checkpoints::resume() {
  if (!kept_) return;
  std::optional<io::LabelledFile> found;
  if (file_) found = file_->read([](const std::string& sentence) { say("{}\n", sentence); });
  if (!ranks_.any(found.has_value())) return;
  io::LabelledFile checkpoint = found.value_or(io::LabelledFile{});
  ranks_.broadcast(checkpoint);
  simulation_.resume(checkpoint);
  // A checkpoint of an older version does not tell its cost.
  if (checkpoint.attributes.contains(cost)) seconds_ = checkpoint.real(cost);
  if (ranks_.is_first())
    say("continuing from {} at {:.1f} %\n", found->path.string(),
        100 * simulation_.flips_done() / simulation_.flips_total());
  last_ = now();
}

double Checkpoints::interval() const {
  // Unless a user says otherwise, ten minutes, or longer where a checkpoint takes long: then they cost 1 % of the time.
  return interval_.value_or(std::max(600.0, 100 * last_took_));
}

void Checkpoints::write_if_due() {
  if (kept_ && ranks_.any(ranks_.is_first() && now() - last_ >= interval())) write();
}

void Checkpoints::write() {
  if (!kept_) return;
  const double start = now();
  io::LabelledFile checkpoint = simulation_.checkpoint();
  checkpoint.attributes[cost] = seconds_ + last_took_;  // the cost of this one is not known yet
  if (file_) file_->write(checkpoint);
  last_ = now();
  last_took_ = last_ - start;
  seconds_ += last_took_;
}

void Checkpoints::remove() {
  if (file_) file_->remove();
}

}  // namespace psflip::app
