// The index of a log: which stretch of it is whose, from when.
#include <algorithm>

#include <barefxt/host/xray_log.h>

#include "../archive/spilling_sorter.h"

namespace barefxt::host {
namespace {

constexpr size_t kStretchesInMemory = size_t{1} << 14;

struct StretchBefore {
  bool operator()(const XrayLog::Stretch& a, const XrayLog::Stretch& b) const {
    if (a.id != b.id) return a.id < b.id;
    if (a.first_tsc != b.first_tsc) return a.first_tsc < b.first_tsc;
    return a.place.at < b.place.at;
  }
};

}  // namespace

Result<std::unique_ptr<XrayLog>> XrayLog::open(Bytes bytes, const std::string& name,
                                               ReleaseBefore release_before) {
  Result<XrayReader> reader = XrayReader::open(bytes, name);
  if (!reader.ok()) return reader.error();
  std::unique_ptr<XrayLog> log(new XrayLog(reader.value(), std::move(release_before)));
  if (Status status = log->index(); !status.ok()) return status.error();
  return log;
}

Status XrayLog::index() {
  SpillingSorter<Stretch, StretchBefore> sorter({.elements = kStretchesInMemory});
  std::optional<uint64_t> stretch;
  bool any = false;
  while (const XrayRecord* record = reader_.next()) {
    release_before(reader_.position());
    (record->kind < XrayKind::kCustomEvent ? calls_ : events_) += 1;
    first_tsc_ = any ? std::min(first_tsc_, record->tsc) : record->tsc;
    any = true;
    if (stretch == reader_.preamble().offset) continue;
    stretch = reader_.preamble().offset;
    if (Status status = sorter.add(
            {.id = record->thread, .first_tsc = record->tsc, .place = reader_.preamble_place()});
        !status.ok())
      return status;
  }
  Status kept;
  const Status sorted = sorter.take([&](const Stretch& one, std::string_view) {
    if (kept.ok()) kept = stretches_.push_back(one);
    if (stretches_.size() % kStretchesInMemory == 0) stretches_.release_memory();
  });
  if (!sorted.ok() || !kept.ok()) return sorted.ok() ? kept : sorted;
  const std::span<const Stretch> all = std::as_const(stretches_).all();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i - 1].id != all[i].id) {
      if (threads_.size() == kMaxThreads) {
        ++threads_left_out_;
        continue;
      }
      threads_.push_back({.id = all[i].id, .wall_clock = {}, .first_stretch = i});
    }
    if (threads_left_out_ == 0) ++threads_.back().stretches;
  }
  for (Thread& thread : threads_) {
    XrayReader reader = reader_;
    reader.go_to(all[thread.first_stretch].place);
    if (const XrayRecord* record = reader.next()) thread.first_cpu = record->cpu;
    thread.wall_clock = reader.preamble().wall_clock;
  }
  return {};
}

}  // namespace barefxt::host
