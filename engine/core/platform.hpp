#pragma once

/// Marks functions of host and device; core/ is compiled by both g++ and nvcc.
#ifdef __CUDACC__
#define PSFLIP_HD __host__ __device__ __forceinline__
#else
#define PSFLIP_HD inline __attribute__((always_inline))
#endif

/// For the small functions of a hot loop: constants stay in registers only when everything is one function.
#define PSFLIP_INLINE inline __attribute__((always_inline))

/// Unrolls the loop that follows, up to n times; n is a number.
#define PSFLIP_PRAGMA(text) _Pragma(#text)
#ifdef __CUDA_ARCH__
#define PSFLIP_UNROLL(n) PSFLIP_PRAGMA(unroll)
#elif defined(__CUDACC__)
#define PSFLIP_UNROLL(n)  // the host pass of nvcc knows neither pragma
#else
#define PSFLIP_UNROLL(n) PSFLIP_PRAGMA(GCC unroll n)
#endif
