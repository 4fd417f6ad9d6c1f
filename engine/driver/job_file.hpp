#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/engine.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/methods/job.hpp"

/// Parts of measurement files and checkpoints that all jobs have.
namespace psflip {

/// 0, 1, ..., n - 1.
std::vector<std::int64_t> coordinates(std::size_t n);

/// Appends words of 32 signs under a name, in rows that zeros fill up, with axes of their own: an axis as long as all
/// of them would be larger than the signs.
void add_signs(io::LabelledFile& file, const std::string& name, std::vector<std::uint32_t> words);

/// The attributes of the measurement file of a job (docs/file-format.md), except provenance.
io::Attributes attributes_of(const Job& job);

/// Appends axes of length 1 with the values of L, h and p, as far as the model has them: programs that join files, such
/// as xarray, then keep systems apart.
void add_system_axes(io::LabelledFile& file, const System& system);

/// Appends saved spins, of one leg after the other [stop][slot][sample][replica][site], and the disorder, as far as
/// they are not empty.
void add_space(io::LabelledFile& file, const Job& job, const PackedSigns& spins, const PackedSigns& couplings,
               const PackedSigns& fields);

/// Throws UserError unless the checkpoint is of this job and of this version of the random numbers.
void require_same_job(const io::LabelledFile& checkpoint, const std::string& job);

}  // namespace psflip
