#include "archive_losses.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "../archive/archive_provider.h"
#include "../archive/own_events.h"

namespace barefxt::host {
namespace {

// True if the bytes hold this text anywhere.
bool holds(Bytes bytes, std::string_view text, const Reader::Passed& passed) {
  constexpr size_t kStep = size_t{1} << 20;
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (size_t at = 0; at < all.size(); at += kStep) {
    if (all.substr(at, kStep + text.size()).find(text) != std::string_view::npos) return true;
    if (passed) passed(at);
  }
  return false;
}

bool has_added(const Record& record) {
  if (const auto* event = std::get_if<Event>(&record.content)) return is_added(event->arguments);
  const auto* change = std::get_if<ContextSwitch>(&record.content);
  return change != nullptr && is_added(change->arguments);
}

int32_t outgoing_weight(const Arguments& arguments) {
  const std::optional<Argument> found = arguments.find("outgoing_weight");
  return found && found->type == fxt::ArgumentType::kInt32 ? found->as_int32() : 0;
}

}  // namespace

std::optional<uint64_t> moment_of(const Record& record) {
  if (const auto* event = std::get_if<Event>(&record.content)) {
    if (is_loss(*event)) return std::nullopt;
    if (is_complete(*event)) return event->trailing;
  }
  return timestamp_of(record);
}

std::optional<unsigned> cpu_of_thread(const ThreadId& thread) {
  if (!thread.registered || thread.process != kCpusProcess || thread.thread < kFirstCpuThread)
    return {};
  return static_cast<unsigned>(thread.thread - kFirstCpuThread);
}

class ArchiveLosses::Search {
 public:
  explicit Search(ArchiveLosses& losses) : losses_(losses) {}

  void finish() {
    for (const uint64_t provider : done_) losses_.of_providers_.erase(provider);
  }

  void see(const Record& record) {
    const uint64_t provider = provider_key(record);
    const std::optional<uint64_t> notice = notice_;
    notice_.reset();
    if (has_added(record) && done_.size() < kMaxCpus) done_.insert(provider);
    if (const auto* event = std::get_if<ProviderEvent>(&record.content)) {
      if (event->event == fxt::ProviderEvent::kBufferFull) notice_ = record.offset;
    } else if (const auto* slice = std::get_if<Event>(&record.content); slice && is_loss(*slice)) {
      return add(provider, *slice, record.offset, notice.value_or(record.offset));
    } else if (const auto* change = std::get_if<ContextSwitch>(&record.content)) {
      change_thread(provider, change->cpu, change->outgoing, outgoing_weight(change->arguments));
    } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
      change_thread(
          provider, legacy->cpu,
          legacy->outgoing.registered ? std::optional(legacy->outgoing.thread) : std::nullopt,
          static_cast<int32_t>(legacy->outgoing_priority));
    }
    if (const auto moment = moment_of(record); moment && first_.size() < kMaxCpus)
      first_.try_emplace(provider, *moment);
  }

 private:
  void add(uint64_t provider, const Event& event, uint64_t slice, uint64_t notice) {
    const std::optional<unsigned> cpu = cpu_of_thread(event.thread);
    const auto first = first_.find(provider);
    const bool is_ahead = first == first_.end() || event.timestamp < first->second;
    if (!cpu || is_ahead || count_ == kMaxLosses || waiting_.size() == kMaxCpus) return;
    ++count_;
    Losses& losses = losses_.of_providers_[provider];
    waiting_[{provider, *cpu}] = losses.size();
    losses.push_back({event.timestamp, event.trailing, notice, slice, *cpu});
  }
  void change_thread(uint64_t provider, unsigned cpu, std::optional<uint64_t> outgoing,
                     int32_t weight) {
    const auto found = waiting_.find({provider, cpu});
    if (found == waiting_.end()) return;
    ArchiveLoss& loss = losses_.of_providers_[provider][found->second];
    loss.after = outgoing;
    loss.weight = weight;
    waiting_.erase(found);
  }

  ArchiveLosses& losses_;
  std::optional<uint64_t> notice_;
  std::unordered_map<uint64_t, uint64_t> first_;  // moments, by provider
  // Places without a switch behind them so far.
  std::map<std::pair<uint64_t, unsigned>, size_t> waiting_;
  std::unordered_set<uint64_t> done_;  // providers with added records
  size_t count_ = 0;
};

ArchiveLosses::ArchiveLosses(Bytes bytes, Form form, const Reader::Passed& passed) {
  if (!holds(bytes, "drop_stats", passed)) return;
  Search search(*this);
  Reader reader(bytes, form);
  if (passed) reader.on_passed(passed);
  while (const Record* record = reader.next()) {
    search.see(*record);
    if (passed) passed(record->offset);
  }
  search.finish();
  for (auto& [provider, losses] : of_providers_) {
    std::sort(losses.begin(), losses.end(), [](const ArchiveLoss& a, const ArchiveLoss& b) {
      return std::tie(a.from, a.slice) < std::tie(b.from, b.slice);
    });
  }
}

}  // namespace barefxt::host
