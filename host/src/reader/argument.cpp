// One argument out of its words.
#include <barefxt/host/argument.h>

#include "cursor.h"

namespace barefxt::host {

std::size_t decode_argument(Words words, const StringTable& strings, Argument& out) {
  using fxt::ArgumentHeader;
  if (words.empty()) return 0;
  const Word header = words[0];
  const std::size_t size = ArgumentHeader::SizeWords::in(header);
  const std::size_t known = known_words(header);
  if (size > words.size() || size < known) return 0;

  out.header = header;
  out.type = static_cast<fxt::ArgumentType>(ArgumentHeader::Type::in(header));
  out.extra_words = out.is_known() ? size - known : 0;
  out.string = {};
  out.blob = {};
  std::size_t at = 1;
  const auto text = [&](fxt::StringRef ref) {
    if (!ref.is_inline()) return resolve(strings, ref);
    const Text inside{words.from(at).bytes().substr(0, ref.bytes()), ref, true};
    at += ref.inline_words();
    return inside;
  };
  out.name = text({static_cast<std::uint16_t>(ArgumentHeader::Name::in(header))});
  out.bits = ArgumentHeader::Uint32::in(header);
  if (ArgumentHeader::has_value_word(out.type)) {
    out.bits = words[at];
  } else if (out.type == fxt::ArgumentType::kString) {
    out.string = text({static_cast<std::uint16_t>(ArgumentHeader::String::in(header))});
  } else if (out.type == fxt::ArgumentType::kBlob) {
    out.blob = words.from(at).bytes().substr(0, ArgumentHeader::BlobBytes::in(header));
  }
  return size;
}

}  // namespace barefxt::host
