// The stream of a trace in the Common Trace Format as the command's metadata describes it, read in
// the plainest way. Anything that does not fit is a problem.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/reader.h>

#include "print/printing.h"

namespace barefxt::test {

inline bool is_utf8(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text)
    quoted += static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' ? ' ' : c;
  return nlohmann::json::accept(quoted + '"');
}

struct PlainCtf {
  struct Event {
    unsigned id = 0;
    uint64_t time = 0;
    uint32_t provider = 0;
    std::vector<std::string> texts;  // in the order of the fields, without those of arguments
    uint32_t arguments = 0;
  };

  std::string problem;  // the first; empty where there is none
  std::vector<Event> events;
  size_t packets = 0;

  explicit PlainCtf(std::string_view stream) : rest_(stream) {
    while (problem.empty() && !rest_.empty()) packet();
  }

 private:
  void fail(const std::string& what) {
    if (problem.empty())
      problem = "CTF: " + what + " behind " + std::to_string(events.size()) + " events";
  }
  std::string_view bytes(uint64_t count) {
    if (count > rest_.size()) {
      fail("a field goes on beyond the end");
      count = rest_.size();
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  uint64_t number(unsigned count) {
    uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : bytes(count)) {
      value |= uint64_t{static_cast<uint8_t>(c)} << shift;
      shift += 8;
    }
    return value;
  }
  std::string text() {
    const std::string text(
        bytes(rest_.find('\0') == rest_.npos ? rest_.size() + 1 : rest_.find('\0')));
    if (number(1) != 0 || !is_utf8(text)) fail("a text that is none");
    return text;
  }

  void packet() {
    ++packets;
    const std::string_view all = rest_;
    if (number(4) != 0xc1fc1fc1) fail("a packet without the magic number");
    if (number(4) != 0) fail("another stream");
    const uint64_t begin = number(8);
    const uint64_t end = number(8);
    const uint64_t content = number(8);
    if (content % 8 != 0 || content / 8 > all.size() || number(8) != content)
      return fail("a packet of a strange size");
    uint64_t time = begin;
    if (!events.empty() && begin < events.back().time) fail("a packet earlier than the last");
    const size_t left = all.size() - content / 8;
    while (problem.empty() && rest_.size() > left) {
      event();
      if (events.back().time < time || events.back().time > end) fail("an event at a strange time");
      time = events.back().time;
    }
    if (problem.empty() && (rest_.size() != left || time != end)) fail("a packet of another size");
  }

  // By the numbers in the metadata.
  void event() {
    Event& event = events.emplace_back();
    event.id = static_cast<unsigned>(number(2));
    event.time = number(8);
    event.provider = static_cast<uint32_t>(number(4));
    const auto texts = [&](unsigned count) {
      while (count-- != 0) event.texts.push_back(text());
    };
    switch (event.id) {
      case 0:
      case 1:
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        number(8), number(8), texts(2), number(8);
        return arguments(event);
      case 2:
      case 3:
        number(8), number(8), texts(2);
        return arguments(event);
      case 4:
        number(8), number(8), texts(2), number(8), number(8);
        return arguments(event);
      case 11:
        number(2), number(1), number(8), number(8), number(2);
        return arguments(event);
      case 12:
        number(2), number(8);
        return arguments(event);
      case 13:
        number(8), number(8), texts(1);
        return;
      case 14:
        number(4);
        return;
      case 15:
        number(8), number(1), texts(1);
        return arguments(event);
      case 16:
        number(8), number(8), texts(1);
        return arguments(event);
      default:
        fail("an event of an unknown number");
    }
  }
  void arguments(Event& event) {
    event.arguments = static_cast<uint32_t>(number(4));
    for (uint32_t i = 0; i < event.arguments && problem.empty(); ++i) {
      text();
      switch (number(1)) {
        case 0:
          break;
        case 1:
        case 2:
        case 3:
        case 5:
        case 6:
          number(8);
          break;
        case 4:
          text();
          break;
        case 7:
          if (number(1) > 1) fail("a truth that is neither");
          break;
        case 8:
          bytes(number(4));
          break;
        default:
          fail("an argument of an unknown type");
      }
    }
  }

  std::string_view rest_;
};

// How many records of an archive become an event, where they have a place in time.
inline size_t ctf_events_in(const std::string& archive, host::FormOverrides overrides) {
  host::Reader reader(as_bytes(archive), host::guess_form(as_bytes(archive), overrides).form);
  size_t events = 0;
  while (const host::Record* record = reader.next()) {
    const host::Content& content = record->content;
    if (const auto* event = std::get_if<host::Event>(&content)) {
      const bool backwards =
          event->type == fxt::EventType::kDurationComplete && event->trailing < event->timestamp;
      events += event->is_known() && !backwards;
    } else if (const auto* provider = std::get_if<host::ProviderEvent>(&content)) {
      events += provider->event == fxt::ProviderEvent::kBufferFull;
    } else {
      events += std::holds_alternative<host::KernelObject>(content) ||
                std::holds_alternative<host::UserspaceObject>(content) ||
                std::holds_alternative<host::LegacyContextSwitch>(content) ||
                std::holds_alternative<host::ContextSwitch>(content) ||
                std::holds_alternative<host::ThreadWakeup>(content) ||
                std::holds_alternative<host::Log>(content);
    }
  }
  return events;
}

}  // namespace barefxt::test
