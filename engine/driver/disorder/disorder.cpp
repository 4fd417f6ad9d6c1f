#include "engine/driver/disorder/disorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "engine/io/error.hpp"
#include "engine/io/fnv1a.hpp"

namespace psflip {

namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 24;  // 128 MiB of ids
constexpr std::uint64_t bytes_at_once = std::uint64_t{1} << 26;

/// Calls f(); an error says that it is about the option.
template <class F>
auto about_option(F f) {
  try {
    return f();
  } catch (const UserError& error) {
    throw UserError(fmt::format("--disorder: {}", error.what()));
  }
}

[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& reason) {
  throw UserError(fmt::format("Cannot use {}: {}.", path.string(), reason));
}

/// Signs on their way from a dataset to the rows of a job.
class SignReader {
 public:
  /// `per_sample` rows of sites for each sample; 0: the model does not have the dataset.
  SignReader(const io::ArrayFile& file, std::string name, std::size_t per_sample, const System& system)
      : file_(file),
        name_(std::move(name)),
        sites_(system.sites()),
        per_sample_(per_sample),
        rows_(per_sample == 0 ? PackedSigns() : PackedSigns(system.samples * per_sample, system.sites())) {}

  std::uint64_t bytes_of_sample() const { return per_sample_ * sites_; }

  /// `count` samples from place `from` in the file on, which are those from `begin` on of the job.
  void read(std::uint64_t from, std::uint64_t begin, std::uint64_t count, const std::filesystem::path& path) {
    if (per_sample_ == 0) return;
    file_.read(name_, from, count, signs_);
    const auto wrong = std::find_if(signs_.begin(), signs_.end(), [](std::int8_t s) { return s != 1 && s != -1; });
    if (wrong != signs_.end())
      refuse_file(path, fmt::format("its dataset {} holds the value {}, but only +1 and -1 are disorder; write these",
                                    name_, static_cast<int>(*wrong)));
    const PackedSigns packed = pack_signs(signs_, sites_);
    std::copy(packed.words.begin(), packed.words.end(), rows_.row(begin * per_sample_));
  }

  /// Sample number k of the last read().
  void add_to(io::Fnv1a& hash, std::uint64_t k) const {
    hash.add(signs_.data() + k * bytes_of_sample(), bytes_of_sample());
  }

  PackedSigns take_rows() { return std::move(rows_); }

 private:
  const io::ArrayFile& file_;
  std::string name_;
  std::size_t sites_, per_sample_;
  PackedSigns rows_;
  std::vector<std::int8_t> signs_;
};

void add_id(io::Fnv1a& hash, std::uint64_t id) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(id >> (8 * i));
  hash.add(bytes, sizeof bytes);
}

/// Samples that share random numbers need couplings of their own.
void require_own_couplings(const System& system, const PackedSigns& rows) {
  const std::size_t words = rows.words.size() / system.samples;
  const std::uint32_t* first = rows.words.data();
  for (std::uint64_t b = 1; b < system.samples; ++b)
    for (std::uint64_t a = b; a-- > 0 && (system.first_sample + a) / 32 == (system.first_sample + b) / 32;)
      if (std::equal(first + a * words, first + (a + 1) * words, first + b * words))
        throw UserError(fmt::format(
            "--random shared: the samples {} and {} of --disorder have the same couplings, so shared numbers would "
            "make them the same trajectory; use --random independent.",
            system.first_sample + a, system.first_sample + b));
}

PackedSigns rows_of_packs(const PackedSigns& all, std::uint64_t samples, const std::vector<std::uint64_t>& packs) {
  const std::size_t rows = 32 * (all.rows / samples), words = rows * all.words_in_row();
  PackedSigns some(packs.size() * rows, all.length);
  for (std::size_t i = 0; i < packs.size(); ++i)
    std::copy_n(all.words.data() + packs[i] * words, words, some.words.data() + i * words);
  return some;
}

}  // namespace

Disorder disorder_of_packs(const Disorder& all, std::uint64_t samples, const std::vector<std::uint64_t>& packs) {
  return {rows_of_packs(all.couplings, samples, packs), rows_of_packs(all.fields, samples, packs)};
}

DisorderFile::DisorderFile(const std::filesystem::path& path)
    : path_(path),
      file_(about_option([&] { return io::ArrayFile(path); })),
      ids_(about_option([&] { return read_ids(); })) {}

