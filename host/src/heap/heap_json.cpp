// Heaps as one JSON object.
#include <barefxt/host/heap.h>
#include <barefxt/host/json.h>

#include "../figures/json_lengths.h"

namespace barefxt::host {
namespace {

void heap_amount(JsonObject& object, std::string_view key, const HeapAmount& amount) {
  JsonObject one(object.key(key));
  one.number("blocks", amount.blocks);
  one.number("bytes", amount.bytes);
}

void heap_holder(JsonObject& one, const HeapHolder& holder) {
  heap_amount(one, "live", holder.live);
  heap_amount(one, "unknown", holder.unknown);
  heap_amount(one, "at_peak", holder.at_peak);
  heap_amount(one, "allocated", holder.allocated);
  heap_amount(one, "freed", holder.freed);
  one.number("failed", holder.failed);
  heap_amount(one, "leaked", holder.leaked);
  heap_amount(one, "perhaps_leaked", holder.perhaps_leaked);
  if (holder.leaked.blocks + holder.perhaps_leaked.blocks > 0) {
    one.number("first_leak_ticks", holder.first_leak);
    one.number("last_leak_ticks", holder.last_leak);
  }
  lengths(one, "lifetime", holder.lifetimes);
}

}  // namespace

void print_heap_json(Output& out, const HeapStatistics& heap, const HeapSites& sites) {
  {
    JsonObject all(out);
    all.number("ticks_per_second", heap.trace.ticks_per_second);
    all.number("from_ticks", heap.from);
    all.number("to_ticks", heap.to);
    all.boolean("records_lost", heap.has_lost_in_stretch);
    heap_amount(all, "allocated", heap.allocated);
    heap_amount(all, "failed", heap.failed);
    all.number("frees", heap.frees);
    all.number("unknown_frees", heap.unknown_frees);
    all.number("missing_frees", heap.missing_frees);
    heap_amount(all, "live", heap.live);
    heap_amount(all, "unknown", heap.unknown);
    heap_amount(all, "peak", heap.peak);
    all.number("peak_ticks", heap.peak_time);
    all.boolean("peak_known", heap.is_peak_known);
    heap_amount(all, "leaked", heap.leaked());
    heap_amount(all, "perhaps_leaked", heap.perhaps_leaked());
    lengths(all, "lifetime", heap.lifetimes);
    {
      JsonList sizes(all.key("sizes"));
      for (size_t bits = 0; bits < heap.sizes.size(); ++bits) {
        if (heap.sizes[bits] == 0) continue;
        JsonObject size(sizes.next());
        size.number("from_bytes", bits == 0 ? 0 : uint64_t{1} << (bits - 1));
        size.number("allocations", heap.sizes[bits]);
      }
    }
    all.list("sites", heap.sites, [&](JsonObject& one, const auto& caller, const auto& holder) {
      const HeapSites::Site site = sites.site(caller);
      one.number("caller", caller);
      one.string("function", site.function);
      if (!site.place.empty()) one.string("place", site.place);
      heap_holder(one, holder);
    });
    all.list("threads", heap.threads, [&](JsonObject& one, const auto& thread, const auto& holder) {
      one.number("thread", thread);
      one.string("name", heap.trace.name_of(thread));
      heap_holder(one, holder);
    });
    all.list("pools", heap.pools, [&](JsonObject& one, const HeapPoolStatistics& pool) {
      one.string("name", pool.name);
      one.number("begin", pool.begin);
      one.number("bytes", pool.bytes);
      heap_amount(one, "live", pool.live);
      one.number("peak_bytes", pool.peak_bytes);
      one.number("largest_hole", pool.largest_hole);
      if (const std::optional<double> share = pool.fragmentation())
        one.real("fragmentation", *share);
      else
        one.null("fragmentation");
    });
    all.list("over_time", heap.parts, [&](JsonObject& one, const HeapPart& part) {
      one.number("to_ticks", part.end);
      heap_amount(one, "live", part.live);
      one.number("most_bytes", part.most_bytes);
      one.number("allocations", part.allocations);
    });
  }
  out.character('\n');
}

}  // namespace barefxt::host
