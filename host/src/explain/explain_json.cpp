// Explanations as one JSON object.
#include <barefxt/host/json.h>

#include "phrases.h"

namespace barefxt::host {
namespace {

template <typename Integer>
void number(JsonObject& object, std::string_view key, const std::optional<Integer>& value) {
  if (value) object.number(key, *value);
}

void thread(JsonObject& object, std::string_view key, std::string_view name_key,
            const Statistics& statistics, const std::optional<uint64_t>& koid) {
  if (!koid) return;
  object.number(key, *koid);
  const std::string name = statistics.name_of(*koid);
  if (!name.empty()) object.string(name_key, name);
}

void object_of(JsonObject& to, const Statistics& statistics, const ObjectKey& key) {
  to.string("category", key.label.category);
  to.string("name", key.label.name);
  if (key.pointer) to.number("object", *key.pointer);
  const std::string name = statistics.name_of(key);
  if (!name.empty()) to.string("object_name", name);
}

void cause_of(JsonObject& to, const Statistics& statistics, const Cause& cause) {
  to.string("cause", name_of(cause.kind));
  if (cause.reason != UnknownReason::kNone) to.string("reason", name_of(cause.reason));
  number(to, "cpu", cause.cpu);
  number(to, "from_cpu", cause.from_cpu);
  thread(to, "thread", "thread_name", statistics, cause.thread);
  number(to, "priority", cause.priority);
  number(to, "over_priority", cause.over);
  if (cause.kind == CauseKind::kInterrupt || cause.kind == CauseKind::kStall)
    to.string("interrupt", cause.interrupt);
  if (cause.object) {
    JsonObject object(to.key("waits_for"));
    object_of(object, statistics, *cause.object);
  }
  if (cause.kind == CauseKind::kBlocked) to.boolean("free", cause.is_free);
  if (cause.is_cycle) to.boolean("deadlock", true);
  if (cause.locks.empty()) return;
  to.boolean("priority_inversion", cause.is_inversion);
  to.list("locks", cause.locks, [&](JsonObject& one, const HeldLock& lock) {
    object_of(one, statistics, lock.lock);
    thread(one, "holder", "holder_name", statistics, lock.holder);
  });
}

void parts_of(JsonObject& to, const Phrases& words, const Explanation& one) {
  to.list("parts", one.parts, [&](JsonObject& entry, const Part& part) {
    cause_of(entry, words.explained().statistics, part.cause);
    entry.number("ticks", part.ticks);
    entry.number("times", part.times);
    entry.number("longest_ticks", part.longest);
    entry.string("text", words.cause(part.cause));
  });
}

void stretches_of(JsonObject& to, const Explanation& one) {
  to.list("stretches", one.stretches, [&](JsonObject& entry, const CauseStretch& stretch) {
    entry.number("begin", stretch.begin);
    entry.number("end", stretch.end);
    entry.number("part", stretch.part);
  });
  to.number("stretches_left_out", one.stretches_left_out);
}

void chain_of(JsonObject& to, const Statistics& statistics, const Explanation& one) {
  to.list("chain", one.chain, [&](JsonObject& entry, const Wakening& link) {
    entry.number("time", link.time);
    thread(entry, "thread", "thread_name", statistics, link.thread);
    number(entry, "cpu", link.cpu);
    thread(entry, "waker", "waker_name", statistics, link.waker);
    if (link.is_interrupt) entry.string("interrupt", link.interrupt);
  });
  to.boolean("chain_is_whole", one.chain_is_whole);
}

void path_of(JsonObject& to, const Statistics& statistics, const Explanation& one) {
  to.list("path", one.path, [&](JsonObject& entry, const PathStretch& stretch) {
    entry.number("begin", stretch.begin);
    entry.number("end", stretch.end);
    thread(entry, "thread", "thread_name", statistics, stretch.thread);
  });
  to.boolean("path_is_whole", one.path_is_whole);
}

void print(Output& out, const Phrases& words, const Explanation& one) {
  const Explained& explained = words.explained();
  const Statistics& statistics = explained.statistics;
  JsonObject entry(out);
  entry.string("kind", name_of(one.kind));
  if (one.budget_line != 0) entry.number("budget_line", one.budget_line);
  entry.string("sentence", sentence(explained, one));
  entry.string("would_help", remedy(explained, one));
  entry.number("begin", one.begin);
  entry.number("end", one.end);
  entry.number("ticks", one.length());
  if (one.offset != ~uint64_t{0}) entry.number("offset", one.offset);
  thread(entry, "thread", "thread_name", statistics, one.thread);
  number(entry, "cpu", one.cpu);
  if (one.label) {
    entry.string("category", one.label->category);
    entry.string("name", one.label->name);
  }
  if (one.object) {
    JsonObject lock(entry.key("lock"));
    object_of(lock, statistics, *one.object);
  }
  parts_of(entry, words, one);
  stretches_of(entry, one);
  chain_of(entry, statistics, one);
  if (one.kind == CaseKind::kFlow) path_of(entry, statistics, one);
}

}  // namespace

void print_explanations_json(Output& out, const Explained& explained) {
  {
    const Phrases words(explained);
    JsonObject all(out);
    all.number("ticks_per_second", explained.statistics.ticks_per_second);
    all.number("looked_at", explained.looked_at);
    all.boolean("interrupts_recorded", explained.interrupts_recorded);
    all.boolean("priorities_ordered", explained.priorities_ordered);
    all.number("left_out", explained.statistics.left_out);
    JsonList list(all.key("cases"));
    for (const Explanation& one : explained.cases) print(list.next(), words, one);
  }
  out.character('\n');
}

}  // namespace barefxt::host
