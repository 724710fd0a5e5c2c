// "Argument Types": key and value pairs appended to event, object and scheduling records.
//
// Header, [name stream], then what the type asks for. The size includes all of it, so that readers
// skip types they do not know.
#pragma once

#include <barefxt/fxt/record.h>
#include <barefxt/fxt/reference.h>

namespace barefxt::fxt {

enum class ArgumentType : uint8_t {
  kNull = 0,
  kInt32 = 1,
  kUint32 = 2,
  kInt64 = 3,
  kUint64 = 4,
  kDouble = 5,
  kString = 6,
  kPointer = 7,
  kKoid = 8,
  kBool = 9,
  kBlob = 10,  // newer than the revision of 2020: payload stream after the name
};

struct ArgumentHeader {
  using Type = Field<0, 3>;
  using SizeWords = Field<4, 15>;
  using Name = Field<16, 31>;  // string ref

  // By type; if a type uses none of the upper half, it is reserved.
  using Int32 = Field<32, 63>;
  using Uint32 = Field<32, 63>;
  using Bool = Field<32, 32>;
  using BoolMustBeZero = Reserved<33, 63>;
  using String = Field<32, 47>;  // string ref
  using StringMustBeZero = Reserved<48, 63>;
  using BlobBytes = Field<32, 63>;
  using MustBeZero = Reserved<32, 63>;

  // Returns true if the value is a word of its own after the name.
  static constexpr bool has_value_word(ArgumentType type) {
    return type == ArgumentType::kInt64 || type == ArgumentType::kUint64 ||
           type == ArgumentType::kDouble || type == ArgumentType::kPointer ||
           type == ArgumentType::kKoid;
  }

  static constexpr Word make(ArgumentType type, size_t words, StringRef name) {
    return Type::of(static_cast<Word>(type)) | SizeWords::of(words) | Name::of(name.value);
  }
};

}  // namespace barefxt::fxt
