// Parts of the runtime that are compiled in (config.h), as constants.
#pragma once

#include <barefxt/config.h>
#include <barefxt/wire/frame.h>

// BAREFXT_ONE_COPY_ marks a function with several callers: one copy suffices if flash counts more
// than time. BAREFXT_SLOW_PATH_ marks the path for disturbances, which is the only path then.
#if BAREFXT_FAST_PATHS
#define BAREFXT_ONE_COPY_
#define BAREFXT_SLOW_PATH_ [[gnu::noinline, gnu::cold]]
#else
#define BAREFXT_ONE_COPY_ [[gnu::noinline]]
#define BAREFXT_SLOW_PATH_ inline
#endif

namespace barefxt {

inline constexpr bool kLinear = BAREFXT_LINEAR;
inline constexpr bool kSnapshots = BAREFXT_SNAPSHOTS;
inline constexpr bool kTriggers = BAREFXT_TRIGGERS;
inline constexpr bool kInlineThreads = BAREFXT_INLINE_THREADS;
inline constexpr bool kReusesEntries = BAREFXT_REUSE_ENTRIES;
inline constexpr bool kEndsRecords = BAREFXT_END_RECORDS;
inline constexpr bool kFunctions = BAREFXT_FUNCTIONS;
inline constexpr bool kCallLimits = BAREFXT_FUNCTIONS && BAREFXT_CALL_LIMITS;
inline constexpr bool kFastPaths = BAREFXT_FAST_PATHS;
inline constexpr bool kCleanCaches = BAREFXT_CLEAN_CACHES;
inline constexpr bool kWayBack = BAREFXT_WAY_BACK;
inline constexpr bool kStringsInElf = BAREFXT_STRINGS_IN_ELF;
inline constexpr bool kReportsRefusals = !BAREFXT_SMALL;

static_assert(BAREFXT_MODES >= 1 && BAREFXT_MODES <= 7, "BAREFXT_MODES: a sum of 1, 2 and 4");
constexpr bool has_mode(wire::Mode mode) {
  return ((BAREFXT_MODES & 1) != 0 && mode == wire::Mode::kOneShot) ||
         ((BAREFXT_MODES & 2) != 0 && mode == wire::Mode::kCircular) ||
         ((BAREFXT_MODES & 4) != 0 && mode == wire::Mode::kStreaming);
}
inline constexpr bool kOverwrites = has_mode(wire::Mode::kCircular);
// If nothing overwrites a segment, readers after the stop need not hold it.
inline constexpr bool kHolds = kOverwrites || kSnapshots;
// The mode, if the image has only one: then no code looks it up.
inline constexpr bool kHasOneMode = (BAREFXT_MODES & (BAREFXT_MODES - 1)) == 0;
inline constexpr wire::Mode kMinMode = has_mode(wire::Mode::kOneShot)    ? wire::Mode::kOneShot
                                       : has_mode(wire::Mode::kCircular) ? wire::Mode::kCircular
                                                                         : wire::Mode::kStreaming;

static_assert(BAREFXT_DUMP_FORMS >= 1 && BAREFXT_DUMP_FORMS <= 7 && BAREFXT_DUMP_FORMS != 4,
              "BAREFXT_DUMP_FORMS: a sum of 1, 2 and 4, with 1 or 2 in it");
inline constexpr bool kDumpsBinary = (BAREFXT_DUMP_FORMS & 1) != 0;
inline constexpr bool kDumpsText = (BAREFXT_DUMP_FORMS & 2) != 0;
inline constexpr bool kDumpsCoded = (BAREFXT_DUMP_FORMS & 4) != 0;

static_assert(kInlineThreads || BAREFXT_MAX_THREADS <= 255,
              "without BAREFXT_INLINE_THREADS each entry has an index");

static_assert(
    !kEndsRecords || kInlineThreads,
    "BAREFXT_END_RECORDS: with BAREFXT_INLINE_THREADS, so that no switch goes unrecorded");

static_assert(!kLinear || BAREFXT_MAX_CPUS == 1, "BAREFXT_LINEAR: BAREFXT_MAX_CPUS is 1");
static_assert(!kLinear || (kHasOneMode && has_mode(wire::Mode::kOneShot)),
              "BAREFXT_LINEAR: BAREFXT_MODES is 1");
static_assert(!kLinear || !(kSnapshots || kTriggers || kInlineThreads || kReusesEntries ||
                            kEndsRecords || kFastPaths || kFunctions || kCleanCaches || kWayBack ||
                            kDumpsCoded || BAREFXT_RETAINED),
              "BAREFXT_LINEAR: with BAREFXT_SMALL, and nothing of what that leaves out");
static_assert(!kLinear || BAREFXT_MAX_THREADS <= 254,
              "BAREFXT_LINEAR: the last index is that of the CPU's pseudo-thread");

}  // namespace barefxt
