// Archives in memory, as `print --json` shows them.
#pragma once

#include <string>

#include <barefxt/host/print.h>
#include <barefxt/host/reader.h>

namespace barefxt::test {

inline host::Bytes as_bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

inline std::string json_of(const std::string& archive, host::FormOverrides overrides = {},
                           bool raw = false) {
  const host::FormGuess guess = host::guess_form(as_bytes(archive), overrides);
  host::Reader reader(as_bytes(archive), guess.form);
  host::StringOutput out;
  while (const host::Record* record = reader.next()) host::print_json(out, *record, raw);
  return out.take();
}

inline std::string text_of(const std::string& archive, bool raw = false) {
  const host::FormGuess guess = host::guess_form(as_bytes(archive));
  host::Reader reader(as_bytes(archive), guess.form);
  host::StringOutput out;
  host::HumanPrinter printer(out, raw);
  while (const host::Record* record = reader.next()) printer.print(*record, reader.provider());
  return out.take();
}

}  // namespace barefxt::test
