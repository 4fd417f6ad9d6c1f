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

/// Entries of a queue in shared or in global memory, whose address stays in a register. store_if(): if the
/// condition is not 0. This is a predicated instruction, since code before and after a branch is not mixed.
class SharedEntries {
 public:
  __device__ __forceinline__ explicit SharedEntries(const uint4* first)
      : first_(in_register(static_cast<std::uint32_t>(__cvta_generic_to_shared(first)))) {}
  __device__ __forceinline__ void store_if(std::uint32_t condition, std::uint32_t i, uint4 e) const {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.shared.v4.u32 [%0], {%2, %3, %4, %5}; }" ::"r"(first_ + 16 * i),
        "r"(condition), "r"(e.x), "r"(e.y), "r"(e.z), "r"(e.w));
  }
  __device__ __forceinline__ uint4 load(std::uint32_t i) const {
    uint4 e;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(e.x), "=r"(e.y), "=r"(e.z), "=r"(e.w)
                 : "r"(first_ + 16 * i)
                 : "memory");
    return e;
  }

 private:
  std::uint32_t first_;
};
class GlobalEntries {
 public:
  __device__ __forceinline__ explicit GlobalEntries(const uint4* first) : first_(in_register(first)) {}
  __device__ __forceinline__ void store_if(std::uint32_t condition, std::uint32_t i, uint4 e) const {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p st.global.v4.u32 [%0], {%2, %3, %4, %5}; }" ::"l"(first_ + i),
        "r"(condition), "r"(e.x), "r"(e.y), "r"(e.z), "r"(e.w));
  }
  __device__ __forceinline__ uint4 load(std::uint32_t i) const {
    uint4 e;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(e.x), "=r"(e.y), "=r"(e.z), "=r"(e.w)
                 : "l"(first_ + i)
                 : "memory");
    return e;
  }

 private:
  const uint4* first_;
};

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
