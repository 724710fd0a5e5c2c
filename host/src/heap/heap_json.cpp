// Heaps as one JSON object.
#include <barefxt/host/heap.h>
#include <barefxt/host/json.h>

#include "../figures/json_lengths.h"

namespace barefxt::host {
namespace {

void heap_amount(JsonObject& object, Output& out, std::string_view key, const HeapAmount& amount) {
  object.key(key);
  JsonObject one(out);
  one.number("blocks", amount.blocks);
  one.number("bytes", amount.bytes);
}

void heap_holder(JsonObject& one, Output& out, const HeapHolder& holder) {
  heap_amount(one, out, "live", holder.live);
  heap_amount(one, out, "unknown", holder.unknown);
  heap_amount(one, out, "at_peak", holder.at_peak);
  heap_amount(one, out, "allocated", holder.allocated);
  heap_amount(one, out, "freed", holder.freed);
  one.number("failed", holder.failed);
  heap_amount(one, out, "leaked", holder.leaked);
  heap_amount(one, out, "perhaps_leaked", holder.perhaps_leaked);
  if (holder.leaked.blocks + holder.perhaps_leaked.blocks > 0) {
    one.number("first_leak_ticks", holder.first_leak);
    one.number("last_leak_ticks", holder.last_leak);
  }
  lengths(one, out, "lifetime", holder.lifetimes);
}

void truth(JsonObject& object, std::string_view key, bool value) {
  object.key(key).text(value ? "true" : "false");
}

}  // namespace

void print_heap_json(Output& out, const HeapStatistics& heap, const HeapSites& sites) {
  {
    JsonObject all(out);
    all.number("ticks_per_second", heap.trace.ticks_per_second);
    all.number("from_ticks", heap.from);
    all.number("to_ticks", heap.to);
    truth(all, "records_lost", heap.has_lost_in_stretch);
    heap_amount(all, out, "allocated", heap.allocated);
    heap_amount(all, out, "failed", heap.failed);
    all.number("frees", heap.frees);
    all.number("unknown_frees", heap.unknown_frees);
    all.number("missing_frees", heap.missing_frees);
    heap_amount(all, out, "live", heap.live);
    heap_amount(all, out, "unknown", heap.unknown);
    heap_amount(all, out, "peak", heap.peak);
    all.number("peak_ticks", heap.peak_time);
    truth(all, "peak_known", heap.is_peak_known);
    heap_amount(all, out, "leaked", heap.leaked());
    heap_amount(all, out, "perhaps_leaked", heap.perhaps_leaked());
    lengths(all, out, "lifetime", heap.lifetimes);
    all.key("sizes");
    {
      JsonList sizes(out);
      for (size_t bits = 0; bits < heap.sizes.size(); ++bits) {
        if (heap.sizes[bits] == 0) continue;
        JsonObject size(sizes.next());
        size.number("from_bytes", bits == 0 ? 0 : uint64_t{1} << (bits - 1));
        size.number("allocations", heap.sizes[bits]);
      }
    }
    all.key("sites");
    {
      JsonList list(out);
      for (const auto& [caller, holder] : heap.sites) {
        const HeapSites::Site site = sites.site(caller);
        JsonObject one(list.next());
        one.number("caller", caller);
        one.string("function", site.function);
        if (!site.place.empty()) one.string("place", site.place);
        heap_holder(one, out, holder);
      }
    }
    all.key("threads");
    {
      JsonList list(out);
      for (const auto& [thread, holder] : heap.threads) {
        JsonObject one(list.next());
        one.number("thread", thread);
        one.string("name", heap.trace.name_of(thread));
        heap_holder(one, out, holder);
      }
    }
    all.key("pools");
    {
      JsonList list(out);
      for (const HeapPoolStatistics& pool : heap.pools) {
        JsonObject one(list.next());
        one.string("name", pool.name);
        one.number("begin", pool.begin);
        one.number("bytes", pool.bytes);
        heap_amount(one, out, "live", pool.live);
        one.number("peak_bytes", pool.peak_bytes);
        one.number("largest_hole", pool.largest_hole);
        if (const std::optional<double> share = pool.fragmentation())
          one.real("fragmentation", *share);
        else
          one.null("fragmentation");
      }
    }
    all.key("over_time");
    JsonList list(out);
    for (const HeapPart& part : heap.parts) {
      JsonObject one(list.next());
      one.number("to_ticks", part.end);
      heap_amount(one, out, "live", part.live);
      one.number("most_bytes", part.most_bytes);
      one.number("allocations", part.allocations);
    }
  }
  out.character('\n');
}

}  // namespace barefxt::host
