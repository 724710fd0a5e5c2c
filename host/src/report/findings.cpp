#include "findings.h"

#include <algorithm>
#include <set>

#include "explain/phrases.h"

namespace barefxt::report {
namespace {

using host::counted;
using host::formatted;
using host::Phrases;
using host::Statistics;

constexpr size_t kMaxOfAKind = 3;

class Findings {
 public:
  Findings(const Statistics& statistics, const Reasons& reasons)
      : statistics_(statistics), explained_(reasons.explained), words_(explained_) {}

  std::vector<Finding> take() {
    const auto by_times = [](const host::LossStatistics& loss) { return loss.times; };
    const auto all_losses = largest(statistics_.losses, by_times, statistics_.losses.size());
    const size_t ahead = std::min(all_losses.size(), kMaxOfAKind);
    for (size_t i = 0; i < ahead; ++i) put_loss(*all_losses[i]);
    jobs();
    latencies();
    worst_interrupt();
    busiest_cpu();
    inversions();
    longest_wait();
    // Every CPU that lost records is named, but those of a large machine hide nothing else.
    for (size_t i = ahead; i < all_losses.size(); ++i) put_loss(*all_losses[i]);
    return std::move(all_);
  }

 private:
  template <typename Map, typename Size>
  static std::vector<const typename Map::value_type*> largest(const Map& map, const Size& size,
                                                              size_t most = kMaxOfAKind) {
    std::vector<const typename Map::value_type*> found;
    for (const auto& one : map)
      if (size(one.second) > 0) found.push_back(&one);
    std::stable_sort(found.begin(), found.end(), [&](const auto* a, const auto* b) {
      return size(a->second) > size(b->second);
    });
    found.resize(std::min(found.size(), most));
    return found;
  }
  void put_loss(const decltype(Statistics::losses)::value_type& one) {
    const auto& [key, loss] = one;
    const auto amount = [](uint64_t number, bool unknown) {
      return formatted("{}{}", unknown ? "at least " : "", number);
    };
    const auto cpu = host::cpu_of_name(key.first);
    const std::string where = cpu ? formatted("CPU {}", *cpu) : std::string("some CPU");
    all_.push_back(
        {.kind = "loss",
         .text =
             formatted("Records of {} were lost, {} ({}): {} records, {} bytes, "
                       "within {}: what lies there is unknown",
                       where, counted(loss.times, "time"), Phrases::quoted(key.second),
                       amount(loss.records, loss.records_unknown),
                       amount(loss.bytes, loss.bytes_unknown), words_.time(loss.last - loss.first)),
         .begin = loss.first,
         .end = loss.last,
         .cpu = cpu});
  }

  void jobs() {
    const auto size = [](const host::JobStatistics& job) { return job.late; };
    for (const auto* one : largest(statistics_.jobs, size)) {
      const auto& [key, job] = *one;
      const host::Extent& longest = job.response.longest_extent();
      std::string text = formatted("{} of {} of {} were late", job.late,
                                   counted(job.judged(), "job"), words_.thread(key.thread));
      if (job.response.count() > 0)
        text += formatted(": {} at worst", words_.time(longest.length()));
      if (job.deadline_ns > 0)
        text += formatted(", due after {}",
                          host::describe_seconds(static_cast<double>(job.deadline_ns) / 1e9));
      all_.push_back({.kind = "job",
                      .text = std::move(text),
                      .ticks = longest.length(),
                      .begin = longest.begin,
                      .end = longest.end,
                      .thread = key.thread});
    }
  }

  void put(std::string_view kind, const host::Explanation& one) {
    all_.push_back({.kind = kind,
                    .text = host::sentence(explained_, one),
                    .ticks = one.length(),
                    .begin = one.begin,
                    .end = one.end,
                    .thread = one.thread});
  }

