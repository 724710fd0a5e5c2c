// The one table of rules. docs/reference/lint-rules.md is held to it by a test.
#include <algorithm>
#include <array>

#include <barefxt/host/lint.h>

namespace barefxt::host {
namespace {

constexpr Severity kWarning = Severity::kWarning;
constexpr Severity kNote = Severity::kNote;

constexpr auto kRules = std::to_array<Rule>({
    {"async-end-mismatch", kWarning,
     "An async end whose name or category is not its begin's; viewers do not connect them."},
    {"async-id-shared", kWarning,
     "An async begin of an id that another provider has open: ids are global to viewers."},
    {"async-instant-outside", kWarning,
     "An async instant that does not lie between a begin and an end of its correlation id."},
    {"async-unmatched-begin", kWarning,
     "An async begin without an end, of another category than job."},
    {"async-unmatched-end", kWarning, "An async end without a begin."},
    {"begin-outlives-complete", kWarning,
     "A duration begun inside a complete duration ends after it; Perfetto reports an error."},
    {"big-endian", kWarning, "A big-endian archive, which Perfetto cannot read."},
    {"complete-overlaps", kWarning,
     "A complete duration ends after the one it began in: they do not nest."},
    {"counter-not-numeric", kWarning,
     "A counter's argument that is no number; viewers have no series for it."},
    {"counter-without-value", kWarning,
     "A counter without an argument: viewers have no series for it."},
    {"cpu-number", kWarning, "A CPU number of 4096 or more, at which Perfetto gives up."},
    {"depth", kWarning, "More than 512 slices inside each other on a thread; Perfetto cuts there."},
    {"duration-end-name", kWarning,
     "A duration end whose name or category is not its begin's: the wrong one is closed."},
    {"duration-unmatched-begin", kWarning,
     "A duration begin without an end, of another category than job."},
    {"duration-unmatched-end", kWarning, "A duration end without a begin."},
    {"empty-string", kWarning, "A string record without content; reference 0 is the empty string."},
    {"end-before-begin", kWarning,
     "A complete duration that ends before it begins; it is dropped."},
    {"extra-words", kNote, "A record or an argument longer than anything known about it."},
    {"flow-begun-twice", kWarning, "A flow id that is begun by more than one process."},
    {"flow-outside-slice", kWarning,
     "A flow event on a thread without an open slice, to which it could bind."},
    {"flow-unmatched-begin", kWarning, "A flow begin without an end."},
    {"flow-without-begin", kWarning, "A flow step or end without a begin."},
    {"heap-block-live", kWarning,
     "A block that is allocated while it is live: its free is not recorded."},
    {"heap-double-free", kWarning, "A block that is freed twice."},
    {"heap-unknown-free", kWarning,
     "A free of no block, in a pool that was empty when it was recorded."},
    {"index-zero", kWarning, "A string or thread registered at index 0; readers ignore it."},
    {"inner-complete-first", kWarning,
     "Two complete durations from the same tick; the inner one comes first in the file."},
    {"instant-scope", kNote, "An instant with an undocumented trailing word, its scope."},
    {"invalid-utf8", kWarning, "Text that is not UTF-8."},
    {"kernel-object-process", kWarning,
     "A thread's kernel object without a koid argument \"process\": viewers drop it."},
    {"kernel-object-shared", kWarning,
     "A koid that two providers describe: kernel objects are global, the last one wins."},
    {"koid-two-names", kWarning,
     "A koid that one provider gives two names, with no event in between; viewers show the last."},
    {"koid-width", kWarning, "A process or thread id of more than 32 bits; Perfetto cuts it."},
    {"large-record", kWarning,
     "A large record of 4096 words or more, whose payload Perfetto reads as records."},
    {"limit", kNote, "So many events that some relations between them were not checked."},
    {"loss-not-shown", kWarning,
     "Lost records shown by a provider event alone: viewers show no gap without a drop_stats "
     "duration."},
    {"magic-not-first", kWarning,
     "The archive does not begin with the magic number, by which viewers know it."},
    {"malformed", kWarning, "A place that cannot be read as a record."},
    {"missing-initialization", kWarning,
     "Timestamps before an initialization record: a tick is taken for a nanosecond."},
    {"padding", kWarning, "Padding after a stream that is not zero."},
    {"process-without-object", kWarning,
     "A thread's process without a kernel object: viewers show it nameless."},
    {"prologue-order", kNote,
     "Records before the first event in another order than every known reader accepts."},
    {"provider-redeclared", kNote,
     "A provider that is declared again: its strings, threads and ticks start anew."},
    {"rate-changed", kWarning,
     "Another rate of ticks for a provider that has recorded: times before and after do not "
     "compare."},
    {"record-not-shown", kNote,
     "A record that Perfetto skips in silence; reported once for each kind."},
    {"repeated-argument", kWarning, "Two arguments of one name; viewers show the last alone."},
    {"reserved-bits", kWarning, "Reserved bits that are set."},
    {"running-outgoing-state", kWarning,
     "A context switch that leaves its outgoing thread running."},
    {"shared-id", kWarning,
     "A thread with the id of a process: Perfetto shows a process as such a thread already."},
    {"string-length", kWarning, "A string longer than the 32000 bytes that readers must take."},
    {"switch-chain", kWarning,
     "A context switch away from a thread that was not the one running on that CPU."},
    {"thread-id-zero", kWarning,
     "Events of thread 0, or an object that names it: viewers keep id 0 for the idle pair."},
    {"thread-unseen", kNote,
     "A thread with a name that does nothing, beside threads without a name: has it two koids?"},
    {"thread-without-object", kWarning,
     "A scheduled thread without a kernel object: viewers show it nameless, at priority 0 not at "
     "all."},
    {"tick-precision", kNote,
     "Ticks that Perfetto converts to nanoseconds with an error; reported once for each provider."},
    {"time-backwards-cpu", kWarning, "Scheduling records of a CPU that are not in order of time."},
    {"time-backwards-thread", kWarning,
     "Events of a thread that are not in order of time (complete durations count by their end)."},
    {"truncated-tail", kWarning,
     "The archive ends within a record; viewers drop what there is of it in silence."},
    {"uint64-range", kNote, "An unsigned value from 2^63 on, which Perfetto shows as negative."},
    {"undeclared-provider", kWarning,
     "A section of a provider without a provider info record: viewers drop all of it."},
    {"unknown-argument", kNote, "An argument of a type that no revision of the format knows."},
    {"unknown-blob-type", kNote, "A blob of a type that no revision of the format knows."},
    {"unknown-event", kNote, "An event of a type that no revision of the format knows."},
    {"unknown-record", kNote, "A record of a type that no revision of the format knows."},
    {"unknown-thread-state", kWarning, "An outgoing thread state that has no meaning."},
    {"unregistered-string", kWarning,
     "A reference to a string index that was never registered; viewers drop the event."},
    {"unregistered-thread", kWarning,
     "A reference to a thread index that was never registered; viewers take it for thread 0."},
    {"waker-type", kWarning, "An argument \"waker\" that is no koid: viewers drop the record."},
    {"wakeup-of-ready", kNote,
     "A wakeup of a thread that runs or is ready: Perfetto cuts its time in two there."},
    {"weight-type", kWarning, "A scheduling weight that is no int32: viewers drop the record."},
    {"wide-integer", kNote,
     "A 64-bit integer whose value fits in 32 bits, other than a job's period or deadline."},
    {"zero-size", kWarning, "A record of size 0, as in a run of zeros: the whole file fails."},
    {"zero-ticks", kWarning, "An initialization with 0 ticks per second: its times mean nothing."},
});

constexpr bool kSorted = std::is_sorted(
    kRules.begin(), kRules.end(), [](const Rule& a, const Rule& b) { return a.name < b.name; });
static_assert(kSorted);

}  // namespace

std::span<const Rule> lint_rules() { return kRules; }

const Rule& lint_rule(std::string_view name) {
  return *std::lower_bound(
      kRules.begin(), kRules.end(), name,
      [](const Rule& rule, std::string_view wanted) { return rule.name < wanted; });
}

}  // namespace barefxt::host
