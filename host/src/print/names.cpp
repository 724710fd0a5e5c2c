// Names of the format's numbers.
#include <array>

#include <barefxt/host/print.h>

namespace barefxt::host {
namespace {

template <size_t Count>
std::string_view name_in(const std::array<std::string_view, Count>& names, size_t number) {
  return number < Count ? names[number] : std::string_view{};
}

}  // namespace

std::string_view event_name(fxt::EventType type) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "instant",           "counter",     "duration_begin", "duration_end",
      "duration_complete", "async_begin", "async_instant",  "async_end",
      "flow_begin",        "flow_step",   "flow_end"};
  return name_in(kNames, static_cast<size_t>(type));
}

std::string_view thread_state_name(unsigned state) {
  // The specification calls 0 new. A thread that leaves a CPU is not: it was preempted, or yields.
  static constexpr std::array<std::string_view, 6> kNames = {"runnable", "running", "suspended",
                                                             "blocked",  "dying",   "dead"};
  return name_in(kNames, state);
}

std::string_view argument_type_name(fxt::ArgumentType type) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "null",   "int32",   "uint32", "int64", "uint64", "double",
      "string", "pointer", "koid",   "bool",  "blob"};
  return name_in(kNames, static_cast<size_t>(type));
}

std::string_view record_name(size_t content_index) {
  // In the order of Content's alternatives.
  static constexpr std::array<std::string_view, std::variant_size_v<Content>> kNames = {
      "magic",
      "provider_info",
      "provider_section",
      "provider_event",
      "initialization",
      "string",
      "thread",
      "event",
      "blob",
      "userspace_object",
      "kernel_object",
      "context_switch",
      "context_switch",
      "thread_wakeup",
      "log",
      "large_blob",
      "profiler_module",
      "profiler_mmap",
      "profiler_backtrace",
      "unknown",
      "malformed"};
  return name_in(kNames, content_index);
}

}  // namespace barefxt::host