  // The longest of each of the latest threads.
  void latencies() {
    std::set<uint64_t> seen;
    for (const host::Explanation& one : explained_.cases) {
      if (one.kind != host::CaseKind::kLatency || seen.size() == kMaxOfAKind) continue;
      if (seen.insert(one.thread).second) put("latency", one);
    }
  }

  void longest_wait() {
    const auto longest = std::find_if(
        explained_.cases.begin(), explained_.cases.end(),
        [](const host::Explanation& one) { return one.kind == host::CaseKind::kLockWait; });
    if (longest != explained_.cases.end()) put("wait", *longest);
  }

  void inversions() {
    const auto size = [](const host::PriorityInversion& one) { return one.longest_ticks; };
    for (const auto* one : largest(statistics_.inversions, size)) {
      const auto& [key, inversion] = *one;
      all_.push_back({.kind = "inversion",
                      .text = formatted(
                          "Priority inversion: {} waited for {}, held by {}, while {} ran: {} at "
                          "most, in {}",
                          words_.thread(key.waiter), words_.object(key.object),
                          words_.thread(key.holder), words_.thread(key.runner),
                          words_.time(inversion.longest_ticks), counted(inversion.waits, "wait")),
                      .ticks = inversion.longest_ticks,
                      .begin = inversion.longest.begin,
                      .end = inversion.longest.end,
                      .thread = key.waiter});
    }
  }

  // The one that kept a thread off for longest.
  void worst_interrupt() {
    const auto size = [](const host::InterruptStatistics& one) { return one.kept_off.longest(); };
    const auto worst = largest(statistics_.interrupts, size);
    if (worst.empty()) return;
    const auto& [key, interrupt] = *worst.front();
    const host::Extent& longest = interrupt.kept_off.longest_extent();
    all_.push_back(
        {.kind = "interrupt",
         .text = formatted("Interrupt {} kept {} off CPU {} for {}, the longest of {}",
                           Phrases::quoted(key.name), words_.thread(interrupt.kept_off_longest),
                           key.cpu, words_.time(longest.length()),
                           counted(interrupt.kept_off.count(), "interruption")),
         .ticks = longest.length(),
         .begin = longest.begin,
         .end = longest.end,
         .cpu = key.cpu});
  }

  void busiest_cpu() {
    const auto share = [](uint64_t part, uint64_t whole) {
      return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    constexpr double kPerCent = 100;
    const std::pair<const unsigned, host::CpuStatistics>* busiest = nullptr;
    for (const auto& one : statistics_.cpus) {
      const auto load = [&](const auto& cpu) {
        return share(cpu.second.busy, cpu.second.observed);
      };
      if (busiest == nullptr || load(one) > load(*busiest)) busiest = &one;
    }
    if (busiest == nullptr || busiest->second.busy == 0) return;
    const auto& [number, cpu] = *busiest;
    std::pair<uint64_t, uint64_t> most{0, 0};  // ticks and thread
    for (const auto& [koid, thread] : statistics_.threads) {
      if (statistics_.is_idle(koid)) continue;
      for (const auto& [on, ticks] : thread.running_by_cpu)
        if (on == number && ticks > most.first) most = {ticks, koid};
    }
    std::string text = formatted("CPU {} is the busiest: {:.1f} % of its time", number,
                                 share(cpu.busy, cpu.observed) * kPerCent);
    if (most.first > 0)
      text += formatted(", most of it {}, {:.1f} %", words_.thread(most.second),
                        share(most.first, cpu.observed) * kPerCent);
    all_.push_back({.kind = "cpu",
                    .text = std::move(text),
                    .ticks = cpu.busy,
                    .begin = statistics_.first,
                    .end = statistics_.last,
                    .cpu = number});
  }

  const Statistics& statistics_;
  const host::Explained& explained_;
  Phrases words_;
  std::vector<Finding> all_;
};

}  // namespace

std::vector<Finding> findings_of(const Statistics& statistics, const Reasons& reasons) {
  return Findings(statistics, reasons).take();
}

}  // namespace barefxt::report
