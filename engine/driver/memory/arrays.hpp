#pragma once
#include <cstddef>
#include <initializer_list>
#include <vector>

#include "engine/driver/memory/huge_pages.hpp"

/// Arrays that are made, or whose bytes are only counted. A class that holds large arrays lists each of them once, in a
/// function that calls f(array, shape) or f(list of arrays, arrays, shape). MakeArrays and CountArrays are such f, so
/// the memory of a job is known before it is allocated and cannot differ from what is allocated.
namespace psflip {

using Shape = std::initializer_list<std::size_t>;

/// Elements of an array. double: beyond 2^64 the number of bytes is still right and is refused.
inline double elements_of(Shape shape) {
  double n = 1;
  for (const std::size_t length : shape) n *= static_cast<double>(length);
  return n;
}

/// Makes arrays of zeros.
struct MakeArrays {
  template <class T>
  void operator()(std::vector<T>& array, Shape shape) const {
    array.reserve(size_of(shape));
    advise_huge_pages(array.data(), array.capacity() * sizeof(T));
    array.assign(size_of(shape), T{});
  }
  template <class T>
  void operator()(std::vector<std::vector<T>>& list, std::size_t arrays, Shape shape) const {
    list.resize(arrays);  // in place: a copied temporary would leave holes of the size of an array in the heap
    for (std::vector<T>& array : list) (*this)(array, shape);
  }

 private:
  static std::size_t size_of(Shape shape) {
    std::size_t n = 1;
    for (const std::size_t length : shape) n *= length;
    return n;
  }
};

/// Counts the bytes of the same arrays.
struct CountArrays {
  double bytes = 0;

  template <class T>
  void operator()(const std::vector<T>&, Shape shape) {
    bytes += sizeof(T) * elements_of(shape) + bytes_of_allocation;
  }
  template <class T>
  void operator()(const std::vector<std::vector<T>>&, std::size_t arrays, Shape shape) {
    const double one = sizeof(T) * elements_of(shape) + sizeof(std::vector<T>) + bytes_of_allocation;
    bytes += static_cast<double>(arrays) * one + bytes_of_allocation;
  }

 private:
  static constexpr double bytes_of_allocation = 16;  ///< of the allocator for an array (glibc)
};

}  // namespace psflip
