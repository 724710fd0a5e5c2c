// Heaps as text: sums first, then who holds most.
#include <bit>

#include <barefxt/host/heap.h>
#include <barefxt/host/json.h>

#include "../figures/text_lines.h"

namespace barefxt::host {
namespace {

constexpr size_t kShownParts = 15;
constexpr unsigned kHeapBarCells = 20;

class HeapText : TextLines {
 public:
  HeapText(Output& out, const HeapStatistics& heap, const HeapSites& sites, const TextLook& look)
      : TextLines(out, heap.trace, look), heap_(heap), sites_(sites) {}

  void print() {
    head();
    holders("By call site", heap_.sites, [&](TextTable& table, uint64_t caller, auto row) {
      const HeapSites::Site site = sites_.site(caller);
      table.row(readable(site.function), std::move(row));
      if (!site.place.empty()) table.note("    " + readable(site.place));
    });
    holders("By thread", heap_.threads, [&](TextTable& table, uint64_t thread, auto row) {
      table.row(thread == HeapStatistics::kOthers ? "other threads" : column(thread),
                std::move(row));
    });
    pools();
    over_time();
    sizes();
    if (heap_.lifetimes.count() == 0) return;
    TextTable table = lengths_table("Lifetimes");
    lengths(table, "freed blocks", heap_.lifetimes);
    TextLines::print(table);
  }

  void print_leaks() {
    const HeapAmount leaked = heap_.leaked();
    const HeapAmount perhaps = heap_.perhaps_leaked();
    out_.text(formatted("Allocated from {} s to {} s and not freed: {}\n", at(heap_.from),
                        at(heap_.to), amount(leaked)));
    if (perhaps.blocks > 0)
      out_.text(formatted("Unknown, since records were lost: {}\n", amount(perhaps)));
    else if (heap_.has_lost_in_stretch)
      out_.text("Records were lost: further blocks are unknown\n");
    const auto total = [](const HeapHolder& one) {
      return one.leaked.bytes + one.perhaps_leaked.bytes;
    };
    TextTable table("By call site", {{.title = "blocks", .rank = 1},
                                     {.title = "bytes", .rank = 0},
                                     {.title = "unknown", .rank = 2},
                                     {.title = "first at", .rank = 3},
                                     {.title = "last at", .rank = 4}});
    bool is_any = false;
    for (const auto& [caller, bytes] : ranked(heap_.sites, total)) {
      const HeapHolder& one = heap_.sites.at(caller);
      if (one.leaked.blocks + one.perhaps_leaked.blocks == 0) continue;
      is_any = true;
      const HeapSites::Site site = sites_.site(caller);
      table.row(readable(site.function),
                {std::to_string(one.leaked.blocks), std::to_string(one.leaked.bytes),
                 std::to_string(one.perhaps_leaked.blocks), at(one.first_leak), at(one.last_leak)});
      if (!site.place.empty()) table.note("    " + readable(site.place));
    }
    if (is_any) TextLines::print(table);
  }

 private:
  static std::string amount(const HeapAmount& amount) {
    return formatted("{} in {}", counted(amount.bytes, "byte"), counted(amount.blocks, "block"));
  }
  template <typename Value>
  static std::vector<std::pair<uint64_t, uint64_t>> ranked(
      const std::map<uint64_t, HeapHolder>& all, const Value& value) {
    std::vector<std::pair<uint64_t, uint64_t>> ranking;
    for (const auto& [key, one] : all) ranking.emplace_back(key, value(one));
    std::ranges::sort(ranking, more_first);
    return ranking;
  }

  void head() {
    out_.text(formatted("Allocated from {} s to {} s: {}; {}", at(heap_.from), at(heap_.to),
                        amount(heap_.allocated), counted(heap_.frees, "free")));
    if (heap_.failed.blocks > 0)
      out_.text(formatted("; {} failed", counted(heap_.failed.blocks, "allocation")));
    out_.character('\n');
    const double seconds = statistics_.seconds(static_cast<double>(heap_.to - heap_.from));
    if (seconds > 0)
      out_.text(formatted("Rate: {:.1f} allocations and {:.0f} bytes a second\n",
                          static_cast<double>(heap_.allocated.blocks) / seconds,
                          static_cast<double>(heap_.allocated.bytes) / seconds));
    out_.text(formatted("Peak: {} at {} s{}\n", amount(heap_.peak), at(heap_.peak_time),
                        heap_.is_peak_known ? "" : "; unknown, since records were lost"));
    out_.text("Live at the end: " + amount(heap_.live) + "\n");
    if (heap_.unknown.blocks > 0)
      out_.text("  of these unknown, since records were lost: " + amount(heap_.unknown) + "\n");
    if (heap_.unknown_frees > 0)
      out_.text(formatted("{} of blocks whose allocation is not recorded\n",
                          counted(heap_.unknown_frees, "free")));
    if (heap_.missing_frees > 0)
      out_.text(formatted("{} allocated again while live: a hook lacks frees\n",
                          counted(heap_.missing_frees, "block")));
  }

