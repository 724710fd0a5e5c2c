// Sorts more than fits into memory: what comes is sorted a run at a time, runs go to a temporary
// file, and are merged when they are taken out. An element may bring bytes along.
//
// Invariants: memory is that of one run and of the longest bytes of an element, for any input;
// elements are plain data. `Before` leaves no two of them equal.
#pragma once

#include <algorithm>
#include <cstring>
#include <queue>
#include <string_view>
#include <type_traits>
#include <vector>

#include <barefxt/host/status.h>

#include "spill_file.h"

namespace barefxt::host {

// How much memory a sorter takes.
struct SorterRoom {
  size_t elements;
  size_t bytes = size_t{8} << 20;  // that came along
  size_t runs = size_t{1} << 10;   // more are merged before they are taken out
};

template <typename T, typename Before>
class SpillingSorter {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SpillingSorter(const SorterRoom& room) : room_(room) {}

  Status add(const T& element, std::string_view bytes = {}) {
    run_.push_back({element, static_cast<uint32_t>(bytes.size()), bytes_.size()});
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return run_.size() < room_.elements && bytes_.size() < room_.bytes ? Status{} : spill();
  }

  // Calls `see` with each element and its bytes, in order.
  template <typename See>
  Status take(const See& see) {
    if (ends_.empty()) {
      sort_run();
      for (const Entry& entry : run_) see(entry.element, bytes_of(entry));
      return {};
    }
    if (Status status = spill(); !status.ok()) return status;
    run_ = {};
    bytes_ = {};
    return merge(see);
  }

  size_t runs() const { return ends_.size(); }

 private:
  struct Entry {
    T element;
    uint32_t size;
    size_t at;  // of the bytes
  };
  // The next element of a run.
  struct Head {
    SpillReader reader;
    T element;
    std::string_view bytes;
  };

  void sort_run() {
    std::sort(run_.begin(), run_.end(),
              [](const Entry& x, const Entry& y) { return Before{}(x.element, y.element); });
  }
  std::string_view bytes_of(const Entry& entry) const {
    return std::string_view(bytes_.data(), bytes_.size()).substr(entry.at, entry.size);
  }

  static Status put(SpillFile& file, const T& element, std::string_view bytes) {
    const auto size = static_cast<uint32_t>(bytes.size());
    const auto raw = [](const auto& value) {
      return std::span(reinterpret_cast<const uint8_t*>(&value), sizeof value);
    };
    if (Status status = file.append(raw(size)); !status.ok()) return status;
    if (Status status = file.append(raw(element)); !status.ok()) return status;
    return file.append({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  }

  // Reads the next element of a run that has one left.
  static Status read(Head& head) {
    const uint8_t* where = nullptr;
    uint32_t size = 0;
    if (Status status = head.reader.next(sizeof size, where); !status.ok()) return status;
    std::memcpy(&size, where, sizeof size);
    if (Status status = head.reader.next(sizeof(T) + size, where); !status.ok()) return status;
    std::memcpy(&head.element, where, sizeof(T));
    head.bytes = {reinterpret_cast<const char*>(where) + sizeof(T), size};
    return {};
  }

  Status spill() {
    sort_run();
    for (const Entry& entry : run_) {
      if (Status status = put(spilled_, entry.element, bytes_of(entry)); !status.ok())
        return status;
    }
    run_.clear();
    bytes_.clear();
    ends_.push_back(spilled_.size());
    return ends_.size() < room_.runs ? Status{} : join_runs();
  }

  // One run of all.
  Status join_runs() {
    SpillFile joined;
    Status kept;
    const Status merged = merge([&](const T& element, std::string_view bytes) {
      if (kept.ok()) kept = put(joined, element, bytes);
    });
    if (!merged.ok() || !kept.ok()) return merged.ok() ? kept : merged;
    spilled_ = std::move(joined);
    ends_ = {spilled_.size()};
    return {};
  }

  template <typename See>
  Status merge(const See& see) {
    if (Status status = spilled_.flush(); !status.ok()) return status;
    constexpr size_t kBuffers = size_t{4} << 20;
    constexpr size_t kMinBuffer = size_t{1} << 12;
    const size_t buffer = std::max(kMinBuffer, kBuffers / ends_.size());
    std::vector<Head> heads;
    heads.reserve(ends_.size());
    uint64_t begin = 0;
    for (const uint64_t end : ends_) {
      if (begin < end) heads.push_back({SpillReader(spilled_, begin, end, buffer), {}, {}});
      begin = end;
    }
    const auto later = [](const Head* x, const Head* y) {
      return Before{}(y->element, x->element);
    };
    std::priority_queue<Head*, std::vector<Head*>, decltype(later)> queue(later);
    for (Head& head : heads) {
      if (Status status = read(head); !status.ok()) return status;
      queue.push(&head);
    }
    while (!queue.empty()) {
      Head& head = *queue.top();
      queue.pop();
      see(head.element, head.bytes);
      if (head.reader.at_end()) continue;
      if (Status status = read(head); !status.ok()) return status;
      queue.push(&head);
    }
    return {};
  }

  SorterRoom room_;
  std::vector<Entry> run_;
  std::vector<char> bytes_;  // of the run
  SpillFile spilled_;
  std::vector<uint64_t> ends_;  // of runs
};

}  // namespace barefxt::host
