// Definitions of SitePacked; included at the end of site_packed.hpp.
#pragma once

namespace psflip::cpu {

template <class W>
SitePacked<W>::SitePacked(const System& system, const Share& share, int threads)
    : system_(system),
      domain_(Lattice<2>{static_cast<std::uint32_t>(system.L)}, share.planes),
      threads_(threads),
      thresholds_(make_field_thresholds(system, system.betas[0])),
      table_(make_fourier_table(system.L)),
      lattices_(system.samples) {
  for (std::size_t k = 0; k < lattices_.size(); ++k) {
    MakeArrays()(lattices_[k], {words_of_lattice()});
    if (system_.start == Start::random) fill(lattices_[k], system_.first_sample + k);
  }
}

/// Measurements take a row of counters, which is not worth counting.
template <class W>
double SitePacked<W>::bytes(System system, const Share& share, int threads) {
  const auto lattices = static_cast<double>(system.samples);
  system.samples = 0;
  const SitePacked none(system, share, threads);
  Chunks lattice;
  CountArrays count;
  count(lattice, {none.words_of_lattice()});
  return lattices * (sizeof(Chunks) + count.bytes);
}

template <class W>
void SitePacked<W>::close_row(std::uint32_t* row) const {
  row[-1] = row[chunks_in_row() - 1];
  row[chunks_in_row()] = row[0];
}

template <class W>
void SitePacked<W>::fill(Chunks& lattice, std::uint64_t sample) const {
  const Key key = trajectory_key(system_, Stream::initial_spins);
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    for (std::uint32_t stored = 0; stored < domain_.stored_rows(); ++stored) {
      std::uint32_t* row = chunks(lattice) + row_start(parity, stored);
      for (std::uint32_t w = 0; w < chunks_in_row(); ++w)
        row[w] = numbers_at(key, domain_.plane(stored) * chunks_in_row() + w, parity, sample, 0, 0).x[0];
      close_row(row);
    }
  }
}

template <class W>
void SitePacked<W>::update(std::size_t index, HalfSweeps half_sweeps, RowRange rows, ResidualQueue<W>& queue) {
  const std::uint64_t sample = system_.first_sample + index;
  const Key key = trajectory_key(system_, Stream::metropolis);
  const DecisionTables<W, Scheme, plane_count> tables(thresholds_);
  std::uint32_t* spins = chunks(lattices_[index]);
  for (std::uint64_t number = half_sweeps.first; number < half_sweeps.last; ++number) {
    const auto h = static_cast<std::uint32_t>(number), parity = h & 1u;
    HalfSweep sweep{parity,
                    {SiteNumbers<W>(key, h, sample), tables, {(domain_.first + rows.first) * chunks_in_row(), 0}}};
    const SiteResiduals<W> residuals(key, h, sample);
    for (std::uint32_t y = rows.first; y < rows.last; ++y) {
      update_row(sweep, spins, y, queue);
      if (queue.wants_resolving()) queue.resolve(spins, tables.threshold, residuals);
    }
    queue.resolve(spins, tables.threshold, residuals);
    for (std::uint32_t y = rows.first; y < rows.last; ++y) close_row(spins + row_start(parity, y + domain_.ghosts));
  }
}

