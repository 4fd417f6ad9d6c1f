#include "engine/laboratory/device/slabs/slab_array.hpp"

namespace psflip::laboratory::device {

namespace {

void advise(void* begin, std::size_t bytes, cudaMemoryAdvise advice, int device) {
#if CUDART_VERSION >= 13000
  const cudaMemLocation where{cudaMemLocationTypeDevice, device};
#else
  const int where = device;
#endif
  cuda::check(cudaMemAdvise(begin, bytes, advice, where), "advice on managed memory");
}

}  // namespace

void* managed_memory(std::size_t bytes) {
  void* data = nullptr;
  cuda::check(cudaMallocManaged(&data, bytes), "cudaMallocManaged");
  return data;
}

void advise_slab(void* slab, std::size_t bytes, std::size_t line, int device, int above, int below) {
  advise(slab, bytes, cudaMemAdviseSetPreferredLocation, device);
  if (above != device) advise(slab, line, cudaMemAdviseSetAccessedBy, above);
  if (below != device) advise(static_cast<std::byte*>(slab) + (bytes - line), line, cudaMemAdviseSetAccessedBy, below);
}

}  // namespace psflip::laboratory::device
