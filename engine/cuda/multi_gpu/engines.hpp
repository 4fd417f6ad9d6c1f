#pragma once
#include <memory>

#include "engine/cuda/lattice/lattices.hpp"
#include "engine/driver/memory/job_memory.hpp"
#include "engine/driver/part_engine.hpp"

/// Engines of one rank on one GPU.
namespace psflip::cuda {

/// Some planes of a System. All packs form one batch: the interior is one launch, and each side gets one message.
std::unique_ptr<PartEngine> make_plane_engine(std::unique_ptr<PlaneLattices> lattices);

/// Some rows of square lattices with packed sites. They are exchanged once in as many half sweeps as there are ghosts.
std::unique_ptr<PartEngine> make_row_engine(std::unique_ptr<RowLattices> lattices);

/// Some temperature slots of a System, all samples in one batch.
std::unique_ptr<PartEngine> make_slot_engine(const System& system, const Slots& own);
/// Bytes of the messages of such an engine, at most.
EngineBytes bytes_of_slot_messages(const System& system, const Slots& own);

}  // namespace psflip::cuda