template <class W>
PSFLIP_INLINE void SitePacked<W>::update_row(HalfSweep& sweep, std::uint32_t* spins, std::uint32_t y,
                                             ResidualQueue<W>& queue) const {
  const std::uint32_t chunks_per_row = chunks_in_row(), first_chunk = (domain_.first + y) * chunks_per_row;
  std::uint32_t* mine = spins + row_start(sweep.parity, y + domain_.ghosts);
  const std::uint32_t* here = spins + row_start(1 - sweep.parity, y + domain_.ghosts);
  const std::uint32_t* up = spins + row_start(1 - sweep.parity, domain_.stored_before(y));
  const std::uint32_t* down = spins + row_start(1 - sweep.parity, domain_.stored_after(y));
  const bool shifted = shift(sweep.parity, y) != 0;
  for (std::uint32_t w = 0; w < chunks_per_row; w += W::packs) {
    const W spin = W::load(mine + w);
    const auto load = [&]() __attribute__((always_inline)) {
      const W same = W::load(here + w);
      const W side = shifted ? from_right(same, W::load(here + w + 1)) : from_left(same, W::load(here + w - 1));
      return Site<Model, W>{spin, {W::load(up + w), W::load(down + w), same, side}, {}, {}};
    };
    const auto index = static_cast<std::uint32_t>(mine + w - spins);
    const std::uint32_t chunk = first_chunk + w, following = w + W::packs;
    sweep.decide(
        {chunk, 0}, {first_chunk + (following < chunks_per_row ? following : chunks_per_row), 0},
        load, [&](W always, W less) __attribute__((always_inline)) { flip_where(spin, always, less).store(mine + w); },
        [&](W equal, const W(&bit)[Scheme::bits])
            __attribute__((always_inline)) { queue.push(equal, bit, index, chunk - index); });
  }
}

/// The lanes of word `word` of a row that are sites; the last word of a row may reach beyond it.
template <class W>
W SitePacked<W>::valid_lanes(std::uint32_t word) const {
  alignas(64) std::uint32_t lanes[W::packs];
  for (std::uint32_t i = 0; i < W::packs; ++i) lanes[i] = word * W::packs + i < chunks_in_row() ? ~0u : 0u;
  return W::load(lanes);
}

template <class W>
std::int64_t SitePacked<W>::unsatisfied_bonds(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const {
  std::int64_t unsatisfied = 0;
  for (std::uint32_t y = first; y < last; ++y) {
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      const std::uint32_t* mine = chunks(lattice) + row_start(parity, y + domain_.ghosts);
      const std::uint32_t* here = chunks(lattice) + row_start(1 - parity, y + domain_.ghosts);
      const std::uint32_t* down = chunks(lattice) + row_start(1 - parity, domain_.stored_after(y));
      for (std::uint32_t word = 0; word < words_in_row(); ++word) {
        const std::uint32_t w = word * W::packs;
        const W spin = W::load(mine + w), same = W::load(here + w), valid = valid_lanes(word);
        const W right = shift(parity, y) ? from_right(same, W::load(here + w + 1)) : same;
        unsatisfied += popcount((spin ^ right) & valid) + popcount((spin ^ W::load(down + w)) & valid);
      }
    }
  }
  return unsatisfied;
}

/// Rows number `first` ... `last` - 1 of the domain. Column counts: bank s, word w, lane b hold x = 2 (32 chunk + b) +
/// s.
template <class W>
auto SitePacked<W>::sum_rows(const Chunks& lattice, std::uint32_t first, std::uint32_t last) const -> RowSums {
  const std::int64_t L = domain_.L, rows = last - first;
  RowSums sums;
  sums.unsatisfied = unsatisfied_bonds(lattice, first, last);
  std::vector<std::int64_t> row_minus(last - first, 0);
  std::int32_t minus[W::bits];
  for (std::uint32_t s = 0; s < 2; ++s) {  // the sites with x = s (mod 2)
    CounterBank<W> columns(words_in_row(), std::bit_width(last - first));
    for (std::uint32_t word = 0; word < words_in_row(); ++word) {
      const W valid = valid_lanes(word);
      for (std::uint32_t y = first; y < last; ++y) {
        const W spins = W::load(chunks(lattice) + row_start(shift(s, y), y + domain_.ghosts) + word * W::packs) & valid;
        row_minus[y - first] += popcount(spins);
        columns.add(word, &spins, 1);
      }
      counts(columns, word, minus);
      for (std::uint32_t lane = 0; lane < W::bits; ++lane) {
        const std::uint32_t x = 2 * (word * W::bits + lane) + s;
        if (x >= domain_.L) continue;
        sums.re[0] += (rows - 2 * minus[lane]) * table_.cosine[x];
        sums.im[0] += (rows - 2 * minus[lane]) * table_.sine[x];
      }
    }
  }
  for (std::uint32_t y = first; y < last; ++y) {
    const std::int64_t sum = L - 2 * row_minus[y - first];
    sums.total += sum;
    sums.re[1] += sum * table_.cosine[domain_.first + y];
    sums.im[1] += sum * table_.sine[domain_.first + y];
  }
  return sums;
}

