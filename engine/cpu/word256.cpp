#include "engine/cpu/word256.hpp"

#include "engine/cpu/make_with.ipp"

#ifdef __AVX2__
template std::unique_ptr<psflip::Engine> psflip::cpu::make_with<psflip::cpu::Word256>(const System&, int);
template std::unique_ptr<psflip::DomainEngine> psflip::cpu::make_domain_with<psflip::cpu::Word256>(const System&,
                                                                                                   const Planes&, int);
template std::unique_ptr<psflip::TemperingEngine> psflip::cpu::make_tempering_with<psflip::cpu::Word256>(
    const TemperingSystem&, int);
template std::unique_ptr<psflip::TemperingPart> psflip::cpu::make_tempering_part_with<psflip::cpu::Word256>(
    const TemperingSystem&, const Slots&, int);
#endif
