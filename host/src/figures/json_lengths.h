// Sets of lengths in the JSON of statistics, and the parts of it that have files of their own.
#pragma once

#include <barefxt/host/json.h>
#include <barefxt/host/stats.h>

#include "shares.h"

namespace barefxt::host {

inline void lengths(JsonObject& object, const Distribution& lengths) {
  object.number("count", lengths.count());
  object.number("total_ticks", lengths.total());
  object.real("mean_ticks", lengths.mean());
  object.number("min_ticks", lengths.shortest());
  for (const Percentile& one : kPercentiles) {
    object.key(one.key).number(lengths.quantile(one.per_mille));
  }
  object.number("max_ticks", lengths.longest());
  if (lengths.count() == 0) return;
  object.number("max_begin", lengths.longest_extent().begin);
  object.number("max_end", lengths.longest_extent().end);
  object.number("max_offset", lengths.longest_extent().offset);
}

inline void lengths(JsonObject& object, std::string_view key, const Distribution& set) {
  JsonObject one(object.key(key));
  lengths(one, set);
}

void json_jobs(JsonObject& all, const Statistics& statistics);
void json_above(JsonObject& all, const Statistics& statistics);

}  // namespace barefxt::host
