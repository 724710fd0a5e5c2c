// Arguments: their headers, and types that viewers or the specification would rather have
// otherwise.
#include <array>
#include <limits>

#include <barefxt/host/json.h>

#include "../reader/conformance.h"
#include "checks.h"

namespace barefxt::host {
namespace {

std::string title(const Argument& argument) {
  return argument.name.registered ? "argument \"" + valid_utf8(argument.name.bytes) + "\""
                                  : "an argument";
}

bool fits_in_32_bits(const Argument& argument) {
  if (argument.type == fxt::ArgumentType::kUint64) {
    return argument.bits <= std::numeric_limits<uint32_t>::max();
  }
  return argument.type == fxt::ArgumentType::kInt64 &&
         argument.as_int64() >= std::numeric_limits<int32_t>::min() &&
         argument.as_int64() <= std::numeric_limits<int32_t>::max();
}

// Counts and times that barefxt itself writes always have 64 bits.
bool is_own(const Record& record) {
  if (const auto* event = std::get_if<Event>(&record.content))
    return event->category.bytes == "barefxt";
  const auto* object = std::get_if<KernelObject>(&record.content);
  return object != nullptr && object->arguments.find("since").has_value();
}

// Four seconds do not fit in 32 bits of nanoseconds.
bool is_time_of_job(const Argument& argument) {
  return argument.name.bytes == "period_ns" || argument.name.bytes == "deadline_ns";
}

class ArgumentCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    const Arguments all = arguments_of(record);
    if (all.size() == 0) return;
    const auto* event = std::get_if<Event>(&record.content);
    const bool counter = event != nullptr && event->type == fxt::EventType::kCounter;
    const bool own = is_own(record);
    std::array<std::string_view, fxt::kMaxArguments> names;
    size_t seen = 0;
    for (const Argument& argument : all) {
      one(argument, record.offset, context.findings);
      if (fits_in_32_bits(argument) && !own && !is_time_of_job(argument)) {
        context.findings.add(record.offset, "wide-integer", title(argument) + " fits in 32 bits");
      }
      if (counter && !argument.is_numeric()) {
        context.findings.add(record.offset, "counter-not-numeric",
                             title(argument) + " of a counter is no number");
      }
      if (!argument.name.registered) continue;
      for (size_t i = 0; i < seen; ++i) {
        if (names[i] != argument.name.bytes) continue;
        context.findings.add(record.offset, "repeated-argument", title(argument) + " comes twice");
        break;
      }
      names[seen++] = argument.name.bytes;
    }
  }

 private:
  static void one(const Argument& argument, uint64_t at, Findings& findings) {
    if (!argument.is_known()) {
      findings.add(
          at, "unknown-argument",
          formatted("{} has type {}", title(argument), static_cast<unsigned>(argument.type)));
    }
    if (reserved_bits_set(argument) != 0) {
      findings.add(at, "reserved-bits", "reserved bits are set in " + title(argument));
    }
    if (argument.extra_words != 0) {
      findings.add(at, "extra-words",
                   formatted("{} has {} words beyond its known content", title(argument),
                             argument.extra_words));
    }
    if (argument.type == fxt::ArgumentType::kUint64 && argument.as_int64() < 0) {
      findings.add(at, "uint64-range", formatted("{} is {}", title(argument), argument.bits));
    }
  }
};

}  // namespace

std::unique_ptr<LintCheck> make_argument_check() { return std::make_unique<ArgumentCheck>(); }

}  // namespace barefxt::host
