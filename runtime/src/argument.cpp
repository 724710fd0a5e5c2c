// Arguments in memory, written into a record.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/argument.h>
#include <barefxt/utf8.h>

namespace barefxt {
namespace {

using Header = fxt::ArgumentHeader;

// The numbers in C's header are the format's.
static_assert(static_cast<int>(fxt::ArgumentType::kBlob) == 10);
static_assert(Header::Type::kFirst == 0 && Header::SizeWords::kFirst == 4 &&
              Header::SizeWords::kMax == 0xfff && Header::Name::kFirst == 16 &&
              Header::Uint32::kFirst == 32 && Header::String::kFirst == 32 &&
              Header::BlobBytes::kFirst == 32 && Header::Bool::kFirst == 32);

fxt::ArgumentType type_of(const barefxt_argument& argument) {
  return static_cast<fxt::ArgumentType>(Header::Type::in(argument.header));
}

// Bytes of an inline text that are left out.
uint32_t cut_off(const barefxt_argument& argument, uint32_t text_limit) {
  if (type_of(argument) != fxt::ArgumentType::kString || argument.value <= text_limit) return 0;
  const auto bytes = static_cast<uint32_t>(argument.value);
  return bytes - cut_utf8(static_cast<const char*>(argument.payload), bytes, text_limit);
}

// Returns the argument's header with the text shorter by `cut` bytes.
fxt::Word shortened(const barefxt_argument& argument, uint32_t cut) {
  if (cut == 0) return argument.header;
  const auto before = static_cast<size_t>(argument.value);
  const size_t kept = before - cut;
  const size_t words = Header::SizeWords::in(argument.header) - fxt::words_for_bytes(before) +
                       fxt::words_for_bytes(kept);
  const fxt::StringRef name{static_cast<uint16_t>(Header::Name::in(argument.header))};
  const fxt::StringRef value =
      kept == 0 ? fxt::StringRef::empty() : fxt::StringRef::inline_bytes(kept);
  return Header::make(fxt::ArgumentType::kString, words, name) | Header::String::of(value.value);
}

}  // namespace

uint32_t argument_bytes(const barefxt_argument& argument, uint32_t text_limit) {
  const fxt::Word words = Header::SizeWords::in(shortened(argument, cut_off(argument, text_limit)));
  return static_cast<uint32_t>(words * fxt::kWordBytes);
}

fxt::Word* write_argument(fxt::Word* at, const barefxt_argument& argument, uint32_t text_limit) {
  const uint32_t cut = cut_off(argument, text_limit);
  const fxt::StringRef name{static_cast<uint16_t>(Header::Name::in(argument.header))};
  *at++ = shortened(argument, cut);
  if (argument.name != nullptr)
    at = write_stream(at, argument.name, static_cast<uint32_t>(name.bytes()));
  if (Header::has_value_word(type_of(argument))) *at++ = argument.value;
  if (argument.payload != nullptr)
    at = write_stream(at, argument.payload, static_cast<uint32_t>(argument.value) - cut);
  return at;
}

}  // namespace barefxt

#endif
