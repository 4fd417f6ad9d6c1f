#pragma once
#include <memory>

#include "engine/laboratory/ising2d/variant.hpp"

/// The variants on the CPU; make_variant() has their names.
namespace psflip::laboratory {

std::unique_ptr<Variant> make_basic(const IsingSquare& square, const SequenceNumbers& numbers);
std::unique_ptr<Variant> make_basic(const IsingSquare& square, const AddressedSquareNumbers& numbers);
std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const SequenceNumbers& numbers);
std::unique_ptr<Variant> make_four_bit(const IsingSquare& square, const AddressedSquareNumbers& numbers);
std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const SequenceNumbers& numbers);
std::unique_ptr<Variant> make_tensor(const IsingSquare& square, const AddressedSquareNumbers& numbers);

}  // namespace psflip::laboratory
