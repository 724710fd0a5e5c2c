// The arguments of one record, made to fit: no more than it can count. If they are too long for it
// together, their texts are cut once more.
#pragma once

#include <barefxt/argument.h>

#include "cut_text.h"

namespace barefxt {

class ArgumentList {
 public:
  // `fixed_bytes` is what the record holds besides.
  ArgumentList(const barefxt_argument* arguments, uint32_t count, uint32_t fixed_bytes)
      : arguments_(arguments), count_(count) {
    if (count_ > fxt::kMaxArguments) {
      count_ = static_cast<uint32_t>(fxt::kMaxArguments);
      count_cut();
    }
    bytes_ = sum();
    if (fixed_bytes + bytes_ <= kRoomBytes) return;
    while (fixed_bytes + bytes_ > kRoomBytes && text_limit_ != 0) {
      text_limit_ /= 2;
      bytes_ = sum();
    }
    count_cut();
  }
  uint32_t count() const { return count_; }
  uint32_t bytes() const { return bytes_; }
  fxt::Word* write(fxt::Word* at) const {
    for (uint32_t i = 0; i < count_; ++i) at = write_argument(at, arguments_[i], text_limit_);
    return at;
  }

 private:
  // Room for arguments in a segment's largest record, less the most that may come on top: inline
  // koids, and the wrapping of records without a time.
  static constexpr uint32_t kRoomBytes = kMaxRecordBytes - 4 * fxt::kWordBytes;

  uint32_t sum() const {
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < count_; ++i) bytes += argument_bytes(arguments_[i], text_limit_);
    return bytes;
  }

  const barefxt_argument* arguments_;
  uint32_t count_;
  uint32_t bytes_;
  uint32_t text_limit_ = kMaxTextBytes;
};

}  // namespace barefxt
