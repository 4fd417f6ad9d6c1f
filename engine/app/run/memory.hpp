#pragma once
#include "engine/app/run/backend.hpp"

namespace psflip::app {

/// Prints the memory of a job as JSON: docs/command-line.md, --print-memory.
void print_memory(const Job& job, const Backend& backend, const Execution& execution);

/// Throws UserError if a machine or a GPU has too little memory for the job. Called by all ranks together, before
/// anything large is allocated.
void require_memory(const Job& job, const Backend& backend, const Execution& execution);

}  // namespace psflip::app
