#include "engine/cpu/cpu.hpp"

#include <stdexcept>
#include <string>

#include "built.hpp"
#include "engine/cpu/make.hpp"
#include "engine/cpu/words/word256.hpp"
#include "engine/cpu/words/word512.hpp"
#include "engine/cpu/words/word64.hpp"

namespace psflip::cpu {

std::vector<int> supported_word_bits() {
  std::vector<int> bits;
#ifdef PSFLIP_HAS_WORD_64
  bits.push_back(64);
#endif
#ifdef PSFLIP_HAS_WORD_256
  bits.push_back(256);
#endif
#ifdef PSFLIP_HAS_WORD_512
  bits.push_back(512);
#endif
  return bits;
}

const char* instruction_set([[maybe_unused]] int word_bits) {
#ifdef __AVX512F__
  if (word_bits == 512) return Word512::name;
#endif
#ifdef __AVX2__
  if (word_bits == 256) return Word256::name;
#endif
  return Word64::name;
}

namespace {

[[maybe_unused]] constexpr const char* remedy = "configure it with -DPSFLIP_WORDS=all.";

/// Calls f.template operator()<W>() with the word type of `word_bits` bits, the widest for 0.
template <class F>
auto with_word(int word_bits, F f) {
  if (word_bits == 0) word_bits = supported_word_bits().back();
#ifdef PSFLIP_HAS_WORD_512
  if (word_bits == 512) return f.template operator()<Word512>();
#endif
#ifdef PSFLIP_HAS_WORD_256
  if (word_bits == 256) return f.template operator()<Word256>();
#endif
#ifdef PSFLIP_HAS_WORD_64
  if (word_bits == 64) return f.template operator()<Word64>();
#endif
  throw std::invalid_argument("This build has no words of " + std::to_string(word_bits) + " bits; " + remedy);
}

/// Calls f.template operator()<W, T>() with a word type and the traits of the system.
template <class F>
auto with_samples(const System& system, int word_bits, F f) {
  const Preset& preset = system.preset();
  if (preset.name.empty()) {
#ifdef PSFLIP_HAS_UNNAMED_MODELS
    return with_traits(preset, [&]<class T>() { return f.template operator()<Word64, T>(); });
#else
    throw std::invalid_argument(std::string("This build has only the models with a name; ") + remedy);
#endif
  }
  return with_word(word_bits, [&]<class W>() {
    return with_named_traits(preset, [&]<class T>() { return f.template operator()<W, T>(); });
  });
}

}  // namespace

std::unique_ptr<Engine> make_engine(const System& system, int threads, int word_bits) {
  if (system.packing == Packing::sites)
    return with_word(word_bits, [&]<class W>() { return make_sites<W>(system, threads); });
  return with_samples(system, word_bits, [&]<class W, class T>() { return make_samples<W, T>(system, threads); });
}

std::unique_ptr<PartEngine> make_part(const System& system, const Share& share, int threads, int word_bits) {
  if (system.packing == Packing::sites)
    return with_word(word_bits, [&]<class W>() { return make_part_of_sites<W>(system, share, threads); });
  return with_samples(system, word_bits,
                      [&]<class W, class T>() { return make_part_of_samples<W, T>(system, share, threads); });
}

double bytes_of_engine(const System& system, const Share& share, int threads, int word_bits) {
  if (system.packing == Packing::sites)
    return with_word(word_bits, [&]<class W>() { return bytes_of_sites<W>(system, share, threads); });
  return with_samples(system, word_bits,
                      [&]<class W, class T>() { return bytes_of_samples<W, T>(system, share, threads); });
}

}  // namespace psflip::cpu
