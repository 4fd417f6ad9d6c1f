#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace psflip::app {

struct BenchOptions {
  std::string output;
  std::string filter;        ///< empty: all jobs
  std::vector<int> threads;  ///< empty: 1 and all cores
  int runs = 5;
  int word_bits = 0;
  std::string backend = "auto";
};

void add_bench_options(CLI::App& sub, BenchOptions& options);

/// Times jobs as a user runs them, measurements included, and writes a JSON list of results (docs/benchmark.md).
/// Returns the exit code. Throws UserError.
int run_benchmark(const BenchOptions& options);

}  // namespace psflip::app
