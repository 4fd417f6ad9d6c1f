#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"

/// Spins [y][x], +1 or -1, in the arrays of a variant and back. A lattice has L columns and any number of rows.
namespace psflip::laboratory {

using Spins = std::vector<std::int8_t>;

inline std::size_t sites_of(int L) { return static_cast<std::size_t>(L) * static_cast<std::size_t>(L); }

/// Index of row y, column j of an array with `columns` columns.
inline std::size_t row_index(int y, int j, int columns) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j);
}

inline int rows_of(std::size_t sites, int L) { return static_cast<int>(sites / static_cast<std::size_t>(L)); }

/// basic: a byte a spin, [parity][y][j].
inline std::array<Spins, 2> bytes_of_spins(const Spins& spins, int L) {
  std::array<Spins, 2> bytes = {Spins(spins.size() / 2), Spins(spins.size() / 2)};
  for_each_site(L, rows_of(spins.size(), L), [&](std::size_t parity, int y, int j, int x) {
    bytes[parity][row_index(y, j, L / 2)] = spins[site_index(x, y, L)];
  });
  return bytes;
}
inline Spins spins_of_bytes(const std::array<Spins, 2>& bytes, int L) {
  Spins spins(2 * bytes[0].size());
  for_each_site(L, rows_of(spins.size(), L), [&](std::size_t parity, int y, int j, int x) {
    spins[site_index(x, y, L)] = bytes[parity][row_index(y, j, L / 2)];
  });
  return spins;
}

/// four_bit: 16 spins in a word, [parity][y][pair of words].
using Words = std::vector<WordPair>;
inline std::array<Words, 2> words_of_spins(const Spins& spins, int L) {
  const std::size_t size = spins.size() / (2 * spins_of_pair);
  std::array<Words, 2> words = {Words(size), Words(size)};
  for_each_site(L, rows_of(spins.size(), L), [&](std::size_t parity, int y, int j, int x) {
    const std::uint64_t bit = spins[site_index(x, y, L)] > 0 ? 1 : 0;
    WordPair& pair = words[parity][row_index(y, j / spins_of_pair, L / 2 / spins_of_pair)];
    pair.x[j / spins_of_word % 2] |= bit << (4 * (j % spins_of_word));
  });
  return words;
}
inline Spins spins_of_words(const std::array<Words, 2>& words, int L) {
  Spins spins(2 * spins_of_pair * words[0].size());
  for_each_site(L, rows_of(spins.size(), L), [&](std::size_t parity, int y, int j, int x) {
    const WordPair& pair = words[parity][row_index(y, j / spins_of_pair, L / 2 / spins_of_pair)];
    spins[site_index(x, y, L)] = (pair.x[j / spins_of_word % 2] >> (4 * (j % spins_of_word)) & 1) != 0 ? 1 : -1;
  });
  return spins;
}

/// tensor: a number a spin, [matrix][block_index()].
template <class T>
std::array<std::vector<T>, 4> matrices_of_spins(const Spins& spins, int L) {
  std::array<std::vector<T>, 4> matrices;
  for (auto& matrix : matrices) matrix.resize(spins.size() / 4);
  for_each_site(L, rows_of(spins.size(), L), [&](int parity, int y, int j, int x) {
    const auto matrix = static_cast<std::size_t>(matrix_of(y, parity));
    matrices[matrix][block_index(y / 2, j, L)] = static_cast<T>(static_cast<float>(spins[site_index(x, y, L)]));
  });
  return matrices;
}
template <class T>
Spins spins_of_matrices(const std::array<std::vector<T>, 4>& matrices, int L) {
  Spins spins(4 * matrices[0].size());
  for_each_site(L, rows_of(spins.size(), L), [&](int parity, int y, int j, int x) {
    const auto matrix = static_cast<std::size_t>(matrix_of(y, parity));
    const auto spin = static_cast<float>(matrices[matrix][block_index(y / 2, j, L)]);
    spins[site_index(x, y, L)] = static_cast<std::int8_t>(spin);
  });
  return spins;
}

}  // namespace psflip::laboratory
