#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// The threads of a grid of blocks as fibers of one CPU thread, which take turns in an order drawn at random: a kernel
/// whose result depends on who comes first gives another result with another seed.
namespace psflip::emulated {

struct Index {
  std::uint32_t x, y = 0, z = 0;
};

struct Launch {
  std::uint32_t blocks, threads;  ///< threads of a block, a multiple of 32
  std::size_t shared_words;       ///< of each block, 32 bits each
  Index first_block = {0};        ///< the others follow along x
  std::uint32_t rows = 1;         ///< threads of a block along y
};

/// Where the running fiber is.
Index thread();
Index block();
Index block_size();
std::uint32_t* shared();
std::size_t shared_bytes();

/// Runs `body` as every thread of every block, all of them resident. Throws std::runtime_error when they wait for each
/// other in vain, and what a fiber throws.
void run(const Launch& launch, std::uint32_t seed, const std::function<void()>& body);

/// The same with blocks one after the other, x fastest, for kernels whose shared memory is a static variable here.
void run_grid(const Index& grid, std::uint32_t threads, std::uint32_t rows, std::uint32_t seed,
              const std::function<void()>& body);

void synchronize();   ///< all threads of the block
bool any(bool mine);  ///< of the 32 threads of the warp
/// What each of the 32 threads of the warp gives; to be read before the next meeting of the warp but one.
const std::uint64_t* gather(std::uint64_t mine);
std::uint32_t lane();
void pause();  ///< lets others run
bool toss(std::uint32_t one_in);

/// Bytes that copy_async() has started; they arrive at once or when they are waited for.
void start_copy(std::uint32_t to, const char* from, std::size_t bytes);
void wait_for_copies();

}  // namespace psflip::emulated
