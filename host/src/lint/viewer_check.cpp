// What a viewer (Perfetto's importer was read and measured) would drop, cut or show wrongly, as far
// as one record tells.
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <barefxt/fxt/object.h>
#include <barefxt/host/json.h>

#include "checks.h"

namespace barefxt::host {
namespace {

constexpr unsigned kCpuLimit = 4096;
constexpr std::size_t kMostThreads = std::size_t{1} << 20;

class ViewerCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    const std::uint64_t at = record.offset;
    Findings& findings = context.findings;
    if (fxt::RecordHeader::type(record.header) == fxt::RecordType::kLarge &&
        record.words() > fxt::kMaxRecordWords) {
      findings.add(at, "large-record", std::to_string(record.words()) + " words");
    }
    if (const auto* object = std::get_if<KernelObject>(&record.content)) {
      kernel_object(*object, at, findings);
    } else if (const auto* registration = std::get_if<ThreadRegistration>(&record.content)) {
      width(registration->process, at, findings);
      width(registration->thread, at, findings);
    } else if (const auto* event = std::get_if<Event>(&record.content)) {
      inline_width(event->thread, at, findings);
    } else if (const auto* legacy = std::get_if<LegacyContextSwitch>(&record.content)) {
      inline_width(legacy->outgoing, at, findings);
      inline_width(legacy->incoming, at, findings);
      if (legacy->outgoing.registered) scheduled(legacy->outgoing.thread, at);
      if (legacy->incoming.registered) scheduled(legacy->incoming.thread, at);
    } else if (const auto* change = std::get_if<ContextSwitch>(&record.content)) {
      width(change->outgoing, at, findings);
      width(change->incoming, at, findings);
      scheduled(change->outgoing, at);
      scheduled(change->incoming, at);
      cpu(change->cpu, at, findings);
      conventional(change->arguments, at, findings);
    } else if (const auto* wakeup = std::get_if<ThreadWakeup>(&record.content)) {
      width(wakeup->thread, at, findings);
      scheduled(wakeup->thread, at);
      cpu(wakeup->cpu, at, findings);
      conventional(wakeup->arguments, at, findings);
    }
  }

  void finish(Findings& findings) override {
    for (const auto& [koid, at] : scheduled_) {
      if (described_.contains(koid)) continue;
      findings.add(at, "thread-without-object",
                   "thread " + std::to_string(koid) + " is scheduled but has no kernel object");
    }
  }

 private:
  static void width(std::uint64_t koid, std::uint64_t at, Findings& findings) {
    if (koid > std::numeric_limits<std::uint32_t>::max()) {
      findings.add(at, "koid-width", "id " + std::to_string(koid) + " has more than 32 bits");
    }
  }
  // What is indexed was reported where it was registered.
  static void inline_width(const ThreadId& id, std::uint64_t at, Findings& findings) {
    if (!id.ref.is_inline()) return;
    width(id.process, at, findings);
    width(id.thread, at, findings);
  }

  static void cpu(unsigned number, std::uint64_t at, Findings& findings) {
    if (number >= kCpuLimit) findings.add(at, "cpu-number", "CPU " + std::to_string(number));
  }

  static void conventional(const Arguments& arguments, std::uint64_t at, Findings& findings) {
    for (const Argument& argument : arguments) {
      const std::string_view name = argument.name.bytes;
      const bool weight =
          name == "weight" || name == "outgoing_weight" || name == "incoming_weight";
      if (weight && argument.type != fxt::ArgumentType::kInt32) {
        findings.add(at, "weight-type", "argument \"" + std::string(name) + "\" is no int32");
      } else if (name == "waker" && argument.type != fxt::ArgumentType::kKoid) {
        findings.add(at, "waker-type", "argument \"waker\" is no koid");
      }
    }
  }

  void scheduled(std::uint64_t koid, std::uint64_t at) {
    if (scheduled_.size() < kMostThreads) scheduled_.try_emplace(koid, at);
  }

  void kernel_object(const KernelObject& object, std::uint64_t at, Findings& findings) {
    const bool thread = object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kThread);
    const bool process =
        object.object_type == static_cast<unsigned>(fxt::KernelObjectType::kProcess);
    if (!thread && !process) return;
    width(object.koid, at, findings);
    if (object.koid == 0 && !object.name.bytes.empty()) {
      findings.add(at, "thread-id-zero",
                   std::string(thread ? "thread" : "process") + " \"" +
                       valid_utf8(object.name.bytes) + "\" has id 0");
    }
    if (!thread) return;
    if (described_.size() < kMostThreads) described_.insert(object.koid);
    const auto argument = object.arguments.find("process");
    if (!argument || argument->type != fxt::ArgumentType::kKoid) {
      findings.add(at, "kernel-object-process",
                   "thread " + std::to_string(object.koid) + " has no koid argument \"process\"");
    } else {
      width(argument->bits, at, findings);
    }
  }

  std::unordered_map<std::uint64_t, std::uint64_t> scheduled_;  // koid to its first record
  std::unordered_set<std::uint64_t> described_;
};

}  // namespace

std::unique_ptr<LintCheck> make_viewer_check() { return std::make_unique<ViewerCheck>(); }

}  // namespace barefxt::host
