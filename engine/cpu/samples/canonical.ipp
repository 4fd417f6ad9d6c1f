// Canonical order of the spins and the disorder of SamplePacked; included at the end of sample_packed.hpp.
#pragma once

namespace psflip::cpu {

/// The sites from stored plane `stored_plane` on, with `per_site` words each.
template <class W, class T>
Checkerboard SamplePacked<W, T>::board(std::uint32_t stored_plane, std::size_t sites, std::size_t per_site) const {
  return {sites, domain_.L, D, domain_.plane(stored_plane) & 1u, words_per_parity() * per_site, per_site};
}

/// [sample][word of a site][own site]; words_of(group) are the words of a word group.
template <class W, class T>
template <class WordsOf>
PackedSigns SamplePacked<W, T>::packed(WordsOf words_of, std::size_t per_site) const {
  const Checkerboard own = board(domain_.ghosts, domain_.sites(), per_site);
  const std::size_t before = domain_.ghosts * domain_.sites_in_plane() / 2 * per_site, pieces = site_groups(own);
  PackedSigns out(system_.samples * per_site, domain_.sites());
  for (const Group& group : groups_) {
    const W* words = words_of(group) + before;
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < per_site * pieces; ++i) {
      const std::size_t k = i / pieces;
      words_to_rows(words + k, own, i % pieces, sample_rows(group, out.row(k), per_site * out.words_in_row()));
    }
  }
  return out;
}

template <class W, class T>
PackedSigns SamplePacked<W, T>::packed_spins(std::size_t slot) const {
  return packed([&](const Group& group) { return group.spins[stored(slot)].data(); }, replicas_);
}

template <class W, class T>
PackedSigns SamplePacked<W, T>::packed_couplings() const {
  if constexpr (!T::has_couplings) return {};
  return packed([](const Group& group) { return group.couplings.data(); }, D);
}

template <class W, class T>
PackedSigns SamplePacked<W, T>::packed_fields() const {
  if constexpr (!T::has_field_words) return {};
  return packed([](const Group& group) { return group.fields.data(); }, 1);
}

/// The reverse of packed(), from rows of the full lattice; the planes in memory are taken from them, ghosts too.
template <class W, class T>
template <class WordsOf>
void SamplePacked<W, T>::restore_rows(const PackedSigns& full, std::size_t per_site, WordsOf words_of) {
  const bool is_full = domain_.ghosts == 0;
  PackedSigns of_domain;
  if (!is_full) {
    of_domain = PackedSigns(full.rows, std::size_t{domain_.stored_planes()} * domain_.sites_in_plane());
#pragma omp parallel for num_threads(threads_)
    for (std::size_t row = 0; row < full.rows; ++row) copy_stored_planes(full.row(row), domain_, of_domain.row(row));
  }
  const PackedSigns& rows = is_full ? full : of_domain;
  const Checkerboard all = board(0, rows.length, per_site);
  const std::size_t pieces = site_groups(all);
  for (Group& group : groups_) {
    W* words = words_of(group);
#pragma omp parallel for num_threads(threads_)
    for (std::size_t i = 0; i < per_site * pieces; ++i) {
      const std::size_t k = i / pieces;
      rows_to_words(sample_rows(group, rows.row(k), per_site * rows.words_in_row()), all, i % pieces, words + k);
    }
  }
}

template <class W, class T>
void SamplePacked<W, T>::restore_spins(std::size_t slot, const PackedSigns& spins) {
  restore_rows(spins, replicas_, [&](Group& group) { return group.spins[stored(slot)].data(); });
}

template <class W, class T>
void SamplePacked<W, T>::restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) {
  if constexpr (T::has_couplings) restore_rows(couplings, D, [](Group& group) { return group.couplings.data(); });
  if constexpr (T::has_field_words) restore_rows(fields, 1, [](Group& group) { return group.fields.data(); });
}

}  // namespace psflip::cpu
