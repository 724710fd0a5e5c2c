#include "live_trace.h"

namespace barefxt::top {

LiveTrace::LiveTrace(host::Rebuild& rebuild, bool keeps) {
  rebuild.hand_on(merge_, keeps);
  merge_.name_by(rebuild.function_names(), rebuild.interrupt_names());
}

std::optional<host::Statistics> LiveTrace::figures() const {
  if (statistics_ == nullptr) return {};
  return statistics_->figures(merge_.state().is_over);
}

void LiveTrace::begin_capture(const std::string& target, uint64_t /*ticks_per_second*/) {
  statistics_ = std::make_unique<host::ArrivingStatistics>();
  target_ = target;
  ++captures_;
}

}  // namespace barefxt::top
