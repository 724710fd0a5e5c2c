// A set of lengths of time: how many, their sum and extremes, where the longest is, and any
// quantile, in memory that does not grow with the set.
//
// Quantiles are by nearest rank: the smallest length that at least the asked share of all does not
// exceed. Up to kKept lengths they are exact. Beyond, lengths are counted in classes: those below
// 64 one by one, of each power of two above 64 classes of one width. A quantile is then the middle
// of its class, which is off by at most half a width, so by at most 1/128 of the true value. With
// Precision::kExact every length is kept, in eight bytes each.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace barefxt::host {

// Where something was: from a time to a time, and the offset of the record that ended it.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;

  std::uint64_t length() const { return end - begin; }
};

enum class Precision : std::uint8_t { kSketch, kExact };

class Distribution {
 public:
  static constexpr double kRelativeError = 1.0 / 128;
  static constexpr std::size_t kKept = 64;

  // `extent` ends no earlier than it begins.
  void add(const Extent& extent, Precision precision);
  // All lengths of `other`, which has the same precision.
  void add(const Distribution& other, Precision precision);

  std::uint64_t count() const { return count_; }
  std::uint64_t total() const { return total_; }
  std::uint64_t shortest() const { return shortest_; }
  std::uint64_t longest() const { return longest_.length(); }
  // The first of the longest.
  const Extent& longest_extent() const { return longest_; }
  double mean() const;

  // Of a thousand lengths, so many are no longer than this; 0 of an empty set.
  std::uint64_t quantile(std::uint64_t per_mille) const;
  // The length that has so many up to it, itself included, from 1 to count(); 0 of an empty set.
  std::uint64_t at_rank(std::uint64_t rank) const;
  // Of each limit, in rising order, how many lengths do not exceed it: exact where quantiles are.
  // Else the middle of a class stands for its lengths.
  std::vector<std::uint64_t> counts_up_to(std::span<const std::uint64_t> limits) const;
  std::uint64_t count_above(std::uint64_t limit) const;

 private:
  static constexpr unsigned kBits = 6;
  static constexpr std::size_t kClasses = std::size_t{1} << kBits;
  using Classes = std::array<std::uint64_t, kClasses>;

  void classify(std::uint64_t length);
  void classify_kept(const std::vector<std::uint64_t>& lengths);
  Classes& row(std::size_t power);
  // Calls `see` with each length and how many there are of it, rising where there are classes.
  template <typename See>
  void for_each_length(const See& see) const;

  std::uint64_t count_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t shortest_ = 0;
  Extent longest_;
  std::vector<std::uint64_t> kept_;                // all lengths, or none where there are classes
  std::vector<std::unique_ptr<Classes>> classes_;  // by power of two; null where there is none
};

}  // namespace barefxt::host
