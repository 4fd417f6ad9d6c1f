#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/reduce_kernel.cuh"

namespace psflip::cuda {

void start_reduction(const CountJob& job, const int* cosine, const int* sine, const Measured& out) {
  const auto kernel = job.rows.dimension == 3 ? reduce_kernel<3> : reduce_kernel<2>;
  kernel<<<dim3(job.packs, job.rows.fields() + 1), dim3(32, 8)>>>(
      job.counts, job.rows, job.planes, job.layout.first_pack + job.first_pack, cosine, sine, out);
  check(cudaGetLastError(), "measurement");
}

}  // namespace psflip::cuda
