// Two passes: what stands at --from, then the bytes of everything that is kept.
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <barefxt/host/archive_writer.h>
#include <barefxt/host/selected_archive.h>

namespace barefxt::host {
namespace {

// No time, and no thread that did it.
bool is_definition(const Record& record) {
  return !timestamp_of(record) && !std::holds_alternative<Blob>(record.content) &&
         !std::holds_alternative<LargeBlob>(record.content) &&
         !std::holds_alternative<Unknown>(record.content) && !record.is_malformed();
}

// The offsets of records that stand at a time, of those seen before it.
class Standing {
 public:
  void see(const Record& record, uint64_t time) {
    const At at{time, record.offset};
    if (const auto* event = std::get_if<Event>(&record.content)) {
      see(*event, record.provider.value_or(kNoProvider), at);
      return;
    }
    const Properties properties = properties_of(record);
    if (!properties.cpu) return;
    const bool is_wakeup = std::holds_alternative<ThreadWakeup>(record.content);
    const auto threads = std::span(properties.threads).first(properties.thread_count);
    if (is_wakeup) {
      for (const uint64_t thread : threads) put(wakeups_, thread, at);
    } else if (threads.size() == 2) {
      see_switch(*properties.cpu, threads[0], threads[1], at);
    } else {
      // One of its threads was never registered.
      put(of_cpu_, *properties.cpu, {at, {}, {}});
      for (const uint64_t thread : threads) put(switches_, thread, {at, {}, {}});
    }
  }

  std::vector<uint64_t> offsets() const {
    std::vector<uint64_t> all;
    const auto add = [&](const auto& map) {
      for (const auto& [key, at] : map) all.push_back(at.offset);
    };
    for (const auto* switches : {&of_cpu_, &switches_})
      for (const auto& [key, one] : *switches) {
        all.push_back(one.at.offset);
        all.insert(all.end(), one.needed.begin(), one.needed.end());
      }
    add(spans_);
    add(flows_);
    add(counters_);
    for (const auto& [koid, at] : wakeups_) {
      const auto last = switches_.find(koid);
      if (last == switches_.end() || last->second.at < at) all.push_back(at.offset);
    }
    for (const auto& [thread, open] : open_) all.insert(all.end(), open.begin(), open.end());
    std::ranges::sort(all);
    return all;
  }

 private:
  static constexpr size_t kMax = size_t{1} << 16;  // of each kind
  struct At {
    uint64_t time;
    uint64_t offset;
    auto operator<=>(const At&) const = default;
  };
  struct Switch {
    At at;
    std::optional<uint64_t> in;
    std::vector<uint64_t> needed;  // offsets of switches that it is not understood without
    auto operator<=>(const Switch&) const = default;
  };
  static constexpr size_t kMaxNeeded = 32;
  using Labelled = std::tuple<uint64_t, uint64_t, std::string_view, std::string_view>;

  template <typename Map, typename Key>
  static void put(Map& map, const Key& key, const typename Map::mapped_type& at) {
    const auto found = map.find(key);
    if (found != map.end())
      found->second = std::max(found->second, at);
    else if (map.size() < kMax)
      map.emplace(key, at);
  }

  // A thread may come in on a CPU before the one that it ran on records its leaving. A switch of
  // such a thread means something else than it says by itself: it needs those that show what came
  // before.
  void see_switch(unsigned cpu, uint64_t out, uint64_t in, const At& at) {
    Switch one{at, in, {}};
    const auto before = of_cpu_.find(cpu);
    const auto awaited = awaited_.find(out);
    const bool is_awaited = awaited != awaited_.end();
    const bool is_late = is_awaited && awaited->second == cpu;
    if (is_awaited && before != of_cpu_.end()) need(one, before->second);
    if (is_late) {
      if (const auto last = switches_.find(out); last != switches_.end()) need(one, last->second);
      if (const auto woken = wakeups_.find(out); woken != wakeups_.end())
        one.needed.push_back(woken->second.offset);
      awaited_.erase(awaited);
    } else if (const auto runs_on = runs_on_.find(out); runs_on != runs_on_.end()) {
      if (runs_on->second != cpu) set(awaited_, out, runs_on->second);
      runs_on_.erase(runs_on);
    }
    // That CPU has not recorded the leaving that was awaited of it, and will not.
    if (before != of_cpu_.end() && before->second.in != out)
      if (const auto other = awaited_.find(before->second.in.value_or(out));
          other != awaited_.end() && other->second == cpu)
        awaited_.erase(other);
    if (const auto came = runs_on_.find(in); came != runs_on_.end() && came->second != cpu)
      set(awaited_, in, came->second);
    set(runs_on_, in, cpu);
    put(of_cpu_, cpu, one);
    put(switches_, out, one);
    put(switches_, in, one);
  }
  static void set(std::map<uint64_t, unsigned>& cpus, uint64_t thread, unsigned cpu) {
    if (cpus.size() < kMax || cpus.contains(thread)) cpus[thread] = cpu;
  }
  static void need(Switch& one, const Switch& other) {
    if (other.needed.size() + one.needed.size() >= kMaxNeeded) return;
    one.needed.insert(one.needed.end(), other.needed.begin(), other.needed.end());
    one.needed.push_back(other.at.offset);
  }

