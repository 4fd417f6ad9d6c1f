#include "engine/cpu/word512.hpp"

#ifdef __AVX512F__
#include "engine/cpu/make_with.ipp"

template std::unique_ptr<psflip::Engine> psflip::cpu::make_with<psflip::cpu::Word512>(const System&, int);
#endif
