#include "interrupt_namer.h"

#include <barefxt/fxt/argument.h>
#include <barefxt/fxt/scheduling.h>

namespace barefxt::host {
namespace {

// As the hooks of kernels write it.
constexpr std::string_view kInterruptCategory = "irq";
constexpr std::string_view kNumber = "irq";
constexpr std::string_view kNameless = "interrupt";

// Steps through the parts of a record behind its fixed words.
class Parts {
 public:
  Parts(const CaptureContent& capture, const RecordView& record, ByteOrder order, size_t first)
      : capture_(capture), record_(record), order_(order), at_(first) {}

  bool is_over() const { return at_ == record_.words(); }
  std::optional<uint64_t> word() {
    if (at_ >= record_.words()) return {};
    return word_at(record_, at_++, order_);
  }
  std::optional<std::string_view> text(uint64_t ref) {
    const fxt::StringRef string{static_cast<uint16_t>(ref)};
    if (string.is_indexed()) return capture_.string(string.value);
    if (at_ > record_.words() || string.inline_words() > record_.words() - at_) return {};
    const auto* const bytes = record_.bytes.data() + at_ * fxt::kWordBytes;
    at_ += string.inline_words();
    return std::string_view(reinterpret_cast<const char*>(bytes), string.bytes());
  }
  // The value of the next argument, if it is a number of 32 bits with that name.
  std::optional<uint32_t> number(std::string_view name) {
    using Header = fxt::ArgumentHeader;
    const std::optional<uint64_t> header = word();
    if (!header ||
        static_cast<fxt::ArgumentType>(Header::Type::in(*header)) != fxt::ArgumentType::kUint32)
      return {};
    const std::optional<std::string_view> its_name = text(Header::Name::in(*header));
    if (!its_name || *its_name != name) return {};
    return static_cast<uint32_t>(Header::Uint32::in(*header));
  }

 private:
  const CaptureContent& capture_;
  const RecordView& record_;
  ByteOrder order_;
  size_t at_;
};

}  // namespace

std::optional<uint32_t> interrupt_of_wakeup(const CaptureContent& capture, const RecordView& record,
                                            ByteOrder order) {
  using Wakeup = fxt::ThreadWakeup;
  if (record.type() != fxt::RecordType::kScheduling ||
      fxt::SchedulingHeader::Subtype::in(record.header) != Wakeup::kThreadWakeup ||
      Wakeup::ArgumentCount::in(record.header) == 0)
    return {};
  return Parts(capture, record, order, Wakeup::kFixedWords).number(kNumber);
}

std::optional<NamedInterrupt> InterruptNamer::read(const RecordView& record, ByteOrder order) {
  using fxt::Event;
  if (record.type() != fxt::RecordType::kEvent || record.words() < Event::kFixedWords) return {};
  NamedInterrupt found;
  found.type = static_cast<fxt::EventType>(Event::Subtype::in(record.header));
  const bool is_begin = found.type == fxt::EventType::kDurationBegin;
  if (!is_begin && found.type != fxt::EventType::kDurationEnd) return {};
  if (Event::ArgumentCount::in(record.header) != (is_begin ? 1U : 0U)) return {};

  Parts parts(*capture_, record, order, Event::kFixedWords);
  found.thread.index = static_cast<uint8_t>(Event::Thread::in(record.header));
  if (found.thread.index == 0) {
    const std::optional<uint64_t> process = parts.word();
    const std::optional<uint64_t> thread = parts.word();
    if (!process || !thread) return {};
    found.thread.process = *process;
    found.thread.thread = *thread;
  }
  const std::optional<std::string_view> category = parts.text(Event::Category::in(record.header));
  if (!category || *category != kInterruptCategory) return {};
  const std::optional<std::string_view> name = parts.text(Event::Name::in(record.header));
  if (!name || *name != kNameless) return {};
  if (!is_begin) {
    if (!parts.is_over()) return {};
    if (too_deep_ != 0) {
      --too_deep_;
      return {};
    }
    if (depth_ == 0) return {};
    found.name = open_[--depth_];
  } else {
    const std::optional<uint32_t> number = parts.number(kNumber);
    if (!number || !parts.is_over()) return {};
    found.number = *number;
    found.name = names_->name(*number);
    if (depth_ == kDeepest) {
      ++too_deep_;
      return {};
    }
    open_[depth_++] = found.name;
  }
  if (found.name.empty()) return {};
  return found;
}

}  // namespace barefxt::host
