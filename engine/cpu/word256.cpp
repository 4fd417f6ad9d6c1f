#include "engine/cpu/word256.hpp"

#ifdef __AVX2__
#include "engine/cpu/make_with.ipp"

template std::unique_ptr<psflip::Engine> psflip::cpu::make_with<psflip::cpu::Word256>(const System&, int);
#endif
