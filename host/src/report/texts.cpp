#include "texts.h"

#include <barefxt/host/json.h>
#include <barefxt/host/print.h>

namespace barefxt::report {
namespace {

constexpr size_t kRemembered = 4096;
constexpr size_t kMaxShownBytes = 64;

// As a page may show it, and on one line.
std::string shown(std::string_view bytes) {
  std::string text = host::valid_utf8(bytes);
  std::string plain;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= ' ') {
      plain += c;
    } else {
      host::append(plain, "\\x{:02x}", static_cast<unsigned>(c));
    }
  }
  return plain;
}

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, kMaxShownBytes))
    host::append(text, "{:02x}", static_cast<unsigned char>(c));
  if (bytes.size() > kMaxShownBytes) text += "...";
  return text;
}

std::string shown(const host::Text& text) {
  if (text.registered) return shown(text.bytes);
  return host::formatted("<string {}?>", text.ref.value);
}

}  // namespace

Texts::Texts(Drawing& drawing) : drawing_(drawing) {
  drawing_.texts = Drawing::kEndOfText;
  drawing_.shapes.emplace_back();
  label({}, {});
}

uint32_t Texts::label(std::string_view category, std::string_view name) {
  std::string key(category);
  key += '\0';
  key += name;
  const auto [found, added] =
      labels_.try_emplace(std::move(key), static_cast<uint32_t>(drawing_.labels.size()));
  if (added) {
    drawing_.labels.push_back({shown(category), shown(name)});
    bytes_ += 2 * found->first.size();
  }
  return found->second;
}

uint32_t Texts::shape(Shape shape) {
  std::string key;
  for (const Field& field : shape) {
    key += field.name;
    key += '\0';
    key += field.type;
    key += '\0';
  }
  if (key.empty()) return 0;
  const auto [found, added] =
      shapes_.try_emplace(std::move(key), static_cast<uint32_t>(drawing_.shapes.size()));
  if (added) {
    drawing_.shapes.push_back(std::move(shape));
    bytes_ += 2 * found->first.size();
  }
  return found->second;
}

Texts::Details Texts::keep(Shape parts, std::string text) {
  text += Drawing::kEndOfText;
  // Texts that are few come again and again; those that are many are not looked for.
  if (texts_.size() >= kRemembered) texts_.clear();
  const auto [found, added] = texts_.try_emplace(std::move(text), 0);
  if (added) {
    found->second = static_cast<uint32_t>(drawing_.texts.size());
    drawing_.texts += found->first;
  }
  return {shape(std::move(parts)), found->second};
}

Texts::Details Texts::arguments(const host::Arguments& arguments) {
  if (arguments.size() == 0) return {};
  Shape parts;
  std::string text;
  for (const host::Argument& argument : arguments) {
    if (!parts.empty()) text += Drawing::kBetweenParts;
    const std::string_view type = host::argument_type_name(argument.type);
    parts.push_back({shown(argument.name),
                     type.empty() ? host::formatted("type {}", static_cast<unsigned>(argument.type))
                                  : std::string(type)});
    text += value_of(argument);
  }
  return keep(std::move(parts), std::move(text));
}

Texts::Details Texts::one(std::string_view name, std::string_view type, std::string_view value) {
  return keep({{shown(name), std::string(type)}}, shown(value));
}

Texts::Details Texts::both(const Details& first, const Details& second) {
  if (first.shape == 0) return second;
  if (second.shape == 0) return first;
  Shape parts = drawing_.shapes[first.shape];
  const Shape& more = drawing_.shapes[second.shape];
  parts.insert(parts.end(), more.begin(), more.end());
  const auto of = [&](const Details& details) {
    const std::string_view all = std::string_view(drawing_.texts).substr(details.text);
    return std::string(all.substr(0, all.find(Drawing::kEndOfText)));
  };
  return keep(std::move(parts), of(first) + Drawing::kBetweenParts + of(second));
}

std::string Texts::value_of(const host::Argument& argument) const {
  using fxt::ArgumentType;
  switch (argument.type) {
    case ArgumentType::kNull:
      return "null";
    case ArgumentType::kInt32:
      return std::to_string(argument.as_int32());
    case ArgumentType::kInt64:
      return std::to_string(argument.as_int64());
    case ArgumentType::kUint32:
    case ArgumentType::kUint64:
      return std::to_string(argument.bits);
    case ArgumentType::kDouble: {
      host::StringOutput out;
      host::json_double(out, argument.as_double());
      return out.take();
    }
    case ArgumentType::kString:
      return shown(argument.string);
    case ArgumentType::kPointer:
      return host::formatted("0x{:x}", argument.bits);
    case ArgumentType::kKoid: {
      const std::string name = shown(drawing_.statistics.name_of(argument.bits));
      return name.empty() ? std::to_string(argument.bits)
                          : host::formatted("{} ({})", name, argument.bits);
    }
    case ArgumentType::kBool:
      return (argument.bits & 1) != 0 ? "true" : "false";
    case ArgumentType::kBlob:
      return host::formatted("{} bytes {}", argument.blob.size(), hexadecimal(argument.blob));
  }
  return host::formatted("0x{:x}", argument.bits);
}

}  // namespace barefxt::report
