// The index of a log: which stretch of it is whose, from when.
#include <algorithm>

#include <barefxt/host/xray_log.h>

namespace barefxt::host {

Result<std::unique_ptr<XrayLog>> XrayLog::open(Bytes bytes, const std::string& name) {
  Result<XrayReader> reader = XrayReader::open(bytes, name);
  if (!reader) return reader.error();
  std::unique_ptr<XrayLog> log(new XrayLog(reader.value()));
  if (Outcome failure = log->index()) return *failure;
  return log;
}

Outcome XrayLog::index() {
  std::optional<uint64_t> stretch;
  bool any = false;
  while (const XrayRecord* record = reader_.next()) {
    (record->kind < XrayKind::kCustomEvent ? calls_ : events_) += 1;
    first_tsc_ = any ? std::min(first_tsc_, record->tsc) : record->tsc;
    any = true;
    if (stretch == reader_.preamble().offset) continue;
    stretch = reader_.preamble().offset;
    if (Outcome failure = stretches_.push_back(
            {.id = record->thread, .first_tsc = record->tsc, .place = reader_.preamble_place()}))
      return failure;
  }
  const std::span<Stretch> all = stretches_.all();
  std::sort(all.begin(), all.end(), [](const Stretch& a, const Stretch& b) {
    if (a.id != b.id) return a.id < b.id;
    if (a.first_tsc != b.first_tsc) return a.first_tsc < b.first_tsc;
    return a.place.at < b.place.at;
  });
  for (size_t i = 0; i < all.size(); ++i) {
    if (threads_.empty() || threads_.back().id != all[i].id)
      threads_.push_back({.id = all[i].id, .wall_clock = {}, .first_stretch = i});
    ++threads_.back().stretches;
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
