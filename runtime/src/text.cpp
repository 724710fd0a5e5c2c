#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/argument.h>

#include "cut_text.h"

namespace barefxt {

Atomic<uint32_t> texts_cut;

TextArgument argument::text(uint32_t name, const char* text, size_t bytes) {
  const uint32_t kept = text == nullptr ? 0 : cut_text(text, bytes, kMaxTextBytes);
  const fxt::StringRef value =
      kept == 0 ? fxt::StringRef::empty() : fxt::StringRef::inline_bytes(kept);
  return {header(fxt::ArgumentType::kString, 1 + fxt::words_for_bytes(kept), name) |
              fxt::ArgumentHeader::String::of(value.value),
          text, kept};
}

}  // namespace barefxt

extern "C" barefxt_text barefxt_text_inline(const char* bytes, size_t count) {
  using namespace barefxt;
  const uint32_t kept = bytes == nullptr ? 0 : cut_text(bytes, count, kMaxTextBytes);
  if (kept == 0) return {nullptr, fxt::StringRef::empty().value};
  return {bytes, fxt::StringRef::inline_bytes(kept).value};
}

#endif
