#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// The threads of a grid of blocks as fibers of one CPU thread, which are resumed in random order: a kernel whose
/// result depends on the order of its threads gives another result with another seed.
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

/// Runs `body` as every thread of every block, all of them co-resident. Throws std::runtime_error if they wait for each
/// other without end, and any exception of a fiber.
void run(const Launch& launch, std::uint32_t seed, const std::function<void()>& body);

/// The same with blocks one after the other, x fastest, for kernels whose shared memory is a static variable here.
void run_grid(const Index& grid, std::uint32_t threads, std::uint32_t rows, std::uint32_t seed,
              const std::function<void()>& body, std::size_t shared_words = 1);

void synchronize();                                                   ///< all threads of the block
void synchronize_some(std::uint32_t barrier, std::uint32_t threads);  ///< so many of its threads
void arrive_at(std::uint32_t barrier, std::uint32_t threads);         ///< counts as one of them, without waiting
/// The blocks of run() as a cluster of the GPU: the number of the running block, all threads of all blocks, and the
/// word of another block that has the place of `mine` in the shared memory of the running block.
std::uint32_t rank_in_cluster();
void synchronize_cluster();
std::uint32_t* shared_of(std::uint32_t* mine, std::uint32_t block);
bool any(bool mine);  ///< of the 32 threads of the warp
/// The values that the 32 threads of the warp pass; valid until the second next synchronization of the warp.
const std::uint64_t* gather(std::uint64_t mine);
std::uint32_t lane();
void pause();  ///< lets others run
bool toss(std::uint32_t one_in);

/// Bytes that copy_async() has started; they arrive at once or when they are waited for.
void start_copy(std::uint32_t to, const char* from, std::size_t bytes);
void wait_for_copies();

}  // namespace psflip::emulated
