#include "engine/cpu/cpu.hpp"

#include "engine/cpu/make_with.hpp"
#include "engine/cpu/word256.hpp"
#include "engine/cpu/word512.hpp"
#include "engine/cpu/word64.hpp"

namespace psflip::cpu {

std::vector<int> supported_word_bits() {
  std::vector<int> bits{64};
#ifdef __AVX2__
  bits.push_back(256);
#endif
#ifdef __AVX512F__
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

/// Calls f with the word type of `word_bits` bits, the widest for 0.
template <class F>
auto with_word(int word_bits, F f) {
  if (word_bits == 0) word_bits = supported_word_bits().back();
#ifdef __AVX512F__
  if (word_bits == 512) return f.template operator()<Word512>();
#endif
#ifdef __AVX2__
  if (word_bits == 256) return f.template operator()<Word256>();
#endif
  return f.template operator()<Word64>();
}

}  // namespace

std::unique_ptr<Engine> make_engine(const System& system, int threads, int word_bits) {
  return with_word(word_bits, [&]<class W>() { return make_with<W>(system, threads); });
}

std::unique_ptr<DomainEngine> make_domain(const System& system, const Planes& planes, int threads, int word_bits) {
  return with_word(word_bits, [&]<class W>() { return make_domain_with<W>(system, planes, threads); });
}

std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system, int threads, int word_bits) {
  return with_word(word_bits, [&]<class W>() { return make_tempering_with<W>(system, threads); });
}

std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own, int threads,
                                                   int word_bits) {
  return with_word(word_bits, [&]<class W>() { return make_tempering_part_with<W>(system, own, threads); });
}

}  // namespace psflip::cpu
