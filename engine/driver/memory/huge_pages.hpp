#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <memory>

namespace psflip {

/// Asks the kernel for huge pages in memory that nothing has written yet, except the ends that share a huge page with
/// other memory. The page table of large lattices then has fewer entries. Without effect where there are none.
inline void advise_huge_pages(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = std::size_t{2} << 20;
  void* first = memory;
  if (std::align(page, page, first, bytes) == nullptr) return;  // no whole page; else `bytes` counts from `first`
  madvise(first, bytes / page * page, MADV_HUGEPAGE);           // only advice: may fail
#endif
}

}  // namespace psflip