template <class W>
Observation SitePacked<W>::observe() const {
  Observation o;
  for (const Chunks& lattice : lattices_) {
    RowSums sums;
#pragma omp parallel num_threads(threads_)
    {
      const RowRange mine = rows_of_thread(domain_.rows(), omp_get_thread_num(), omp_get_num_threads());
      const RowSums part = sum_rows(lattice, mine.first, mine.last);
#pragma omp critical
      sums += part;
    }
    const std::int64_t bonds = 2 * static_cast<std::int64_t>(domain_.L) * domain_.rows();
    o[Integer::magnetization].push_back(sums.total);
    o[Integer::bond_sum].push_back(bonds - 2 * sums.unsatisfied);
    std::vector<std::int64_t>& fourier = o[Integer::magnetization_k2];
    if (domain_.ghosts == 0) {
      fourier.push_back(k2_from_components(sums.re, sums.im, 2));
    } else {
      fourier.insert(fourier.end(), {sums.re[0], sums.im[0], sums.re[1], sums.im[1]});
    }
  }
  return o;
}

template <class W>
PackedSigns SitePacked<W>::packed_spins(std::size_t) const {
  const std::size_t rows = domain_.rows(), row_words = domain_.L / 32;
  PackedSigns out(lattices_.size(), rows * domain_.L);
#pragma omp parallel for num_threads(threads_)
  for (std::size_t i = 0; i < lattices_.size() * rows; ++i) {
    const auto y = static_cast<std::uint32_t>(i % rows);
    const std::uint32_t* lattice = chunks(lattices_[i / rows]);
    const std::uint32_t* even = lattice + row_start(shift(0, y), y + domain_.ghosts);
    const std::uint32_t* odd = lattice + row_start(shift(1, y), y + domain_.ghosts);
    std::uint32_t* to = out.row(i / rows) + y * row_words;
    for (std::uint32_t chunk = 0; chunk < chunks_in_row(); ++chunk, to += 2) {
      const std::uint64_t pair = interleave_bits(even[chunk], odd[chunk]);
      to[0] = static_cast<std::uint32_t>(pair);
      to[1] = static_cast<std::uint32_t>(pair >> 32);
    }
  }
  return out;
}

template <class W>
void SitePacked<W>::restore_spins(std::size_t, const PackedSigns& spins) {
  const std::size_t rows = domain_.stored_rows(), row_words = domain_.L / 32;
  for (Chunks& lattice : lattices_) std::fill(lattice.begin(), lattice.end(), W::zero());
#pragma omp parallel for num_threads(threads_)
  for (std::size_t i = 0; i < lattices_.size() * rows; ++i) {
    const auto stored = static_cast<std::uint32_t>(i % rows), y = domain_.plane(stored);
    std::uint32_t* even = chunks(lattices_[i / rows]) + row_start(y & 1u, stored);
    std::uint32_t* odd = chunks(lattices_[i / rows]) + row_start(1 - (y & 1u), stored);
    const std::uint32_t* from = spins.row(i / rows) + y * row_words;
    for (std::uint32_t chunk = 0; chunk < chunks_in_row(); ++chunk, from += 2) {
      const std::uint64_t pair = from[0] | std::uint64_t{from[1]} << 32;
      even[chunk] = even_bits(pair);
      odd[chunk] = even_bits(pair >> 1);
    }
    close_row(even);
    close_row(odd);
  }
}

}  // namespace psflip::cpu
