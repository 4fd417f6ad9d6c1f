#pragma once
#include <cstdint>

/// Instructions without a C++ equivalent. Without nvcc, the emulator (tests/emulated) defines these functions.
#ifdef __CUDACC__
namespace psflip::cuda {

/// All ones where u < t: the borrow of a subtraction, two instructions.
__device__ __forceinline__ std::uint32_t below(std::uint32_t u, std::uint32_t t) {
  std::uint32_t mask;
  asm("{ .reg .u32 d; sub.cc.u32 d, %1, %2; subc.u32 %0, 0, 0; }" : "=r"(mask) : "r"(u), "r"(t));
  return mask;
}

/// In a kernel that launch_early() has launched: waits until the kernel before has ended, then lets the next kernel
/// start early. Threads call it before they access memory that other kernels write, or end without such access.
__device__ __forceinline__ void after_previous_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait; griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Lets the next kernel start early if launch_early() launches it, without waiting for the kernel before.
__device__ __forceinline__ void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Bits of the lanes below this one.
__device__ __forceinline__ std::uint32_t lanes_below() {
  std::uint32_t mask;
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(mask));
  return mask;
}

/// A value that is the same in all threads of a warp. The compiler then keeps it, and all that depends on it alone, in
/// uniform registers. Complete warps only.
__device__ __forceinline__ std::uint32_t uniform(std::uint32_t value) { return __shfl_sync(~0u, value, 0); }

/// Keeps a value in a register. The compiler would otherwise compute it again at every use.
__device__ __forceinline__ std::uint32_t in_register(std::uint32_t value) {
  asm volatile("" : "+r"(value));
  return value;
}
__device__ __forceinline__ std::uint64_t in_register(std::uint64_t value) {
  asm volatile("" : "+l"(value));
  return value;
}
/// The same for a pointer that is used with load_packet() and store_packet() only: the compiler no longer knows to
/// which memory it points.
template <class Packet>
__device__ __forceinline__ Packet* in_register(Packet* pointer) {
  asm volatile("" : "+l"(pointer));
  return pointer;
}

/// Entries of a queue of one warp, of four words each, in shared or in global memory. Global memory of a queue must not
/// extend across a multiple of 4 GiB: only the low half of an address is computed.
template <bool SHARED>
class QueueEntries {
 public:
  __device__ __forceinline__ explicit QueueEntries(const uint4* first) {
    const std::uint64_t address = SHARED ? __cvta_generic_to_shared(first) : reinterpret_cast<std::uint64_t>(first);
    begin_ = end_ = in_register(static_cast<std::uint32_t>(address));
    high_ = SHARED ? 0 : in_register(static_cast<std::uint32_t>(address >> 32));
  }

  __device__ __forceinline__ std::uint32_t count() const { return (end_ - begin_) / bytes; }
  /// Whether there are at least `n`. All threads of the warp must call it. The vote tells the compiler that the result
  /// is the same in all threads.
  __device__ __forceinline__ bool has(std::uint32_t n) const { return __any_sync(~0u, count() >= n); }
  __device__ __forceinline__ bool has_at_most(std::uint32_t n) const { return __any_sync(~0u, count() <= n); }

  /// Appends {x, y, z, w}, x = a & ~b & ~c, for each thread whose x is not 0. All threads of the warp must call it.
  /// This is one block of assembly code, so that one instruction computes x and whether it is 0, the store is
  /// predicated (code before and after a branch is not mixed), and multiplications compute the addresses.
  __device__ __forceinline__ void append(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t y,
                                         std::uint32_t z, std::uint32_t w) {
#define PSFLIP_APPEND(MOVE, STORE)                                                                               \
  asm volatile(                                                                                                  \
      "{ .reg .pred p, no; .reg .u32 x, with, to; .reg .u64 address; setp.ne.u32 no, 0, 0; "                     \
      "lop3.or.b32 x|p, %1, %2, %3, 0x10, no; vote.sync.ballot.b32 with, p, 0xffffffff; "                        \
      "and.b32 to, with, %7; popc.b32 to, to; mad.lo.u32 to, to, %8, %0; popc.b32 with, with; " MOVE "@p " STORE \
      ", {x, %4, %5, %6}; mad.lo.u32 %0, with, %8, %0; }"                                                        \
      : "+r"(end_)                                                                                               \
      : "r"(a), "r"(b), "r"(c), "r"(y), "r"(z), "r"(w), "r"(below_), "n"(bytes), "r"(high_))
    if constexpr (SHARED)
      PSFLIP_APPEND("", "st.shared.v4.u32 [to]");
    else
      PSFLIP_APPEND("mov.b64 address, {to, %9}; ", "st.global.v4.u32 [address]");
#undef PSFLIP_APPEND
  }

