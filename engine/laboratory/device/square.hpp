#pragma once
#include "engine/laboratory/device/slabs/plan.hpp"
#include "engine/laboratory/ising2d/variant.hpp"

/// The variants of the 2D Ising model in the memory of a GPU, or in slabs of rows on several.
namespace psflip::laboratory::device {

/// A lattice on GPUs. advance() does not wait for them.
class SquareOnGpus : public Variant {
 public:
  virtual void wait() const = 0;
};

/// As make_variant() of the CPU, on the current GPU. Without spins all start as +1.
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const SequenceNumbers& numbers);
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const AddressedSquareNumbers& numbers);

/// basic as in the paper: cuRAND fills an array with floats before each half sweep (Philox4x32-10, host interface).
std::unique_ptr<SquareOnGpus> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed);

/// The same in slabs: section 4 of Romero et al. (2020). A half sweep of a slab begins after the previous half sweep of
/// both neighbours, whose outer rows it reads. The spins do not depend on the number of slabs, except
/// those of make_basic_of_floats(). Throws std::invalid_argument for sizes that cannot be cut, UserError if GPUs cannot
/// read each other's memory.
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const SequenceNumbers& numbers, const SlabPlan& plan);
std::unique_ptr<SquareOnGpus> make_square(const std::string& name, const IsingSquare& square,
                                          const AddressedSquareNumbers& numbers, const SlabPlan& plan);
std::unique_ptr<SquareOnGpus> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed, const SlabPlan& plan);

/// Bytes of all arrays over the number of spins, and of those that slabs share.
double square_bytes_per_spin(const std::string& name);
double shared_bytes_per_spin(const std::string& name);

/// Seconds of a sweep, of many launches one after another; `seconds` is the least time of the measurement.
double seconds_per_sweep(SquareOnGpus& square, double sites, double seconds);

/// Free memory of the current GPU in bytes.
double free_memory();

}  // namespace psflip::laboratory::device
