// Each record by itself against the specification: reserved bits, padding, references, text.
#include <barefxt/host/json.h>
#include <barefxt/host/print.h>

#include "../reader/conformance.h"
#include "checks.h"

namespace barefxt::host {
namespace {

class FormatCheck : public LintCheck {
 public:
  void see(const Record& record, const LintContext& context) override {
    Findings& findings = context.findings;
    const uint64_t at = record.offset;
    settle_tail("malformed", findings);
    if (const auto* malformed = std::get_if<Malformed>(&record.content)) {
      const std::string text =
          formatted("{}, {} bytes skipped", describe(malformed->fault), record.raw.size());
      if (malformed->fault == Fault::kPartialWord || malformed->fault == Fault::kBeyondEnd) {
        tail_ = {at, text};  // what it is depends on whether anything comes after it
      } else {
        const bool zero =
            malformed->fault == Fault::kZeroSize || malformed->fault == Fault::kUnwritten;
        findings.add(at, zero ? "zero-size" : "malformed", text);
      }
      return;
    }
    if (reserved_bits_set(record, context.form.dialect, context.form.byte_order) != 0) {
      findings.add(at, "reserved-bits", "reserved bits are set in " + title(record));
    }
    if (!padding_is_zero(record)) {
      findings.add(at, "padding", "padding is not zero in " + title(record));
    }
    if (record.extra_words != 0) {
      findings.add(
          at, "extra-words",
          formatted("{} has {} words beyond its known content", title(record), record.extra_words));
    }
    std::visit([&](const auto& content) { texts(content, at, findings); }, record.content);
    std::visit([&](const auto& content) { threads(content, at, findings); }, record.content);
    special(record, findings);
  }

  void finish(Findings& findings) override { settle_tail("truncated-tail", findings); }

 private:
  struct Tail {
    uint64_t offset;
    std::string text;
  };

  void settle_tail(std::string_view rule, Findings& findings) {
    if (tail_) findings.add(tail_->offset, rule, tail_->text);
    tail_.reset();
  }

  static std::string title(const Record& record) {
    return formatted("{} record", record_name(record));
  }

  static void text(std::string_view bytes, const char* what, uint64_t at, Findings& findings) {
    if (!is_valid_utf8(bytes)) {
      findings.add(at, "invalid-utf8", formatted("{} is not UTF-8: {}", what, valid_utf8(bytes)));
    }
    if (bytes.size() > fxt::kMaxStringBytes) {
      findings.add(at, "string-length", formatted("{} has {} bytes", what, bytes.size()));
    }
  }
  static void text(const Text& value, const char* what, uint64_t at, Findings& findings) {
    if (!value.registered) {
      findings.add(at, "unregistered-string",
                   formatted("{} is string {}, which was never registered", what, value.ref.value));
    } else if (value.is_inline()) {  // an indexed one was reported where it was registered
      text(value.bytes, what, at, findings);
    }
  }

  template <typename Content>
  static void texts(const Content& content, uint64_t at, Findings& findings) {
    if constexpr (requires { content.category; }) text(content.category, "category", at, findings);
    if constexpr (requires { content.name; }) text(content.name, "name", at, findings);
    if constexpr (requires { content.message; }) text(content.message, "message", at, findings);
    if constexpr (requires { content.value; }) text(content.value, "string", at, findings);
    if constexpr (requires { content.arguments; }) {
      for (const Argument& argument : content.arguments) {
        text(argument.name, "argument name", at, findings);
        if (argument.type == fxt::ArgumentType::kString) {
          text(argument.string, "argument value", at, findings);
        }
      }
    }
  }

  static void thread(const ThreadId& id, uint64_t at, Findings& findings) {
    if (!id.registered) {
      findings.add(at, "unregistered-thread",
                   formatted("thread {} was never registered", id.ref.value));
    }
  }
  template <typename Content>
  static void threads(const Content& content, uint64_t at, Findings& findings) {
    if constexpr (requires { content.thread.registered; }) thread(content.thread, at, findings);
    if constexpr (requires { content.process.registered; }) thread(content.process, at, findings);
    if constexpr (requires { content.outgoing.registered; }) {
      thread(content.outgoing, at, findings);
      thread(content.incoming, at, findings);
    }
  }

  static void special(const Record& record, Findings& findings) {
    const uint64_t at = record.offset;
    if (const auto* string = std::get_if<StringRegistration>(&record.content)) {
      if (string->index == 0) findings.add(at, "index-zero", "a string for index 0 is ignored");
      if (string->value.empty()) findings.add(at, "empty-string", "an empty string is registered");
    } else if (const auto* registration = std::get_if<ThreadRegistration>(&record.content)) {
      if (registration->index == 0) {
        findings.add(at, "index-zero", "a thread for index 0 is ignored");
      }
    } else if (const auto* initialization = std::get_if<Initialization>(&record.content)) {
      if (initialization->ticks_per_second == 0) {
        findings.add(at, "zero-ticks", "0 ticks per second");
      }
    } else if (const auto* blob = std::get_if<Blob>(&record.content)) {
      if (blob->type == 0 || blob->type > static_cast<unsigned>(fxt::BlobType::kPerfetto)) {
        findings.add(at, "unknown-blob-type", formatted("blob type {}", blob->type));
      }
    } else if (const auto* unknown = std::get_if<Unknown>(&record.content)) {
      findings.add(at, "unknown-record",
                   formatted("record type {}{}", unknown->type,
                             unknown->subtype ? formatted(" subtype {}", *unknown->subtype) : ""));
    } else if (const auto* event = std::get_if<Event>(&record.content)) {
      if (!event->is_known()) {
        findings.add(at, "unknown-event",
                     formatted("event type {}", fxt::Event::Subtype::in(record.header)));
      }
      if (event->has_scope) {
        findings.add(at, "instant-scope", formatted("scope {}", event->trailing));
      }
      if (event->type == fxt::EventType::kDurationComplete && event->trailing < event->timestamp) {
        findings.add(at, "end-before-begin",
                     formatted("begins at {}, ends at {}", event->timestamp, event->trailing));
      }
    }
  }

  std::optional<Tail> tail_;
};

}  // namespace

std::unique_ptr<LintCheck> make_format_check() { return std::make_unique<FormatCheck>(); }

}  // namespace barefxt::host