  /// Removes the last `n` entries, which removed() then returns until the next append().
  __device__ __forceinline__ void remove(std::uint32_t n) { end_ -= n * bytes; }
  __device__ __forceinline__ uint4 removed(std::uint32_t i) const {
    uint4 e;
    const std::uint32_t from = end_ + i * bytes;
    if constexpr (SHARED)
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(e.x), "=r"(e.y), "=r"(e.z), "=r"(e.w)
                   : "r"(from)
                   : "memory");
    else
      asm volatile("{ .reg .u64 address; mov.b64 address, {%4, %5}; ld.global.v4.u32 {%0, %1, %2, %3}, [address]; }"
                   : "=r"(e.x), "=r"(e.y), "=r"(e.z), "=r"(e.w)
                   : "r"(from), "r"(high_)
                   : "memory");
    return e;
  }

 private:
  static constexpr std::uint32_t bytes = sizeof(uint4);
  std::uint32_t begin_, end_, high_;
  std::uint32_t below_ = in_register(lanes_below());
};
using SharedEntries = QueueEntries<true>;
using GlobalEntries = QueueEntries<false>;

/// Declares the dynamic shared memory of the thread block as an array of 16 bytes each. The pointer that
/// shared_memory() returns makes some kernels spill registers that this array does not.
#define PSFLIP_SHARED_QUADS(name) extern __shared__ uint4 name[]

/// Dynamic shared memory of the thread block, aligned to 16 bytes.
__device__ __forceinline__ std::uint32_t* shared_memory() {
  extern __shared__ __align__(16) std::uint32_t words_of_launch[];
  return words_of_launch;
}

/// Address of a word in shared memory, in bytes.
__device__ __forceinline__ std::uint32_t shared_address(const std::uint32_t* word) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(word));
}

/// atomicAdd() to a word in shared memory by each thread alone. The compiler adds up the values of a warp first, which
/// takes longer if few threads call it.
__device__ __forceinline__ std::uint32_t add_in_shared_memory(std::uint32_t* word, std::uint32_t more) {
  std::uint32_t before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(shared_address(word)), "r"(more) : "memory");
  return before;
}

/// Starts a copy of CHUNK words, 4 or 2, from global to shared memory.
template <int CHUNK>
__device__ __forceinline__ void copy_async(std::uint32_t to, const char* from) {
  if constexpr (CHUNK == 4)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/// Waits for the copies that this thread has started. Other threads need a barrier before they read them.
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

/// Waits for `threads` threads of the block, whole warps, at one of the barriers 1 to 15; 0 is that of __syncthreads().
__device__ __forceinline__ void synchronize_some(std::uint32_t barrier, std::uint32_t threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/// Announces this warp at the barrier without waiting for the others.
__device__ __forceinline__ void arrive_at(std::uint32_t barrier, std::uint32_t threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/// Reads a word that another thread block may write. Later accesses, also those of threads that meet this one at a
/// barrier, see all that was written before the word.
__device__ __forceinline__ std::uint32_t load_acquire(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

/// Stores a word for load_acquire(), after all that this thread has written, and threads that it met at a barrier
/// before. __threadfence() and a store would take longer, and also empty the L1 cache.
__device__ __forceinline__ void store_release(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

/// Stores a word and a sequence number, which arrive together, in the L2 cache.
__device__ __forceinline__ void store_packet(std::uint64_t* to, std::uint32_t word, std::uint32_t sequence) {
  asm volatile("{ .reg .b64 l; mov.b64 l, {%1, %2}; st.relaxed.gpu.global.b64 [%0], l; }" ::"l"(to), "r"(word),
               "r"(sequence));
}
/// Returns the word in x and its sequence number in y.
__device__ __forceinline__ uint2 load_packet(const std::uint64_t* from) {
  uint2 l;
  asm volatile("{ .reg .b64 l; ld.relaxed.gpu.global.b64 l, [%2]; mov.b64 {%0, %1}, l; }"
               : "=r"(l.x), "=r"(l.y)
               : "l"(from));
  return l;
}

/// Stores two words and a sequence number in one access to the L2 cache. Both halves hold the sequence number, since no
/// more than 8 bytes are guaranteed to arrive together.
__device__ __forceinline__ void store_packet(uint4* to, std::uint32_t first, std::uint32_t second,
                                             std::uint32_t sequence) {
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 l; mov.b64 low, {%1, %3}; mov.b64 high, {%2, %3}; mov.b128 l, {low, high}; "
      "st.relaxed.gpu.global.b128 [%0], l; }" ::"l"(to),
      "r"(first), "r"(second), "r"(sequence));
}
/// Returns the words in x and z and their sequence numbers in y and w.
__device__ __forceinline__ uint4 load_packet(const uint4* from) {
  uint4 l;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 l; ld.relaxed.gpu.global.b128 l, [%4]; mov.b128 {low, high}, l; "
      "mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=r"(l.x), "=r"(l.y), "=r"(l.z), "=r"(l.w)
      : "l"(from));
  return l;
}

}  // namespace psflip::cuda
#endif
