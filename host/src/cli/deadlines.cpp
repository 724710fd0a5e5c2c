#include "deadlines.h"

#include <algorithm>

#include <barefxt/host/budget.h>

#include "messages.h"

namespace barefxt::cli {
namespace {

// "thread=sensor,10ms". A name may have commas.
host::Result<host::ThreadDeadline> deadline_in(const std::string& text) {
  constexpr std::string_view kKey = "thread=";
  constexpr double kMax = 1e18;  // 30 years
  const size_t comma = text.rfind(',');
  const bool has_form = text.starts_with(kKey) && comma != std::string::npos;
  const double time =
      has_form ? host::nanoseconds_in(std::string_view(text).substr(comma + 1)).value_or(0) : 0;
  if (comma == kKey.size() || !(time >= 1 && time <= kMax))
    return host::Error{"'" + text + "' is no deadline", "--deadline",
                       "write thread=NAME,TIME, such as thread=sensor,10ms"};
  return host::ThreadDeadline{text.substr(kKey.size(), comma - kKey.size()),
                              static_cast<uint64_t>(time)};
}

}  // namespace

void DeadlineOptions::add_to(const Verb& verb) {
  verb.option("--deadline", texts,
              "Hold each activation of a thread to a deadline: from its wakeup until it blocks "
              "again; may be repeated")
      .placeholder("thread=T,TIME");
}

host::Status DeadlineOptions::apply_to(host::StatisticsOptions& how) const {
  for (const std::string& text : texts) {
    const auto deadline = deadline_in(text);
    if (!deadline.ok()) return deadline.error();
    how.deadlines.push_back(deadline.value());
  }
  return {};
}

void say_missing_threads(const std::string& file, const host::StatisticsOptions& how,
                         const host::Statistics& statistics) {
  for (const host::ThreadDeadline& one : how.deadlines) {
    host::Selection named;
    named.threads = {one.thread};
    const bool is_there =
        std::any_of(statistics.threads.begin(), statistics.threads.end(), [&](const auto& thread) {
          return named.has_thread(thread.first, statistics.name_of(thread.first));
        });
    if (!is_there) say(file + ": --deadline names no thread of it: " + one.thread);
  }
}

}  // namespace barefxt::cli
