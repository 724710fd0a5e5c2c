// Kernel objects: what names threads and processes in a viewer, and what goes without.
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <barefxt/fxt/object.h>
#include <barefxt/host/json.h>

#include "../archive/own_events.h"
#include "checks.h"

namespace barefxt::host {
namespace {

constexpr size_t kMaxObjects = size_t{1} << 20;
constexpr uint64_t kTracersKoids = 0x7d000000;  // and on

class ObjectCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    const uint64_t at = record.offset;
    if (std::holds_alternative<Event>(record.content) || is_scheduling(record)) ++timed_;
    if (const auto* object = std::get_if<KernelObject>(&record.content)) {
      kernel_object(*object, record, context.findings);
    } else if (const auto* event = std::get_if<Event>(&record.content)) {
      if (event->thread.registered) acted(event->thread.thread);
      if (event->thread.registered && event->thread.thread == 0 && !thread_zero_) {
        thread_zero_ = true;
        context.findings.add(at, "thread-id-zero",
                             "an event of thread 0, perhaps the first of many");
      }
    } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
      if (legacy->outgoing.registered) scheduled(legacy->outgoing.thread, at);
      if (legacy->incoming.registered) scheduled(legacy->incoming.thread, at);
    } else if (const auto* change = std::get_if<ContextSwitch>(&record.content)) {
      if (is_added(change->arguments)) return;
      scheduled(change->outgoing, at);
      scheduled(change->incoming, at);
    } else if (const auto* wakeup = std::get_if<ThreadWakeup>(&record.content)) {
      scheduled(wakeup->thread, at);
    }
  }

  void finish(Findings& findings) override {
    bool some_have_no_name = false;
    for (const auto& [koid, at] : scheduled_) {
      if (threads_.contains(koid)) continue;
      some_have_no_name = true;
      findings.add(at, "thread-without-object",
                   formatted("thread {} is scheduled but has no kernel object", koid));
    }
    if (some_have_no_name) name_the_unseen(findings);
    for (const auto& [koid, at] : needed_processes_) {
      if (processes_.contains(koid)) continue;
      findings.add(at, "process-without-object",
                   formatted("process {} of this thread has no kernel object", koid));
    }
    for (const auto& [koid, seen] : threads_) {
      if (!processes_.contains(koid)) continue;
      findings.add(seen.offset, "shared-id", formatted("thread {} has the id of a process", koid));
    }
  }

 private:
  struct Seen {
    uint64_t offset;
    uint64_t provider;
    uint64_t timed;  // how many events and scheduling records came ahead of it
    std::string name;
  };
  using Objects = std::unordered_map<uint64_t, Seen>;  // by koid, where it was seen last

  static bool is_scheduling(const Record& record) {
    return std::holds_alternative<LegacyContextSwitch>(record.content) ||
           std::holds_alternative<ContextSwitch>(record.content) ||
           std::holds_alternative<ThreadWakeup>(record.content);
  }

  static void width(uint64_t koid, uint64_t at, Findings& findings) {
    if (koid > std::numeric_limits<uint32_t>::max()) {
      findings.add(at, "koid-width", formatted("id {} has more than 32 bits", koid));
    }
  }

  // Beside threads without names: one may go by two koids.
  void name_the_unseen(Findings& findings) const {
    for (const auto& [koid, seen] : threads_) {
      if (koid >= kTracersKoids || scheduled_.contains(koid) || acting_.contains(koid)) continue;
      findings.add(
          seen.offset, "thread-unseen",
          formatted("thread {} \"{}\" does nothing in this trace", koid, valid_utf8(seen.name)));
    }
  }

  void acted(uint64_t koid) {
    if (koid == last_acting_) return;
    last_acting_ = koid;
    if (acting_.size() < kMaxObjects) acting_.insert(koid);
  }

  void scheduled(uint64_t koid, uint64_t at) {
    if (scheduled_.size() < kMaxObjects) scheduled_.try_emplace(koid, at);
  }

  void describe(Objects& objects, const KernelObject& object, const Record& record,
                Findings& findings) const {
    const uint64_t provider = record.provider.value_or(kNoProvider);
    const auto found = objects.find(object.koid);
    Seen seen{record.offset, provider, timed_, std::string(object.name.bytes)};
    if (found == objects.end()) {
      if (objects.size() < kMaxObjects) objects.insert({object.koid, std::move(seen)});
      return;
    }
    // Timed records in between may be the change of the name.
    if (found->second.provider == provider && found->second.timed == timed_ &&
        found->second.name != seen.name) {
      findings.add(
          record.offset, "koid-two-names",
          formatted("koid {} is \"{}\", and \"{}\" at offset {}", object.koid,
                    valid_utf8(seen.name), valid_utf8(found->second.name), found->second.offset));
    }
    if (found->second.provider != provider) {
      findings.add(record.offset, "kernel-object-shared",
                   formatted("koid {} was described by another provider at offset {}", object.koid,
                             found->second.offset));
    }
    found->second = std::move(seen);
  }

  void kernel_object(const KernelObject& object, const Record& record, Findings& findings) {
    const bool thread = object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kThread);
    const bool process =
        object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kProcess);
    if (!thread && !process) return;
    const uint64_t at = record.offset;
    width(object.koid, at, findings);
    if (object.koid == 0 && !object.name.bytes.empty()) {
      findings.add(at, "thread-id-zero",
                   formatted("{} \"{}\" has id 0", thread ? "thread" : "process",
                             valid_utf8(object.name.bytes)));
    }
    describe(thread ? threads_ : processes_, object, record, findings);
    if (!thread) return;
    const auto argument = object.arguments.find("process");
    if (!argument || argument->type != fxt::ArgumentType::kKoid) {
      findings.add(at, "kernel-object-process",
                   formatted("thread {} has no koid argument \"process\"", object.koid));
      return;
    }
    width(argument->bits, at, findings);
    // Process 0 is the idle threads', and viewers have it already.
    if (argument->bits != 0 && needed_processes_.size() < kMaxObjects) {
      needed_processes_.try_emplace(argument->bits, at);
    }
  }

  std::unordered_map<uint64_t, uint64_t> scheduled_;  // koid to its first record
  std::unordered_set<uint64_t> acting_;               // threads of events
  uint64_t last_acting_ = 0;
  std::unordered_map<uint64_t, uint64_t> needed_processes_;
  Objects threads_;
  Objects processes_;
  uint64_t timed_ = 0;  // events and scheduling records so far
  bool thread_zero_ = false;
};

}  // namespace

std::unique_ptr<LintCheck> make_object_check() { return std::make_unique<ObjectCheck>(); }

}  // namespace barefxt::host
