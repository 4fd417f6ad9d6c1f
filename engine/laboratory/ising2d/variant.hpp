#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/laboratory/ising2d/acceptance.hpp"
#include "engine/laboratory/ising2d/numbers.hpp"
#include "engine/models/system.hpp"

/// Implementations of Metropolis updates of one square lattice, from Romero et al., Comput. Phys. Commun. 256, 107473
/// (2020), next to each other.
namespace psflip::laboratory {

/// Where a variant starts and what it simulates.
struct IsingSquare {
  int L = 0;
  double beta = 0;
  std::vector<std::int8_t> spins;  ///< [y][x], +1 or -1
};

SquareThresholds square_thresholds(double beta);

/// One lattice in the memory of its device. Half sweep h updates parity h mod 2.
class Variant {
 public:
  virtual ~Variant() = default;
  virtual void advance(std::uint64_t half_sweeps) = 0;
  virtual std::vector<std::int8_t> spins() const = 0;
  /// Of all its arrays.
  virtual double bytes() const = 0;
};

/// Names of the variants: basic, tensor, four_bit.
const std::vector<std::string>& variant_names();
/// The linear size of a variant is a multiple of this number.
int size_unit(const std::string& name);
/// Bytes of all arrays of make_variant() over the number of spins.
double bytes_per_spin(const std::string& name);

/// On the CPU, in one thread. Throws std::invalid_argument for another name or size.
std::unique_ptr<Variant> make_variant(const std::string& name, const IsingSquare& square,
                                      const SequenceNumbers& numbers);
std::unique_ptr<Variant> make_variant(const std::string& name, const IsingSquare& square,
                                      const AddressedSquareNumbers& numbers);

/// The numbers of the paper for a seed, and those of psflip for the first slot of a System of ising2d with one sample.
SequenceNumbers sequence_numbers(std::uint64_t seed, int L);
AddressedSquareNumbers addressed_numbers(const System& system);

/// A random lattice, the same on every machine.
std::vector<std::int8_t> random_square(int L, std::uint32_t seed);

}  // namespace psflip::laboratory
