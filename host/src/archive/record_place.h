// Puts a record together in the writer's buffer: words and streams, one after another.
//
// The caller has made room for the whole record, whose size it computed beforehand with the
// functions here. The last word of each stream is zeroed first, so that the padding is zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <barefxt/fxt/field.h>
#include <barefxt/host/archive_writer.h>

#include "ordered_words.h"

namespace barefxt::host {

inline size_t words_of(const ArchiveText& text) { return text.ref().inline_words(); }
inline size_t words_of(const ArchiveThread& thread) {
  return fxt::ThreadRef::index(thread.index).inline_words();
}

// An argument's size field has 12 bits, also in records whose own size field has more.
inline constexpr size_t kMaxArgumentWords = fxt::ArgumentHeader::SizeWords::kMax;

class RecordPlace {
 public:
  RecordPlace(uint8_t* to, ByteOrder order) : to_(to), order_(order) {}

  void word(uint64_t value) {
    store_word(to_, value, order_);
    to_ += fxt::kWordBytes;
  }
  void stream(std::string_view bytes) {
    if (bytes.empty()) return;
    const size_t padded = fxt::words_for_bytes(bytes.size()) * fxt::kWordBytes;
    std::memset(to_ + padded - fxt::kWordBytes, 0, fxt::kWordBytes);
    std::memcpy(to_, bytes.data(), bytes.size());
    to_ += padded;
  }
  void text(const ArchiveText& text) { stream(text.inline_text()); }
  void thread(const ArchiveThread& thread) {
    if (thread.index != 0) return;
    word(thread.process);
    word(thread.thread);
  }
  void arguments(ArchiveArguments arguments) {
    for (const ArchiveArgument& one : arguments) argument(one);
  }

 private:
  void argument(const ArchiveArgument& argument) {
    using Header = fxt::ArgumentHeader;
    const fxt::Word head = Header::make(argument.type, argument.words(), argument.name.ref());
    switch (argument.type) {
      case fxt::ArgumentType::kInt32:
      case fxt::ArgumentType::kUint32:
        word(head | Header::Uint32::low(argument.value));
        text(argument.name);
        return;
      case fxt::ArgumentType::kBool:
        word(head | Header::Bool::low(argument.value));
        text(argument.name);
        return;
      case fxt::ArgumentType::kString:
        word(head | Header::String::of(argument.text.ref().value));
        text(argument.name);
        text(argument.text);
        return;
      case fxt::ArgumentType::kBlob:
        word(head | Header::BlobBytes::of(argument.blob_bytes.size()));
        text(argument.name);
        stream(argument.blob_bytes);
        return;
      default:
        word(head);
        text(argument.name);
        if (Header::has_value_word(argument.type)) word(argument.value);
    }
  }

  uint8_t* to_;
  ByteOrder order_;
};

}  // namespace barefxt::host
