#include "engine/laboratory/ising2d/variant.hpp"

#include <bit>
#include <stdexcept>

#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/cpu_variants.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"
#include "engine/laboratory/ising2d/slab.hpp"
#include "engine/models/tables.hpp"
#include "engine/random/system_tag.hpp"

namespace psflip::laboratory {
namespace {

template <class Numbers>
std::unique_ptr<Variant> make(const std::string& name, const IsingSquare& square, const Numbers& numbers) {
  if (square.L < 4 || square.L % size_unit(name) != 0) throw std::invalid_argument(name + ": L of another unit");
  if (name == "basic") return make_basic(square, numbers);
  if (name == "four_bit") return make_four_bit(square, numbers);
  return make_tensor(square, numbers);
}

}  // namespace

SquareThresholds square_thresholds(double beta) {
  const Thresholds thresholds = make_thresholds(beta, 2);
  return {{thresholds.by_unsatisfied[0], thresholds.by_unsatisfied[1]}};
}

const std::vector<std::string>& variant_names() {
  static const std::vector<std::string> names = {"basic", "tensor", "four_bit"};
  return names;
}

int size_unit(const std::string& name) {
  if (name == "basic") return 2;
  if (name == "tensor") return 2 * block_side;
  if (name == "four_bit") return 2 * spins_of_pair;
  throw std::invalid_argument(name + ": no such variant");
}

int rows_unit(const std::string& name) { return name == "tensor" ? size_unit(name) : 2; }

double bytes_per_spin(const std::string& name) {
  if (name == "basic") return 1 + sizeof(std::uint32_t) / 2.0;       // a byte, and a number for every second spin
  if (name == "tensor") return sizeof(float) + sizeof(float) / 2.0;  // a float, and a sum for every second spin
  if (name == "four_bit") return 0.5;
  throw std::invalid_argument(name + ": no such variant");
}

std::unique_ptr<Variant> make_variant(const std::string& name, const IsingSquare& square,
                                      const SequenceNumbers& numbers) {
  return make(name, square, numbers);
}
std::unique_ptr<Variant> make_variant(const std::string& name, const IsingSquare& square,
                                      const AddressedSquareNumbers& numbers) {
  return make(name, square, numbers);
}

SequenceNumbers sequence_numbers(std::uint64_t seed, int L) {
  return {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, (L / 2 + 31) / 32};
}

AddressedSquareNumbers addressed_numbers(const System& system) {
  const auto L = static_cast<std::uint32_t>(system.L);
  const std::uint32_t tag =
      system_tag(static_cast<std::uint32_t>(system.model), L, std::bit_cast<std::uint64_t>(system.betas[0]));
  return {make_key(system.seed, Stream::metropolis, tag), system.L, system.first_sample,
          system.packing == Packing::sites};
}

std::vector<std::int8_t> random_square(int L, std::uint32_t seed) {
  std::vector<std::int8_t> spins(static_cast<std::size_t>(L) * static_cast<std::size_t>(L));
  const Key key = {seed, 0};
  for (std::size_t first = 0; first < spins.size(); first += 128) {
    const std::size_t block = first / 128;
    const Four<std::uint32_t> words = philox(
        Four<std::uint32_t>{{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}}, key);
    for (std::size_t bit = 0; bit < 128 && first + bit < spins.size(); ++bit)
      spins[first + bit] = (words.x[bit / 32] >> bit % 32 & 1u) != 0 ? -1 : 1;
  }
  return spins;
}

}  // namespace psflip::laboratory
