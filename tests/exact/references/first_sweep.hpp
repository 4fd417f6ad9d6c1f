#pragma once

namespace psflip::exact {

/// Means of a site that was just updated: bond satisfaction J s s' of its bonds, alignment with its field.
struct UpdatedSite {
  double satisfaction, alignment;
};

/// A site of a lattice of dimension D whose 2 D bonds were satisfied with probability p each, independently, and whose
/// spin lay along its field with probability 1/2, after one Metropolis update. Bonds of different sites of one parity
/// are independent, so this is exact for the first half sweep from random spins (p = 1/2) on any lattice with L > 2,
/// and without field for the second.
UpdatedSite updated_site(int D, double p, double J, double h, double beta);

}  // namespace psflip::exact
