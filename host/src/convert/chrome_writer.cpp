#include "chrome_writer.h"

#include <cmath>

#include "unique_names.h"

namespace barefxt::host {
namespace {

constexpr uint64_t kExact = uint64_t{1} << 53;

void signed_integer(Output& out, int64_t value) {
  const auto size =
      value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const bool exact = size <= kExact;
  if (!exact) out.character('"');
  out.number(value);
  if (!exact) out.character('"');
}

void pointer(Output& out, uint64_t value) { out.text(formatted("\"0x{:x}\"", value)); }

void value(Output& out, const Argument& argument) {
  switch (argument.type) {
    case fxt::ArgumentType::kNull:
      return out.text("null");
    case fxt::ArgumentType::kInt32:
      return out.number(argument.as_int32());
    case fxt::ArgumentType::kInt64:
      return signed_integer(out, argument.as_int64());
    case fxt::ArgumentType::kUint32:
    case fxt::ArgumentType::kUint64:
    case fxt::ArgumentType::kKoid:
      return chrome_integer(out, argument.bits);
    case fxt::ArgumentType::kDouble:
      return json_double(out, argument.as_double());
    case fxt::ArgumentType::kString:
      return json_string(out, Label(argument.string).text());
    case fxt::ArgumentType::kPointer:
      return pointer(out, argument.bits);
    case fxt::ArgumentType::kBool:
      return out.text((argument.bits & 1) != 0 ? "true" : "false");
    case fxt::ArgumentType::kBlob:
      return json_base64(out, argument.blob);
  }
}

}  // namespace

void chrome_integer(Output& out, uint64_t value) {
  const bool exact = value <= kExact;
  if (!exact) out.character('"');
  out.number(value);
  if (!exact) out.character('"');
}

void chrome_arguments(Output& out, const Arguments& arguments, ChangeCounts& changes) {
  UniqueNames names;
  JsonRecord object(out);
  for (const Argument& argument : arguments) {
    if (!argument.is_known()) {
      changes.add(Change::kUnknownArgument);
      continue;
    }
    Output& to = object.next();
    json_string(to, names.unique(argument.name));
    to.character(':');
    value(to, argument);
  }
}

void chrome_series(Output& out, const Arguments& arguments, ChangeCounts& changes) {
  UniqueNames names;
  JsonRecord object(out);
  for (const Argument& argument : arguments) {
    const bool finite = argument.is_numeric() && (argument.type != fxt::ArgumentType::kDouble ||
                                                  std::isfinite(argument.as_double()));
    if (!finite) {
      changes.add(argument.is_known() ? Change::kSeriesValue : Change::kUnknownArgument);
      continue;
    }
    Output& to = object.next();
    json_string(to, names.unique(argument.name));
    to.character(':');
    if (argument.type == fxt::ArgumentType::kInt64) {
      to.number(argument.as_int64());
    } else if (argument.type == fxt::ArgumentType::kUint64) {
      to.number(argument.bits);
    } else {
      value(to, argument);
    }
  }
}

ChromeWriter::ChromeWriter(ByteSink& sink) : out_(sink) {
  out_.text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

Output& ChromeWriter::begin() {
  out_.text(first_ ? "\n" : ",\n");
  first_ = false;
  return out_;
}

void ChromeWriter::time(Output& out, Nanoseconds time) {
  // The time has 84 bits: print it as two numbers that fit 64 bits.
  constexpr uint64_t kHalf = 1'000'000'000'000'000'000;
  const Nanoseconds whole = time / 1000;
  const auto high = static_cast<uint64_t>(whole / kHalf);
  const auto low = static_cast<uint64_t>(whole % kHalf);
  const auto digits = [&](uint64_t value, size_t count) {
    const std::string text = std::to_string(value);
    for (size_t i = text.size(); i < count; ++i) out.character('0');
    out.text(text);
  };
  if (high != 0) out.number(high);
  digits(low, high != 0 ? 18 : 1);
  out.character('.');
  digits(static_cast<uint64_t>(time % 1000), 3);
}

void ChromeWriter::common(JsonRecord& object, const ChromeEvent& event) {
  Output& out = object.key("ph");
  out.character('"');
  out.character(event.phase);
  out.character('"');
  object.number("pid", event.process);
  object.number("tid", event.thread);
  time(object.key("ts"), event.time);
  object.string("cat", event.category);
  object.string("name", event.name);
}

Status ChromeWriter::finish() {
  out_.text("\n]}\n");
  out_.flush();
  return out_.status();
}

}  // namespace barefxt::host
