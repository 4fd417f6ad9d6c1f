#pragma once

/// Marks what runs on host and device alike; core/ is compiled by both g++ and nvcc.
#ifdef __CUDACC__
#define PSFLIP_HD __host__ __device__ __forceinline__
#else
#define PSFLIP_HD inline __attribute__((always_inline))
#endif