  void see(const Event& event, uint64_t provider, const At& at) {
    using fxt::EventType;
    const Labelled label{provider, event.trailing, event.category.bytes, event.name.bytes};
    const std::pair thread{event.thread.process, event.thread.thread};
    switch (event.type) {
      case EventType::kDurationBegin:
        if (open_count_ == kMax) return;
        open_[thread].push_back(at.offset);
        ++open_count_;
        return;
      case EventType::kDurationEnd: {
        const auto open = open_.find(thread);
        if (open == open_.end() || open->second.empty()) return;
        open->second.pop_back();
        --open_count_;
        return;
      }
      case EventType::kAsyncBegin:
        return put(spans_, label, at);
      case EventType::kAsyncEnd:
        spans_.erase(label);
        return;
      case EventType::kFlowBegin:
        return put(flows_, std::pair{provider, event.trailing}, at);
      case EventType::kFlowEnd:
        flows_.erase(std::pair{provider, event.trailing});
        return;
      case EventType::kCounter:
        return put(counters_, label, at);
      case EventType::kInstant:
        if (event.name.bytes == "thread_wakeup" && event.thread.registered)
          put(wakeups_, event.thread.thread, at);
        return;
      default:
        return;
    }
  }

  std::map<uint64_t, Switch> of_cpu_;
  std::map<uint64_t, Switch> switches_;   // by thread
  std::map<uint64_t, unsigned> runs_on_;  // by thread
  std::map<uint64_t, unsigned> awaited_;  // by thread, the CPU that has not recorded its leaving
  std::map<uint64_t, At> wakeups_;        // by thread
  std::map<std::pair<uint64_t, uint64_t>, std::vector<uint64_t>> open_;
  size_t open_count_ = 0;
  std::map<Labelled, At> spans_;
  std::map<std::pair<uint64_t, uint64_t>, At> flows_;
  std::map<Labelled, At> counters_;
};

std::vector<uint64_t> standing_at_from(Source& source, Form form, RecordFilter& filter) {
  if (filter.stretch().from == 0) return {};
  Standing standing;
  Reader reader(source.bytes(), form);
  reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
  while (const Record* record = reader.next()) {
    source.release_before(record->offset);
    const auto time = filter.time_of(*record, reader.provider());
    if (time && *time < filter.stretch().from && filter.keeps_at_any_time(*record))
      standing.see(*record, *time);
  }
  source.release_before(0);
  return standing.offsets();
}

}  // namespace

Result<Source> selected_archive(Source& source, Form form, RecordFilter& filter, Reader& reader) {
  std::string damage = source.damage();
  const std::vector<uint64_t> standing = standing_at_from(source, form, filter);
  const auto write = [&](ByteSink& sink) -> Status {
    const auto put = [&](std::string_view bytes) {
      return sink.write({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    };
    // A selection of nothing is an archive, too.
    if (!starts_as_archive(source.bytes())) {
      ArchiveWriter writer(sink, form.byte_order);
      writer.magic_number();
      if (Status status = writer.flush(); !status.ok()) return status;
    }
    reader.on_passed([&](uint64_t offset) { source.release_before(offset); });
    auto next = standing.begin();
    while (const Record* record = reader.next()) {
      source.release_before(record->offset);
      while (next != standing.end() && *next < record->offset) ++next;
      const bool stands = next != standing.end() && *next == record->offset;
      if (!filter.keeps(*record, reader.provider()) && !stands && !is_definition(*record)) continue;
      if (Status status = put(record->raw); !status.ok()) return status;
    }
    reader.on_passed({});
    if (reader.malformed_places() > 0 || source.has_shrunk()) damage = "a part cannot be read";
    return {};
  };
  return Source::written(source.name(), write, damage);
}

}  // namespace barefxt::host
