#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "mutations.hpp"
#include "valid_files.hpp"

// Mutates valid files, makes their checksums right again and uses them as psflip does. Every use must end with results
// or with one sentence: no crash outside the child process that reads, no other exception, no hang.
namespace psflip::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

struct Options {
  std::uint64_t mutations = 1000, seed = 1;
  int processes = 2;
  double seconds = 0;  ///< 0: no limit
};

/// Counts of one process, in memory that it shares with its parent.
struct Counts {
  std::uint64_t next, done, same, other, refused, reader_died, bad;
  double started, slowest;
  std::uint64_t slowest_number;
};

bool is_one_sentence(const std::string& text) {
  return !text.empty() && text.back() == '.' && text.find('\n') == std::string::npos && text.size() < 2000;
}

/// The file that mutation number `number` makes.
io::Bytes mutated(const ValidFile& file, const io::Bytes& image, std::uint64_t number, const Options& options) {
  std::seed_seq seeds{options.seed, number};
  Random random(seeds);
  if (random() % 4 > 0) return with_changed_bytes(image, random);
  ValidFile changed = file;
  changed.content = with_changed_content(file.content, random);
  return changed.image();
}

void write_file(const std::filesystem::path& path, io::Bytes bytes, bool is_sealed) {
  if (is_sealed) io::seal(bytes);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fclose(file) != 0)
    throw std::runtime_error("the folder of temporary files cannot be written");
}

void use_one(const ValidFile& file, const std::string& valid_result, const std::filesystem::path& path,
             std::uint64_t number, Counts& counts) {
  const auto complain = [&](const std::string& what) {
    ++counts.bad;
    fmt::print(stderr, "FAULT: mutation {} of a {}: {}\n", number, file.name, what);
  };
  try {
    const std::string result = file.use(path);
    ++(result == valid_result ? counts.same : counts.other);
  } catch (const UserError& error) {
    ++counts.refused;
    const std::string text = error.what();
    if (text.find("the process that reads it") != std::string::npos) ++counts.reader_died;
    if (!is_one_sentence(text)) complain("is refused with other than one sentence: " + text);
  } catch (const std::exception& error) {
    complain(std::string("ends with an exception: ") + error.what());
  }
}

/// Mutations number first, first + step, ...
void work(const std::vector<ValidFile>& files, const Options& options, std::uint64_t step,
          const std::filesystem::path& folder, double deadline, Counts& counts) {
  std::vector<io::Bytes> images;
  std::vector<std::string> results;
  const std::filesystem::path path = folder / fmt::format("{}.h5", ::getpid());
  for (const ValidFile& file : files) {
    images.push_back(file.image());
    write_file(path, images.back(), file.is_sealed);
    results.push_back(file.use(path));
  }
  for (; counts.next < options.mutations && (options.seconds == 0 || now() < deadline); counts.next += step) {
    const std::uint64_t number = counts.next;
    const std::size_t i = number % files.size();
    write_file(path, mutated(files[i], images[i], number, options), files[i].is_sealed);
    counts.started = now();
    use_one(files[i], results[i], path, number, counts);
    const double seconds = now() - counts.started;
    counts.started = 0;
    ++counts.done;
    if (seconds > counts.slowest) counts.slowest = seconds, counts.slowest_number = number;
  }
  std::filesystem::remove(path);
}

struct Worker {
  pid_t id;
  Counts* counts;
};

/// Waits for all workers; kills one that hangs and starts it again behind the mutation that ended it.
std::uint64_t supervise(std::vector<Worker> workers, const std::function<pid_t(Counts&)>& start, std::uint64_t step) {
  constexpr double hang = 60;  // on a machine that does other things too; the time is reported
  constexpr std::uint64_t most_crashes = 20;
  std::uint64_t crashes = 0;
  while (!workers.empty()) {
    ::usleep(20000);
    for (std::size_t w = 0; w < workers.size(); ++w) {
      Counts& counts = *workers[w].counts;
      int status = 0;
      if (counts.started > 0 && now() - counts.started > hang) ::kill(workers[w].id, SIGKILL);
      if (::waitpid(workers[w].id, &status, WNOHANG) != workers[w].id) continue;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(w--));
        continue;
      }
      ++crashes;
      fmt::print(stderr, "FAULT: mutation {} ended the process (status {})\n", counts.next, status);
      counts.next += step;
      counts.started = 0;
      if (crashes < most_crashes)
        workers[w].id = start(counts);
      else
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(w--));
    }
  }
  return crashes;
}

int run(const Options& options) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("psflip-fuzz-{}", ::getpid());
  std::filesystem::create_directories(folder);
  const std::vector<ValidFile> files = valid_files(folder);
  const auto count = static_cast<std::size_t>(std::max(1, options.processes));
  auto* shared = static_cast<Counts*>(
      ::mmap(nullptr, count * sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (shared == MAP_FAILED) throw std::bad_alloc();
  const double begin = now(), deadline = begin + options.seconds;
  const auto start = [&](Counts& counts) {
    const pid_t id = ::fork();
    if (id != 0) return id;
    int code = 1;
    try {
      work(files, options, count, folder, deadline, counts);
      code = 0;
    } catch (const std::exception& error) {
      fmt::print(stderr, "FAULT: {}\n", error.what());
    }
    ::_exit(code);
  };
  std::vector<Worker> workers;
  for (std::size_t w = 0; w < count; ++w) {
    new (shared + w) Counts{w, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    workers.push_back({start(shared[w]), shared + w});
  }
  const std::uint64_t crashes = supervise(workers, start, count);
  Counts all{};
  for (std::size_t w = 0; w < count; ++w) {
    const Counts& one = shared[w];
    all.done += one.done, all.same += one.same, all.other += one.other, all.refused += one.refused;
    all.reader_died += one.reader_died, all.bad += one.bad;
    if (one.slowest > all.slowest) all.slowest = one.slowest, all.slowest_number = one.slowest_number;
  }
  std::filesystem::remove_all(folder);
  fmt::print(
      "{} mutations of {} files in {:.0f} s: {} gave the same results, {} others, {} were refused, {} of them "
      "because HDF5 died in the child process; {} crashes, {} other faults; slowest {:.2f} s (number {})\n",
      all.done, files.size(), now() - begin, all.same, all.other, all.refused, all.reader_died, crashes, all.bad,
      all.slowest, all.slowest_number);
  return crashes + all.bad == 0 && all.done > 0 && all.refused > 0 && all.same > 0 ? 0 : 1;
}

}  // namespace
}  // namespace psflip::fuzz

int main(int argc, char** argv) {
  CLI::App app("Mutates files of psflip and reads them.");
  psflip::fuzz::Options options;
  app.add_option("--mutations", options.mutations, "mutations")->capture_default_str();
  app.add_option("--seconds", options.seconds, "stop after this time [0: no limit]");
  app.add_option("--seed", options.seed, "seed")->capture_default_str();
  app.add_option("--processes", options.processes, "processes")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  return psflip::fuzz::run(options);
}
