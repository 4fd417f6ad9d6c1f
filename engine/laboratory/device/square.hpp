#pragma once
#include "engine/laboratory/ising2d/variant.hpp"

/// The variants of the 2D Ising model in the memory of the GPU.
namespace psflip::laboratory::device {

/// As make_variant() of the CPU. Without spins all start as +1. advance() does not wait for the GPU.
std::unique_ptr<Variant> make_square(const std::string& name, const IsingSquare& square,
                                     const SequenceNumbers& numbers);
std::unique_ptr<Variant> make_square(const std::string& name, const IsingSquare& square,
                                     const AddressedSquareNumbers& numbers);

/// basic as in the paper: cuRAND fills an array with floats before each half sweep (Philox4x32-10, host interface).
std::unique_ptr<Variant> make_basic_of_floats(const IsingSquare& square, std::uint64_t seed);

/// Bytes of all arrays over the number of spins.
double square_bytes_per_spin(const std::string& name);

/// Seconds of a sweep, of many launches one after another; `seconds` is the least time of the measurement.
double seconds_per_sweep(Variant& square, double sites, double seconds);

/// Free memory of the GPU in bytes.
double free_memory();

}  // namespace psflip::laboratory::device
