#pragma once
#include <optional>
#include <vector>

#include "engine/core/domain.hpp"
#include "engine/core/site_decision.hpp"
#include "engine/cpu/measure/measurement.hpp"
#include "engine/cpu/ranges.hpp"
#include "engine/cpu/samples/decisions.hpp"
#include "engine/cpu/samples/exchange_decisions.hpp"
#include "engine/cpu/samples/random_bonds.hpp"
#include "engine/cpu/samples/word_group.hpp"
#include "engine/cpu/words/sample_rows.hpp"
#include "engine/driver/part_engine.hpp"
#include "engine/models/tables.hpp"

/// Many samples of one lattice, one bit each: any member of the Ising family at one temperature or with exchanges
/// between several.
namespace psflip::cpu {

/// A share of a System. Some planes of the lattice have ghosts on either side (Domain). Some slots have in memory a
/// neighbour on either side, a copy of the slot that another process holds, for the exchanges between them:
/// [ghost][slots][ghost]; at the ends of the grid there is none. A batch is a word group.
template <class W, class T>
class SamplePacked {
 public:
  using Word = W;
  static constexpr int D = T::dimension;
  static constexpr bool has_rounds = true;

  /// Memory of the measurements of one thread: those of the host, energies for exchanges, those that are summed up.
  struct Memory {
    Measurement<W, T> moment;
    std::optional<Measurement<W, T>> energies, summed;
  };

  SamplePacked(const System& system, const Share& share, int threads);

  /// Bytes of a share, and of a message about a slot.
  static double bytes(const System& system, const Share& share, int threads);
  static double bytes_of_message(const System& system, const Share& share);

  std::size_t batches() const { return groups_.size(); }
  const Domain<D>& domain() const { return domain_; }
  const Slots& own_slots() const { return own_; }
  std::size_t words_in_row() const { return std::size_t{domain_.half()} * replicas_; }
  std::size_t slot_bytes() const;   ///< spins of one slot and disorder
  std::size_t batch_bytes() const;  ///< spins of all slots and disorder
  /// True if a thread that has a whole slot updates it in tiles.
  bool has_tiles() const { return D == 3 && slot_bytes() > tile().largest_untiled_slot; }
  Memory& memory(int thread) const { return memories_[static_cast<std::size_t>(thread)]; }

  /// Half sweeps of the replicas of a slot, some rows.
  void update(std::size_t batch, std::size_t slot, ReplicaRange replicas, HalfSweeps half_sweeps, RowRange rows,
              ResidualQueue<W>& queue);
  /// The same for all replicas of the only slot.
  void update(std::size_t batch, HalfSweeps half_sweeps, RowRange rows, ResidualQueue<W>& queue) {
    update(batch, own_.first, {0, replicas_}, half_sweeps, rows, queue);
  }
  /// The spins of one parity of a stored plane of the first slot.
  W* plane(std::size_t batch, std::uint32_t parity, std::uint32_t stored_plane) {
    const std::size_t sites = domain_.sites_in_plane() / 2;
    return groups_[batch].spins[0].data() + (parity * words_per_parity() + stored_plane * sites) * replicas_;
  }
  std::size_t plane_bytes() const { return domain_.sites_in_plane() / 2 * replicas_ * sizeof(W); }

  /// True if rounds are more than half sweeps: exchanges or sums.
  bool does_rounds() const { return system_.slots() > 1 || system_.round.rounds_per_sum != 0; }
  /// True if a thread does all rounds of a batch: if that leaves no thread idle for long.
  bool is_private_to_thread() const {
    const auto threads = static_cast<std::size_t>(threads_);
    return own_.count == system_.slots() && (batches() % threads == 0 || batches() >= 8 * threads);
  }
  /// Units of a slot that a round sweeps independently: single replicas if a team shares a batch, else all together.
  std::size_t units() const { return is_shared() || is_private_to_thread() || threads_ == 1 ? 1 : replicas_; }
  /// The half sweeps of a round of one unit, and its energies.
  void sweep(std::size_t batch, std::size_t slot, std::size_t unit, std::uint64_t round, ResidualQueue<W>& queue,
             Memory& memory);
  /// Exchange groups of a round that have own slots: pairs of slots, or one slot at an end of the grid.
  Slots exchange_groups(std::uint64_t round) const;
  /// The exchange of a group and, if it is time, its sums, as far as they concern own slots.
  void finish_group(std::size_t batch, std::size_t group, std::uint64_t round, Memory& memory);

  /// The data of a slot that another process needs to exchange with it.
  std::size_t message_bytes() const;
  void pack(std::size_t batch, std::size_t slot, std::byte* message) const;
  void unpack(std::size_t batch, std::size_t slot, const std::byte* message);

  Observation observe() const;
  Sums sums() const;
  void clear_sums();
  PackedSigns packed_spins(std::size_t slot) const;
  PackedSigns packed_couplings() const;
  PackedSigns packed_fields() const;
  std::vector<FlowLabel> flow_labels() const;
  void restore_spins(std::size_t slot, const PackedSigns& spins);
  void restore_disorder(const PackedSigns& couplings, const PackedSigns& fields);
  void restore(const std::vector<FlowLabel>& labels, const Sums& sums);

