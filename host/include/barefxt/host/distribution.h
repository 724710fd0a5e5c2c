// A set of lengths of time: how many, their sum and extremes, where the longest is, and any
// quantile, in memory that does not grow with the set.
//
// Quantiles are by nearest rank: the smallest length that at least the asked share of all does not
// exceed. Up to kKept lengths they are exact. Beyond, lengths are counted in classes: those below
// 64 one by one, of each power of two above 64 classes of one width. A quantile is then the middle
// of its class, which is off by at most half a width, so by at most 1/128 of the true value. With
// Precision::kExact every length is kept, in eight bytes each.
//
// Classes of one power of two are a row. Many sets may share a DistributionRoom, which limits the
// rows of all of them; a length that would need one more is left out of its set, and counted.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace barefxt::host {

// A stretch of time, and the offset of the record that ended it.
struct Extent {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t offset = 0;

  uint64_t length() const { return end - begin; }
};

enum class Precision : uint8_t { kSketch, kExact };

class DistributionRoom {
 public:
  static constexpr size_t kMaxRows = size_t{1} << 17;  // of 512 bytes

  // Counts a length as left out if it needs more rows.
  bool take(size_t rows) {
    if (rows > kMaxRows - rows_) {
      ++left_out_;
      return false;
    }
    rows_ += rows;
    return true;
  }
  size_t rows() const { return rows_; }
  uint64_t left_out() const { return left_out_; }

 private:
  size_t rows_ = 0;
  uint64_t left_out_ = 0;
};

class Distribution {
 public:
  static constexpr double kRelativeError = 1.0 / 128;
  static constexpr size_t kKept = 64;

  Distribution() = default;
  Distribution(Distribution&&) = default;
  Distribution(const Distribution& other) { *this = other; }
  Distribution& operator=(Distribution&&) = default;
  Distribution& operator=(const Distribution& other);
  ~Distribution() = default;

  // `extent` ends no earlier than it begins. Without a room there is no limit.
  void add(const Extent& extent, Precision precision, DistributionRoom* room = nullptr);
  // All lengths of `other`, which has the same precision. Takes no more rows than both have.
  void add(const Distribution& other, Precision precision);

  uint64_t count() const { return count_; }
  uint64_t total() const { return total_; }
  uint64_t shortest() const { return shortest_; }
  uint64_t longest() const { return longest_.length(); }
  // The first of the longest.
  const Extent& longest_extent() const { return longest_; }
  double mean() const;

  // Returns the length that `per_mille` of a thousand lengths do not exceed; 0 for an empty set.
  uint64_t quantile(uint64_t per_mille) const;
  // Calls `see` with the shortest and the longest length of each class and how many lengths are in
  // it. A length that is kept is a class of its own. In no order.
  void for_each_class(
      const std::function<void(uint64_t low, uint64_t high, uint64_t count)>& see) const;
  // Counts the lengths that do not exceed each limit, in rising order: exact where quantiles are.
  // Else the middle of a class stands for its lengths.
  std::vector<uint64_t> counts_up_to(std::span<const uint64_t> limits) const;
  uint64_t count_above(uint64_t limit) const;

 private:
  static constexpr unsigned kBits = 6;
  static constexpr size_t kClasses = size_t{1} << kBits;
  using Classes = std::array<uint64_t, kClasses>;

  static size_t power_of(uint64_t length);
  size_t rows_wanted(uint64_t length) const;
  void classify(uint64_t length);
  void classify_kept(const std::vector<uint64_t>& lengths);
  Classes& row(size_t power);
  // The length that stands for all of a class.
  uint64_t middle_of(uint64_t low, uint64_t high) const;

  uint64_t count_ = 0;
  uint64_t total_ = 0;
  uint64_t shortest_ = 0;
  Extent longest_;
  std::vector<uint64_t> kept_;                     // all lengths, or none where there are classes
  std::vector<std::unique_ptr<Classes>> classes_;  // by power of two; null where there is none
};

}  // namespace barefxt::host
