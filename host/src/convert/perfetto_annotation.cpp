#include "perfetto_annotation.h"

#include <utility>

#include <barefxt/host/json.h>

#include "perfetto_fields.h"
#include "shown_values.h"

namespace barefxt::host::perfetto {

ProtoMessage annotation(const Argument& argument, const std::string& name) {
  ProtoMessage message;
  message.text(Annotation::kName, valid_utf8(name));
  switch (argument.type) {
    case fxt::ArgumentType::kNull:
      return std::move(message.text(Annotation::kText, "null"));
    case fxt::ArgumentType::kInt32:
      return std::move(message.number(Annotation::kSigned, int64_t{argument.as_int32()}));
    case fxt::ArgumentType::kInt64:
      return std::move(message.number(Annotation::kSigned, argument.as_int64()));
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kUint64:
    case fxt::ArgumentType::kKoid:
      return std::move(message.number(Annotation::kUnsigned, argument.bits));
    case fxt::ArgumentType::kDouble:
      return std::move(message.real(Annotation::kReal, argument.as_double()));
    case fxt::ArgumentType::kString:
      return std::move(message.text(Annotation::kText, valid_utf8(Label(argument.string).text())));
    case fxt::ArgumentType::kPointer:
      return std::move(message.number(Annotation::kPointer, argument.bits));
    case fxt::ArgumentType::kBool:
      return std::move(message.number(Annotation::kBool, argument.bits & 1));
    case fxt::ArgumentType::kBlob: {
      StringOutput text;
      json_base64(text, argument.blob);
      const std::string quoted = text.take();
      return std::move(message.text(Annotation::kText, quoted.substr(1, quoted.size() - 2)));
    }
  }
  return message;
}

}  // namespace barefxt::host::perfetto
