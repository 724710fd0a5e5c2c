// Pieces of an output in the order of time, whatever order they are made in: complete durations
// stand in an archive where they end, and a format may want to hear of their begin first.
//
// Invariant: memory is bounded; what is more waits in temporary files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>

#include <barefxt/host/outcome.h>
#include <barefxt/host/spilling_sorter.h>
#include <barefxt/host/spooled_array.h>

namespace barefxt::host {

// What decides where a piece goes; of pieces of which all this is equal the one added first is
// first.
struct PieceOrder {
  std::uint64_t time = 0;
  std::uint32_t rank = 0;    // among those of one time
  std::uint64_t within = 0;  // among those of one rank
  std::uint64_t then = 0;    // among those
};

class SortedPieces {
 public:
  [[nodiscard]] Outcome add(const PieceOrder& order, std::string_view piece) {
    if (Outcome failure = bytes_.reserve(piece.size())) return failure;
    std::memcpy(bytes_.data() + bytes_.size(), piece.data(), piece.size());
    const std::uint64_t at = bytes_.size();
    bytes_.grow(piece.size());
    added_ += piece.size();
    if (added_ >= kForgetBytes) {
      bytes_.release_memory();
      added_ = 0;
    }
    return sorter_.add({order, at, piece.size()});
  }

  // Calls `see` with each piece, in order.
  template <typename See>
  [[nodiscard]] Outcome take(const See& see) {
    std::size_t taken = 0;
    return sorter_.take([&](const Element& element) {
      see(std::string_view(reinterpret_cast<const char*>(bytes_.data()) + element.at,
                           element.bytes));
      // Each may be anywhere, and bring the pages around it into memory.
      if (++taken % kForgetTaken == 0) bytes_.release_memory();
    });
  }

 private:
  static constexpr std::size_t kElements = std::size_t{1} << 18;
  static constexpr std::size_t kForgetBytes = std::size_t{8} << 20;
  static constexpr std::size_t kForgetTaken = 1024;

  struct Element {
    PieceOrder order;
    std::uint64_t at;  // which grows from piece to piece
    std::uint64_t bytes;
  };
  struct Before {
    bool operator()(const Element& x, const Element& y) const {
      const auto key = [](const Element& e) {
        return std::tie(e.order.time, e.order.rank, e.order.within, e.order.then, e.at);
      };
      return key(x) < key(y);
    }
  };

  SpooledBytes bytes_;
  SpillingSorter<Element, Before> sorter_{kElements};
  std::size_t added_ = 0;  // since pages were given back
};

}  // namespace barefxt::host
