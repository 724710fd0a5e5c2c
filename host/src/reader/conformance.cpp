// Reserved bits by record type, straight from the shared format headers.
#include "conformance.h"

#include <barefxt/fxt/log.h>
#include <barefxt/fxt/metadata.h>
#include <barefxt/fxt/object.h>
#include <barefxt/fxt/profiler.h>
#include <barefxt/fxt/tables.h>

namespace barefxt::host {
namespace {

// Padding follows a stream up to the next word; the record was checked to have room for both.
bool padded_with_zeros(std::string_view stream) {
  const size_t padded = fxt::words_for_bytes(stream.size()) * fxt::kWordBytes;
  for (size_t i = stream.size(); i < padded; ++i) {
    if (stream.data()[i] != 0) return false;
  }
  return true;
}

bool padded_with_zeros(const Text& text) {
  return !text.is_inline() || padded_with_zeros(text.bytes);
}

bool padded_with_zeros(const Arguments& arguments) {
  for (const Argument& argument : arguments) {
    if (!padded_with_zeros(argument.name) || !padded_with_zeros(argument.string) ||
        !padded_with_zeros(argument.blob)) {
      return false;
    }
  }
  return true;
}

Word mask_of(const Record& record, Dialect dialect) {
  const bool old = dialect == Dialect::k2017;
  struct Mask {
    bool old;
    Word operator()(const MagicNumber&) const { return 0; }
    Word operator()(const ProviderInfo&) const { return fxt::ProviderInfo::MustBeZero::kMask; }
    Word operator()(const ProviderSection&) const {
      return fxt::ProviderSection::MustBeZero::kMask;
    }
    Word operator()(const ProviderEvent&) const { return fxt::ProviderEvent::MustBeZero::kMask; }
    Word operator()(const Initialization&) const { return fxt::Initialization::MustBeZero::kMask; }
    Word operator()(const StringRegistration&) const {
      return fxt::StringRecord::MustBeZero31::kMask | fxt::StringRecord::MustBeZero47::kMask |
             fxt::StringRecord::MustBeZero48::kMask;
    }
    Word operator()(const ThreadRegistration&) const {
      return fxt::ThreadRecord::MustBeZero::kMask;
    }
    Word operator()(const Event&) const { return 0; }
    Word operator()(const Blob&) const {
      return fxt::Blob::MustBeZero56::kMask | (old ? 0 : fxt::Blob::MustBeZero47::kMask);
    }
    Word operator()(const UserspaceObject&) const {
      return fxt::UserspaceObject::MustBeZero::kMask;
    }
    Word operator()(const KernelObject&) const { return fxt::KernelObject::MustBeZero::kMask; }
    Word operator()(const LegacyContextSwitch&) const {
      using Switch = fxt::LegacyContextSwitch;
      return old ? Switch::OutgoingPriority::kMask | Switch::IncomingPriority::kMask |
                       Switch::Subtype::kMask
                 : 0;
    }
    Word operator()(const ContextSwitch&) const { return fxt::ContextSwitch::MustBeZero::kMask; }
    Word operator()(const ThreadWakeup&) const { return fxt::ThreadWakeup::MustBeZero::kMask; }
    Word operator()(const Log&) const {
      return fxt::Log::MustBeZero31::kMask | fxt::Log::MustBeZero40::kMask;
    }
    Word operator()(const LargeBlob&) const { return fxt::LargeBlob::MustBeZero::kMask; }
    Word operator()(const ProfilerModule&) const { return fxt::ProfilerModule::MustBeZero::kMask; }
    Word operator()(const ProfilerMmap&) const { return fxt::ProfilerMmap::MustBeZero::kMask; }
    Word operator()(const ProfilerBacktrace&) const {
      return fxt::ProfilerBacktrace::MustBeZero::kMask;
    }
    Word operator()(const Unknown&) const { return 0; }
    Word operator()(const Malformed&) const { return 0; }
  };
  return std::visit(Mask{old}, record.content);
}

}  // namespace

Word reserved_bits_set(const Record& record, Dialect dialect, ByteOrder order) {
  const Word set = record.header & mask_of(record, dialect);
  const auto* large = std::get_if<LargeBlob>(&record.content);
  if (set != 0 || large == nullptr) return set;
  const auto* bytes = reinterpret_cast<const uint8_t*>(record.raw.data());
  const Word second = load_word(bytes + fxt::kWordBytes, order != kOwnByteOrder);
  return second &
         (large->format == fxt::LargeBlob::kFormatEvent ? fxt::LargeBlob::EventMustBeZero::kMask
                                                        : fxt::LargeBlob::BareMustBeZero::kMask);
}

Word reserved_bits_set(const Argument& argument) {
  using fxt::ArgumentHeader;
  switch (argument.type) {
    case fxt::ArgumentType::kNull:
    case fxt::ArgumentType::kInt64:
    case fxt::ArgumentType::kUint64:
    case fxt::ArgumentType::kDouble:
    case fxt::ArgumentType::kPointer:
    case fxt::ArgumentType::kKoid:
      return argument.header & ArgumentHeader::MustBeZero::kMask;
    case fxt::ArgumentType::kString:
      return argument.header & ArgumentHeader::StringMustBeZero::kMask;
    case fxt::ArgumentType::kBool:
      return argument.header & ArgumentHeader::BoolMustBeZero::kMask;
    case fxt::ArgumentType::kInt32:
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kBlob:
      break;
  }
  return 0;
}

Arguments arguments_of(const Record& record) {
  return std::visit(
      [](const auto& content) -> Arguments {
        if constexpr (requires { content.arguments; }) {
          return content.arguments;
        } else {
          return {};
        }
      },
      record.content);
}

bool padding_is_zero(const Record& record) {
  struct Check {
    bool operator()(const ProviderInfo& info) const { return padded_with_zeros(info.name); }
    bool operator()(const StringRegistration& string) const {
      return padded_with_zeros(string.value);
    }
    bool operator()(const Event& event) const {
      return padded_with_zeros(event.category) && padded_with_zeros(event.name);
    }
    bool operator()(const Blob& blob) const {
      return padded_with_zeros(blob.name) && padded_with_zeros(blob.payload);
    }
    bool operator()(const UserspaceObject& object) const { return padded_with_zeros(object.name); }
    bool operator()(const KernelObject& object) const { return padded_with_zeros(object.name); }
    bool operator()(const Log& log) const { return padded_with_zeros(log.message); }
    bool operator()(const LargeBlob& blob) const {
      return padded_with_zeros(blob.category) && padded_with_zeros(blob.name) &&
             padded_with_zeros(blob.payload);
    }
    bool operator()(const ProfilerModule& module) const {
      return padded_with_zeros(module.name) && padded_with_zeros(module.build_id);
    }
  };
  const bool own = std::visit(
      [](const auto& content) {
        if constexpr (requires { Check{}(content); }) {
          return Check{}(content);
        } else {
          return true;
        }
      },
      record.content);
  return own && padded_with_zeros(arguments_of(record));
}

}  // namespace barefxt::host
