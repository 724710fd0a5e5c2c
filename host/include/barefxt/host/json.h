// JSON values as this project writes them: integers exact, doubles in the shortest form that reads
// back as the same double, bytes that are no UTF-8 as U+FFFD, payloads as base64.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <barefxt/host/output.h>

namespace barefxt::host {

void json_string(Output& out, std::string_view bytes);
void json_double(Output& out, double value);
void json_base64(Output& out, std::string_view bytes);

// The text with everything that is no UTF-8 replaced, one U+FFFD for each broken sequence.
// Control characters come as they are.
std::string valid_utf8(std::string_view bytes);
bool is_valid_utf8(std::string_view bytes);

// Objects and lists, with the commas in the right places.
class JsonObject {
 public:
  explicit JsonObject(Output& out, char open = '{', char close = '}') : out_(out), close_(close) {
    out_.character(open);
  }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;
  ~JsonObject() { out_.character(close_); }

  // Names are literals of this program that need no escaping.
  Output& key(std::string_view name);
  Output& next() {
    if (!first_) out_.character(',');
    first_ = false;
    return out_;
  }

  void number(std::string_view name, std::signed_integral auto value) {
    signed_number(name, value);
  }
  void number(std::string_view name, std::unsigned_integral auto value) {
    unsigned_number(name, value);
  }
  void string(std::string_view name, std::string_view bytes) { json_string(key(name), bytes); }
  void real(std::string_view name, double value) { json_double(key(name), value); }
  void base64(std::string_view name, std::string_view bytes) { json_base64(key(name), bytes); }
  void boolean(std::string_view name, bool value) { key(name).text(value ? "true" : "false"); }
  void null(std::string_view name) { key(name).text("null"); }
  // Null without a value.
  template <std::integral Integer>
  void number(std::string_view name, const std::optional<Integer>& value) {
    value ? number(name, *value) : null(name);
  }
  // Null if it is empty.
  void string_or_null(std::string_view name, std::string_view bytes) {
    bytes.empty() ? null(name) : string(name, bytes);
  }
  // An object for each element of `all`; a map's have a key and a value.
  template <typename All, typename Print>
  void list(std::string_view name, const All& all, const Print& print);

 protected:
  // Inlined, so that copying a literal takes a store or two.
  [[gnu::always_inline]] Output& key_in_place(std::string_view name) {
    char* at = out_.room(name.size() + 4);
    if (!first_) *at++ = ',';
    first_ = false;
    *at++ = '"';
    std::memcpy(at, name.data(), name.size());
    at += name.size();
    *at++ = '"';
    *at++ = ':';
    out_.commit(at);
    return out_;
  }

 private:
  void signed_number(std::string_view name, int64_t value);
  void unsigned_number(std::string_view name, uint64_t value);

  Output& out_;
  char close_;
  bool first_ = true;
};

// An object for each record of a trace, most of which is names. Elsewhere they would only make the
// command larger.
class JsonRecord : public JsonObject {
 public:
  using JsonObject::JsonObject;

  [[gnu::always_inline]] Output& key(std::string_view name) { return key_in_place(name); }
  template <std::integral Integer>
  [[gnu::always_inline]] void number(std::string_view name, Integer value) {
    key(name).number(value);
  }
  void string(std::string_view name, std::string_view bytes) { json_string(key(name), bytes); }
  void real(std::string_view name, double value) { json_double(key(name), value); }
  void base64(std::string_view name, std::string_view bytes) { json_base64(key(name), bytes); }
  void null(std::string_view name) { key(name).text("null"); }
};

class JsonList : public JsonObject {
 public:
  explicit JsonList(Output& out) : JsonObject(out, '[', ']') {}
};

template <typename All, typename Print>
void JsonObject::list(std::string_view name, const All& all, const Print& print) {
  JsonList list(key(name));
  for (const auto& element : all) {
    JsonObject one(list.next());
    if constexpr (requires { element.second; }) {
      print(one, element.first, element.second);
    } else {
      print(one, element);
    }
  }
}

}  // namespace barefxt::host
