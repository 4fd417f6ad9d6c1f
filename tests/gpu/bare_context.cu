// What a program with CUDA and the usual number of connections takes from prompt to prompt: a context is made, and the
// process ends.
#include <cuda_runtime.h>

int main() { return cudaFree(nullptr) == cudaSuccess ? 0 : 1; }
