#include "xray_harness.h"

#include <cctype>
#include <cinttypes>
#include <cstdio>

namespace barefxt::test {
namespace {

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

std::string printable(host::Bytes payload) {
  std::string text;
  for (const uint8_t byte : payload) text += std::isprint(byte) ? static_cast<char>(byte) : '.';
  return text;
}

std::string damage_text(const host::XrayReader& reader) {
  std::string text;
  for (const host::XrayDamage& damage : reader.damage())
    text += "damage at " + std::to_string(damage.offset) + ", " + std::to_string(damage.bytes) +
            " bytes: " + damage.what + "\n";
  return text;
}

}  // namespace

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  std::string digits;
  for (const char digit : hex) {
    if (!std::isxdigit(static_cast<unsigned char>(digit))) continue;
    digits += digit;
    if (digits.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
    digits.clear();
  }
  return bytes;
}

std::string record_text(const host::XrayRecord& record) {
  std::string text;
  if (record.thread.process) text += "process " + std::to_string(*record.thread.process) + " ";
  text += "thread " + std::to_string(record.thread.thread) + " cpu " + std::to_string(record.cpu) +
          " tsc " + hex(record.tsc);
  switch (record.kind) {
    case host::XrayKind::kEntry:
      text += " entry " + std::to_string(record.function);
      break;
    case host::XrayKind::kExit:
      text += " exit " + std::to_string(record.function);
      break;
    case host::XrayKind::kTailExit:
      text += " tail exit " + std::to_string(record.function);
      break;
    case host::XrayKind::kCustomEvent:
      text += " custom event " + printable(record.payload);
      break;
    case host::XrayKind::kTypedEvent:
      text += " typed event " + std::to_string(record.event_type) + " " + printable(record.payload);
      break;
  }
  for (size_t i = 0; i < record.arguments.size(); ++i)
    text += " (" + hex(record.arguments[i]) + ")";
  return text + "\n";
}

std::string log_text(const std::string& bytes) {
  host::Result<host::XrayReader> reader = host::XrayReader::open(as_bytes(bytes), "log");
  if (!reader.ok()) return reader.error().text() + "\n";
  std::string text;
  while (const host::XrayRecord* record = reader.value().next()) text += record_text(*record);
  return text + damage_text(reader.value());
}

std::string thread_text(const std::string& bytes) {
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  if (!log.ok()) return log.error().text() + "\n";
  std::string text;
  host::XrayRepairs repairs;
  for (const host::XrayLog::Thread& thread : log.value()->threads()) {
    host::XrayThreadReader::OpenCalls open(host::XrayThreadReader::kMaxOpen);
    host::XrayThreadReader reader(*log.value(), thread, open);
    while (const host::XrayRecord* record = reader.next()) text += record_text(*record);
    repairs.add(reader.repairs());
  }
  const auto say = [&](uint64_t count, const char* what) {
    if (count > 0) text += std::to_string(count) + " exits " + what + "\n";
  };
  say(repairs.orphan_exits, "left out");
  say(repairs.added_exits, "added");
  say(repairs.renamed_exits, "renamed");
  say(repairs.unfollowed_calls, "not followed");
  return text + damage_text(log.value()->reader());
}

}  // namespace barefxt::test
