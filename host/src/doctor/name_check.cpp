// Names: of threads, and of what the records are about.
#include <algorithm>
#include <set>

#include "../print/hexadecimal.h"
#include "../rebuild/former_threads.h"
#include "checks.h"

namespace barefxt::host {
namespace {

void threads_have_names(const CaptureFacts& facts, Diagnoses& diagnoses) {
  std::set<uint64_t> used;
  std::set<uint64_t> described;
  std::bitset<256> indices;
  uint64_t unregistered = 0;
  for (const RingSurvey& ring : facts.rings) {
    used.insert(ring.names.koids.begin(), ring.names.koids.end());
    described.insert(ring.names.described_koids.begin(), ring.names.described_koids.end());
    indices |= ring.names.indices;
    unregistered += ring.names.unregistered;
  }
  uint64_t nameless = 0;
  std::string example;
  for (const ThreadFacts& thread : facts.capture.threads()) {
    if (thread.kind == 0) continue;
    if (thread.index != 0) indices.reset(thread.index);
    if (thread.name.empty()) {
      if (nameless++ == 0) example = std::to_string(thread.koid);
    } else {
      described.insert(thread.koid);
    }
  }
  // Threads that are gone, whose entries others have.
  for (const OwnerChange& change : facts.owners.changes)
    if (change.is_known) indices.reset(change.index);
  // If entries were lost on the line, another check reports it.
  const bool has_all_entries = facts.capture.findings().threads_missing == 0;
  if (has_all_entries) nameless += indices.count();
  uint64_t without_entry = 0;
  uint64_t first_without_entry = 0;
  for (const uint64_t koid : used) {
    if (described.contains(koid) || !has_all_entries) continue;
    if (without_entry++ == 0) first_without_entry = koid;
  }
  if (without_entry != 0)
    diagnoses.add(
        "table-full", facts.name,
        formatted("the thread table was full: {} without a name, the first with the koid {}",
                  counted(without_entry, "thread"), first_without_entry),
        "raise BAREFXT_MAX_THREADS, and call barefxt_thread_unregister and "
        "barefxt_process_unregister for ended ones; beyond the table, threads get a name "
        "only if they are registered or renamed during recording");
  if (nameless != 0)
    diagnoses.add("threads-nameless", facts.name,
                  counted(nameless, "thread") + " without a name" +
                      (example.empty() ? "" : ", the first with the koid " + example),
                  "give barefxt_thread_register a name");
  if (unregistered != 0)
    diagnoses.add("threads-nameless", facts.name,
                  counted(unregistered, "record") + " of threads that were never registered",
                  "call barefxt_thread_register before a thread runs first: also for the idle "
                  "threads, and for those that were there before recording started");
}

}  // namespace

void check_names(const CaptureFacts& facts, Diagnoses& diagnoses) {
  threads_have_names(facts, diagnoses);
  uint64_t missing = 0;
  for (const RingSurvey& ring : facts.rings) missing += ring.names.missing_strings;
  const auto& hello = facts.capture.hello();
  // The check frames-missing reports lost string frames.
  if (missing == 0 || facts.capture.findings().strings_missing != 0 || !hello) return;
  if (facts.capture.lacks_program()) {
    diagnoses.add("strings-missing", facts.name,
                  counted(missing, "name") + " of events in the program that ran",
                  "name the program with --elf: the one with the build id " +
                      hexadecimal_digits(hello->build_id));
    return;
  }
  diagnoses.add("strings-missing", facts.name,
                formatted("{} of events not in the table, which has {}{}", counted(missing, "name"),
                          counted(hello->string_count, "text"),
                          hello->string_count == 0 ? ": the image has no table" : ""),
                "in the linker script put barefxt_strings.ld into a section that is loaded, with "
                "its KEEP, and barefxt_index.ld among the sections; then link anew");
}

}  // namespace barefxt::host
