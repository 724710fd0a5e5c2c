// JSON strings, doubles and base64.
#include <cmath>

#include <barefxt/host/json.h>

#include "utf8_sequence.h"

namespace barefxt::host {
namespace {

bool stands_for_itself(char c) {
  return static_cast<uint8_t>(c) >= 0x20 && static_cast<uint8_t>(c) < 0x7f && c != '"' && c != '\\';
}

void escape_code(Output& out, char32_t code) {
  char* const at = out.room(kEscapeBytes);
  out.commit(write_escape(at, code));
}

void escape(Output& out, char c) {
  switch (c) {
    case '"':
      return out.text("\\\"");
    case '\\':
      return out.text("\\\\");
    case '\n':
      return out.text("\\n");
    case '\t':
      return out.text("\\t");
    case '\r':
      return out.text("\\r");
    default:
      return escape_code(out, static_cast<uint8_t>(c));
  }
}

}  // namespace

void json_string(Output& out, std::string_view bytes) {
  out.character('"');
  size_t at = 0;
  while (at < bytes.size()) {
    size_t plain = at;
    while (plain < bytes.size() && stands_for_itself(bytes[plain])) ++plain;
    if (plain > at) out.text(bytes.substr(at, plain - at));
    at = plain;
    if (at == bytes.size()) break;
    if (static_cast<uint8_t>(bytes[at]) < 0x80) {
      escape(out, bytes[at]);
      ++at;
      continue;
    }
    const Sequence sequence = sequence_at(bytes.substr(at));
    if (sequence.valid && drives_terminals(sequence.code)) {
      escape_code(out, sequence.code);
    } else {
      out.text(sequence.valid ? bytes.substr(at, sequence.bytes) : kReplacement);
    }
    at += sequence.bytes;
  }
  out.character('"');
}

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes.substr(at));
    text += sequence.valid ? bytes.substr(at, sequence.bytes) : kReplacement;
    at += sequence.bytes;
  }
  return text;
}

bool is_valid_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes.substr(at));
    if (!sequence.valid) return false;
    at += sequence.bytes;
  }
  return true;
}

void json_double(Output& out, double value) {
  if (std::isnan(value)) return out.text("\"nan\"");
  if (std::isinf(value)) return out.text(value < 0 ? "\"-inf\"" : "\"inf\"");
  constexpr size_t kLongest = 40;
  char* start = out.room(kLongest);
  char* end = std::to_chars(start, start + kLongest, value).ptr;
  // A whole number keeps the mark of a double, so that -0.0 survives readers that distinguish it.
  const std::string_view digits(start, static_cast<size_t>(end - start));
  if (digits.find_first_of(".e") == std::string_view::npos) {
    *end++ = '.';
    *end++ = '0';
  }
  out.commit(end);
}

void json_base64(Output& out, std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.character('"');
  const auto byte = [&](size_t i) -> uint32_t {
    return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0;
  };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const uint32_t triple = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    char* at = out.room(4);
    at[0] = kAlphabet[triple >> 18];
    at[1] = kAlphabet[triple >> 12 & 63];
    at[2] = i + 1 < bytes.size() ? kAlphabet[triple >> 6 & 63] : '=';
    at[3] = i + 2 < bytes.size() ? kAlphabet[triple & 63] : '=';
    out.commit(at + 4);
  }
  out.character('"');
}

Output& JsonObject::key(std::string_view name) { return key_in_place(name); }
void JsonObject::signed_number(std::string_view name, int64_t value) { key(name).number(value); }
void JsonObject::unsigned_number(std::string_view name, uint64_t value) { key(name).number(value); }

}  // namespace barefxt::host