 private:
  using Group = WordGroup<W>;
  static constexpr bool allows_shared = T::has_couplings && !T::has_field;
  /// Replicas of a site are updated in pairs, which share its field and its neighbours' addresses. Narrow words have
  /// too few registers.
  static constexpr bool updates_pairs = W::packs > 2;
  /// Larger slots of three dimensions are updated in tiles of so many rows (tiles.hpp). Independent numbers take more
  /// time than memory does, except in very large lattices, and each tile leaves residual lanes that fill no batch.
  struct TileSize {
    std::size_t largest_untiled_slot;
    std::uint32_t rows;
  };
  static constexpr TileSize tile_of_shared{std::size_t{4} << 20, 4}, tile_of_independent{std::size_t{128} << 20, 16};
  TileSize tile() const { return is_shared() ? tile_of_shared : tile_of_independent; }

  std::size_t stored(std::size_t slot) const { return slot - stored_.first; }
  bool is_own(std::size_t slot) const { return slot >= own_.first && slot < own_.first + own_.count; }
  bool is_shared() const { return allows_shared && system_.random == Random::shared; }
  std::size_t words_per_parity() const { return domain_.stored_per_parity(); }
  std::uint32_t address_of(std::uint32_t i) const;

  /// A share without samples, to compute bytes.
  static SamplePacked without_samples(System system, const Share& share);
  /// Calls f for every array of a word group; see MakeArrays. The sums are those of clear_sums().
  template <class F>
  void for_each_array(Group& group, F& f) const;
  template <class F>
  void for_each_array_of_sums(TemperingState<W>& state, F& f) const;
  void start_labels(TemperingState<W>& state) const;
  Memory make_memory() const;
  void start(Group& group) const;
  template <class Store>
  void draw(const Group& group, Key key, std::size_t slot, std::uint32_t group_of_words, Store store) const;
  void draw_couplings(Group& group) const;
  void fill_spins(Group& group, std::size_t slot) const;

  SlotView<W> slot_view(const Group& group, std::size_t slot, std::size_t first_replica) const;
  void update_rows(Group& group, std::size_t slot, ReplicaRange replicas, HalfSweeps half_sweeps, RowRange rows,
                   ResidualQueue<W>& queue) const;
  template <class Stride>
  void update_shared(Group& group, std::size_t slot, HalfSweeps half_sweeps, RowRange rows, Stride replicas) const;
  template <class Scheme, int COUNT, class Stride>
  void update_independent(Group& group, std::size_t slot, ReplicaRange replicas, HalfSweeps half_sweeps, RowRange rows,
                          ResidualQueue<W>& queue, Stride all_replicas) const;
  void store_energies(Group& group, std::size_t slot, ReplicaRange replicas, Memory& memory) const;
  void exchange_pair(Group& group, std::size_t cold, std::uint64_t round) const;
  W accepted_lanes(Group& group, std::size_t cold, std::size_t replica, const std::uint32_t* numbers) const;
  void relabel_hottest(Group& group) const;
  void count_round_trips(Group& group) const;
  void add_to_sums(Group& group, std::size_t slot, Memory& memory) const;
  void add_replica(Group& group, std::size_t slot, std::size_t replica, const Measurement<W, T>& measured) const;
  void add_pair(Group& group, std::size_t slot, std::size_t pair, const Measurement<W, T>& measured) const;
  void count_flow(Group& group, std::size_t slot) const;
  void count_overlaps(std::int32_t* counts, std::int64_t* link_sums, const Measurement<W, T>& measured) const;

  /// Calls f(word group, lane, sample) for every sample of the job.
  template <class F>
  void for_each_sample(F f) const;
  template <class Groups, class AllSums, class Copy>
  void for_each_sum(Groups& groups, AllSums& sums, Copy copy) const;
  /// The rows of the samples of a word group, from `first` of the job's first sample on, `stride` words apart.
  template <class Bits>
  LaneRows<Bits> sample_rows(const Group& group, Bits* first, std::size_t stride) const {
    return {first + group.first_sample * stride, stride, group.first_lane, group.end_lane};
  }
  Checkerboard board(std::uint32_t stored_plane, std::size_t sites, std::size_t per_site) const;
  template <class WordsOf>
  PackedSigns packed(WordsOf words_of, std::size_t per_site) const;
  template <class WordsOf>
  void restore_rows(const PackedSigns& full, std::size_t per_site, WordsOf words_of);

  System system_;
  Slots own_, stored_;
  Domain<D> domain_;
  std::uint32_t replicas_;
  int threads_;
  std::vector<FieldThresholds> thresholds_;  ///< of each slot
  FieldScheme scheme_;
  ExchangeTable exchange_;
  FourierTable table_;
  SumLists lists_;
  Slots own_links_;                                         ///< places of own slots in SumLists::link_slots
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  ///< of replicas that have sums
  mutable std::vector<Memory> memories_;                    ///< one for each thread
  std::vector<Group> groups_;
};

}  // namespace psflip::cpu

#include "engine/cpu/samples/canonical.ipp"
#include "engine/cpu/samples/exchange.ipp"
#include "engine/cpu/samples/message.ipp"
#include "engine/cpu/samples/state.ipp"
#include "engine/cpu/samples/sums.ipp"
#include "engine/cpu/samples/update.ipp"
