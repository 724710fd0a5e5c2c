#include "live_trace.h"

#include <barefxt/host/explain.h>
#include <barefxt/host/fitted_output.h>

namespace barefxt::top {

LiveTrace::LiveTrace(host::Rebuild& rebuild, bool keeps) {
  rebuild.hand_on(merge_, keeps);
  merge_.name_by(rebuild.function_names(), rebuild.interrupt_names(), rebuild.program_strings());
}

std::optional<host::Statistics> LiveTrace::figures() const {
  if (statistics_ == nullptr) return {};
  return statistics_->figures(merge_.state().is_over);
}

host::Result<std::string> LiveTrace::explain(uint64_t thread, uint64_t at, uint64_t latency) const {
  if (!recent_) return host::Error{"no records are kept", {}, {}};
  const std::vector<uint8_t> archive = recent_->archive();
  host::Source source = host::Source::of(archive, "the last records");
  host::ExplainOptions how;
  how.worst = host::ExplainOptions::kMaxCases;
  how.selection.threads = {std::to_string(thread)};
  how.selection.from = host::TimeBound{true, static_cast<double>(at - latency)};
  how.selection.to = host::TimeBound{true, static_cast<double>(at)};
  const auto explained = host::explain(source, {}, how);
  if (!explained.ok()) return explained.error();
  for (const host::Explanation& one : explained.value().cases) {
    if (one.thread != thread || one.end != at || one.length() != latency) continue;
    host::StringOutput text;
    host::print_explanation(text, explained.value(), one);
    return text.take();
  }
  return host::Error{recent_->is_all() ? "the records do not show why"
                                       : "it is older than the records that are kept",
                     {},
                     "barefxt explain, with an archive of -o, reads all"};
}

void LiveTrace::begin_capture(const std::string& target, uint64_t /*ticks_per_second*/) {
  statistics_ = std::make_unique<host::ArrivingStatistics>();
  if (recent_) recent_.emplace();
  target_ = target;
  ++captures_;
}

}  // namespace barefxt::top