  template <typename Row>
  void holders(const char* title, const std::map<uint64_t, HeapHolder>& all, const Row& row) {
    if (all.empty()) return;
    TextTable table(title, {{.title = "live bytes", .rank = 0},
                            {.title = "blocks", .rank = 2},
                            {.title = "at peak", .rank = 1},
                            {.title = "allocated", .rank = 3},
                            {.title = "bytes", .rank = 4},
                            {.title = "mean life", .rank = 5}});
    const auto most = [](const HeapHolder& one) {
      return std::max(one.live.bytes, one.at_peak.bytes);
    };
    size_t shown = 0;
    for (const auto& [key, bytes] : ranked(all, most)) {
      if (shown++ == kBusiest) {
        table.end_note(formatted("and {} more", all.size() - kBusiest));
        break;
      }
      const HeapHolder& one = all.at(key);
      row(table, key,
          std::vector<std::string>{std::to_string(one.live.bytes), std::to_string(one.live.blocks),
                                   std::to_string(one.at_peak.bytes),
                                   std::to_string(one.allocated.blocks),
                                   std::to_string(one.allocated.bytes),
                                   one.lifetimes.count() == 0 ? "-" : time(one.lifetimes.mean())});
      std::string note;
      if (one.failed > 0) note = counted(one.failed, "failed allocation");
      if (one.unknown.blocks > 0)
        note += formatted("{}unknown: {}", note.empty() ? "" : ", ", amount(one.unknown));
      if (!note.empty()) table.note("    " + note);
    }
    TextLines::print(table);
  }

  void pools() {
    if (heap_.pools.empty()) return;
    TextTable table("Pools", {{.title = "bytes", .rank = 0},
                              {.title = "live", .rank = 1},
                              {.title = "peak", .rank = 2},
                              {.title = "largest hole", .rank = 3},
                              {.title = "fragmented", .rank = 4}});
    for (const HeapPoolStatistics& pool : heap_.pools) {
      const std::optional<double> share = pool.fragmentation();
      table.row(pool.name.empty() ? formatted("0x{:x}", pool.begin) : readable(pool.name),
                {std::to_string(pool.bytes), std::to_string(pool.live.bytes),
                 std::to_string(pool.peak_bytes), std::to_string(pool.largest_hole),
                 share ? formatted("{:.1f} %", *share * 100) : "unknown"});
    }
    TextLines::print(table);
  }

  void over_time() {
    if (heap_.parts.empty() || heap_.peak.bytes == 0) return;
    TextTable table("Over time", {{.title = "most bytes", .rank = 0},
                                  {.title = "live bytes", .rank = 1},
                                  {.title = "blocks", .rank = 2},
                                  {.title = "allocated", .rank = 3},
                                  {.title = "", .rank = 4, .is_left = true, .is_picture = true}});
    const size_t group = heap_.parts.size() / kShownParts;
    for (size_t i = 0; i + group <= heap_.parts.size(); i += group) {
      uint64_t most = 0;
      uint64_t allocations = 0;
      for (size_t j = i; j < i + group; ++j) {
        most = std::max(most, heap_.parts[j].most_bytes);
        allocations += heap_.parts[j].allocations;
      }
      const HeapPart& last = heap_.parts[i + group - 1];
      const double share = static_cast<double>(most) / static_cast<double>(heap_.peak.bytes);
      table.row(at(last.end) + " s",
                {std::to_string(most), std::to_string(last.live.bytes),
                 std::to_string(last.live.blocks), std::to_string(allocations),
                 std::string(static_cast<size_t>(share * kHeapBarCells), '#')});
    }
    TextLines::print(table);
  }

  void sizes() {
    if (heap_.allocated.blocks == 0) return;
    TextTable table("Sizes", {{.title = "allocations", .rank = 0},
                              {.title = "", .rank = 1, .is_left = true, .is_picture = true}});
    const uint64_t most = *std::ranges::max_element(heap_.sizes);
    for (size_t bits = 0; bits < heap_.sizes.size(); ++bits) {
      if (heap_.sizes[bits] == 0) continue;
      const uint64_t low = bits == 0 ? 0 : uint64_t{1} << (bits - 1);
      const uint64_t high = bits == 0 ? 0 : low + (low - 1);
      const double share = static_cast<double>(heap_.sizes[bits]) / static_cast<double>(most);
      table.row(low == high ? std::to_string(low) : formatted("{} to {}", low, high),
                {std::to_string(heap_.sizes[bits]),
                 std::string(static_cast<size_t>(share * kHeapBarCells), '#')});
    }
    TextLines::print(table);
  }

  const HeapStatistics& heap_;
  const HeapSites& sites_;
};

}  // namespace

std::optional<double> HeapPoolStatistics::fragmentation() const {
  if (!is_known || live.bytes >= bytes) return {};
  const auto free = static_cast<double>(bytes - live.bytes);
  return 1 - static_cast<double>(largest_hole) / free;
}

void print_heap(Output& out, const HeapStatistics& heap, const HeapSites& sites,
                const TextLook& look) {
  HeapText(out, heap, sites, look).print();
}

void print_leaks(Output& out, const HeapStatistics& heap, const HeapSites& sites,
                 const TextLook& look) {
  HeapText(out, heap, sites, look).print_leaks();
}

}  // namespace barefxt::host
