#pragma once
#include <vector>

#include "analysis/models/quantities/quantity.hpp"
#include "engine/models/model.hpp"

/// The quantities of each method, chosen by the traits of the model. Quantities without data in a file or ensemble are
/// left out later. The order is that of the sums in reduced files and of the rows in tables.
namespace psflip::analysis {

std::vector<Quantity> relaxation_of_overlaps();
/// `disorder`: with the overlaps of replicas that share it.
std::vector<Quantity> relaxation_of_magnetization(bool disorder);

/// Of independent lattices without disorder in equal bins.
std::vector<Quantity> equilibrium_without_disorder();

/// Bins in which products of replicas stand for products of thermal means; of equal length, or of exchange Monte Carlo.
std::vector<Quantity> bins_of_overlaps(Method method);
std::vector<Quantity> bins_of_magnetization(Method method);

/// The quantities of a model.
std::vector<Quantity> quantities_of(Method method, const Preset& preset);

/// Square of the order parameter per site: the overlap of two replicas with random bonds, else the magnetization.
inline primary::Id square_of_order_parameter(const Preset& preset) {
  return preset.has_random_bonds() ? primary::q2 : primary::m2;
}

}  // namespace psflip::analysis
