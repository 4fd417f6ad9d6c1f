#pragma once
#include <optional>
#include <vector>

#include "engine/io/labelled_file.hpp"
#include "engine/models/model.hpp"

namespace psflip::analysis {

/// Exponents with which crossings are extrapolated: of the correlation length, and of corrections to scaling.
struct Exponents {
  double nu, omega;
};

/// Exponents of a continuous transition at T > 0.
struct CriticalExponents {
  Exponents leading;
  double eta;
  std::vector<Exponents> alternatives;  ///< other reasonable ones, for the systematic error of a limit
  bool second_correction = false;       ///< whether that error is to include a correction to scaling L^(-2 omega)
};

/// Without disorder, D = 2. nu = 1 is exact. Ratios of moments have corrections L^-7/4, as from a regular part of the
/// susceptibility (L^7/4), and L^-2.
inline const CriticalExponents pure_2d{{1, 1.75}, 0.25, {{1, 2}}};

/// Without disorder, D = 3. nu = 0.63002(10), eta = 0.03627(10), omega = 0.832(6): Hasenbusch, PRB 82, 174433 (2010).
/// The error of omega is so small that the second correction to scaling is the larger uncertainty.
inline const CriticalExponents pure_3d{{0.63002, 0.832}, 0.03627, {{0.63002, 0.826}, {0.63002, 0.838}}, true};

/// Random bonds, D = 3. nu = 2.562(42), eta = -0.3900(36), omega = 1.12(10): Baity-Jesi et al., PRB 88, 224416 (2013).
inline const CriticalExponents random_bonds_3d{{2.562, 1.12}, -0.39, {{2.562, 1.02}, {2.562, 1.22}}};

/// Random field, D = 3: the zero-temperature fixed point, nu = 1.38(10), omega = 0.52(11), eta = 0.5153(9): Fytas and
/// Martin-Mayor, PRL 110, 227201 (2013). Alternatives: the corners of these errors, and the pure model, from whose
/// fixed point sizes of ten to a hundred still flow away.
inline const CriticalExponents random_field_3d{
    {1.38, 0.52}, 0.5153, {{1.28, 0.41}, {1.28, 0.63}, {1.48, 0.41}, {1.48, 0.63}, pure_3d.leading}};

/// Whether the job that wrote these attributes had a field, uniform or random, of strength other than 0.
bool is_in_field(const Preset& preset, const io::Attributes& job);

/// Those of a model by its traits; nothing where no such transition is known. `job` are the attributes of a file:
/// random bonds have exponents at p = 1/2, and a model with a field has those of the pure model at h = 0.
std::optional<CriticalExponents> critical_exponents(const Preset& preset, const io::Attributes& job);

}  // namespace psflip::analysis
