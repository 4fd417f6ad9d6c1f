#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/laboratory/generators/generators.hpp"

/// Launches of the kernels that generate numbers and nothing else.
namespace psflip::laboratory::device {

inline constexpr unsigned threads_per_block = 256;

/// Fills `out` with `count` numbers in [0, 1) by `blocks` thread blocks, whose states lie in `states` as states_of()
/// has them.
template <class G>
void fill(std::uint32_t* states, unsigned blocks, float* out, std::size_t count);

/// Each thread generates `per_thread` numbers and adds those that are odd to odd[thread].
template <class G>
void count_odd(std::uint32_t* states, unsigned blocks, std::uint32_t per_thread, std::uint32_t* odd);

/// Generators of the device interface of cuRAND, whose states lie one after another.
enum class Curand { xorwow, mtgp32 };

class CurandStates {
 public:
  CurandStates(Curand generator, unsigned blocks);
  CurandStates(const CurandStates&) = delete;
  CurandStates& operator=(const CurandStates&) = delete;
  ~CurandStates();

  void count_odd(std::uint32_t per_thread, std::uint32_t* odd);
  double bytes_per_state() const;
  void* data() { return states_; }  ///< the states of all blocks or threads

 private:
  Curand generator_;
  unsigned blocks_;
  void* states_ = nullptr;
  void* parameters_ = nullptr;  ///< of MTGP32
};

}  // namespace psflip::laboratory::device