std::vector<std::int64_t> DisorderFile::read_ids() const {
  if (!file_.has("sample"))
    refuse_file(path_, "it has no dataset sample; write the ids of the samples there, increasing, for example 0, 1, 2");
  const std::vector<std::uint64_t> shape = file_.shape("sample");
  if (shape.size() != 1 || shape[0] == 0 || shape[0] > most_samples)
    refuse_file(path_, fmt::format("its dataset sample has the shape [{}], but a list of 1 to {} ids is needed; write "
                                   "one id for each sample",
                                   fmt::join(shape, ", "), most_samples));
  std::vector<std::int64_t> ids;
  file_.read("sample", 0, shape[0], ids);
  if (ids.front() < 0 || std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end())
    refuse_file(path_, "the ids in its dataset sample do not increase from 0 or more; sort the samples by their ids");
  return ids;
}

void DisorderFile::take_all_samples(System& system) const {
  system.first_sample = static_cast<std::uint64_t>(ids_.front());
  system.samples = ids_.size();
  if (static_cast<std::uint64_t>(ids_.back() - ids_.front()) + 1 != ids_.size())
    throw UserError(
        fmt::format("--disorder: the ids of the {} samples in {} have gaps between {} and {}; choose "
                    "consecutive ones with --samples FIRST:COUNT.",
                    ids_.size(), path_.string(), ids_.front(), ids_.back()));
}

std::uint64_t DisorderFile::place_of(const System& system) const {
  const auto first = static_cast<std::int64_t>(system.first_sample),
             last = static_cast<std::int64_t>(system.first_sample + system.samples) - 1;
  const auto place = std::lower_bound(ids_.begin(), ids_.end(), first);
  const auto behind = static_cast<std::uint64_t>(ids_.end() - place);
  if (behind < system.samples || *place != first || place[static_cast<std::ptrdiff_t>(system.samples) - 1] != last)
    refuse_file(path_, fmt::format("it does not hold all samples {}:{}, but {} samples with ids from {} to {}; choose "
                                   "--samples FIRST:COUNT among them",
                                   first, system.samples, ids_.size(), ids_.front(), ids_.back()));
  return static_cast<std::uint64_t>(place - ids_.begin());
}

void DisorderFile::refuse_dataset(const System& system, const std::string& name) const {
  if (file_.has(name))
    refuse_file(path_, fmt::format("it holds {}, which {} does not have; give a file of this model", name,
                                   system.preset().name));
}

void DisorderFile::require_dataset(const System& system, const std::string& name, std::size_t directions) const {
  const std::string model(system.preset().name);
  if (!file_.has(name))
    refuse_file(path_, fmt::format("it has no dataset {}, which {} needs; give a file of this model", name, model));
  std::vector<std::uint64_t> wanted = {ids_.size()};
  if (directions > 0) wanted.push_back(directions);
  wanted.insert(wanted.end(), static_cast<std::size_t>(system.dimension()), static_cast<std::uint64_t>(system.L));
  if (const std::vector<std::uint64_t> found = file_.shape(name); found != wanted)
    refuse_file(path_,
                fmt::format("its dataset {} has the shape [{}], but {} samples of {} with L = {} have [{}]; give a "
                            "file of this model and size",
                            name, fmt::join(found, ", "), ids_.size(), model, system.L, fmt::join(wanted, ", ")));
}

GivenDisorder DisorderFile::read(const System& system) const {
  const auto directions = static_cast<std::size_t>(system.dimension());
  const bool has_bonds = system.preset().has_random_bonds(), has_fields = system.preset().has_random_field();
  Disorder disorder;
  io::Fnv1a hash;
  about_option([&] {
    if (!has_bonds) refuse_dataset(system, "couplings");
    if (!has_fields) refuse_dataset(system, "fields");
    if (has_bonds) require_dataset(system, "couplings", directions);
    if (has_fields) require_dataset(system, "fields", 0);
    const std::uint64_t first = place_of(system);
    SignReader couplings(file_, "couplings", has_bonds ? directions : 0, system);
    SignReader fields(file_, "fields", has_fields ? 1 : 0, system);
    const std::uint64_t at_once =
        std::max<std::uint64_t>(1, bytes_at_once / (couplings.bytes_of_sample() + fields.bytes_of_sample()));
    for (std::uint64_t begin = 0; begin < system.samples; begin += at_once) {
      const std::uint64_t count = std::min(at_once, system.samples - begin);
      couplings.read(first + begin, begin, count, path_);
      fields.read(first + begin, begin, count, path_);
      for (std::uint64_t k = 0; k < count; ++k) {
        add_id(hash, system.first_sample + begin + k);
        couplings.add_to(hash, k);
        fields.add_to(hash, k);
      }
    }
    disorder = {couplings.take_rows(), fields.take_rows()};
  });
  if (system.random == Random::shared) require_own_couplings(system, disorder.couplings);
  return {fmt::format("{:016x}", hash.value()), std::make_shared<const Disorder>(std::move(disorder))};
}

}  // namespace psflip
