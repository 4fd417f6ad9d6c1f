#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace psflip {

/// Asks the kernel for huge pages in memory that nothing has written yet, except the ends that share a huge page with
/// other memory. The page table of large lattices then has fewer entries. Without effect where there are none.
inline void advise_huge_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // only advice: may fail
#endif
}

}  // namespace psflip
