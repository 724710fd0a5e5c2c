#include <cmath>
#include <cstring>

#include "comparison.h"
#include "rebuild/capture_builder.h"

namespace barefxt::test {
namespace {

using nlohmann::json;

std::string base64(const std::string& bytes) {
  return plain_base64(Bytes(bytes.begin(), bytes.end()));
}

// How many bytes from here on are one character of UTF-8, by the table of well-formed sequences in
// the Unicode standard; or, negative, how many of them begin one and break off.
int character_at(const std::string& text, size_t at) {
  struct Row {
    int lead_first, lead_last, second_first, second_last, bytes;
  };
  constexpr Row kRows[] = {
      {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  const auto byte = [&](size_t i) { return i < text.size() ? text[i] & 0xff : -1; };
  for (const Row& row : kRows) {
    if (byte(at) < row.lead_first || byte(at) > row.lead_last) continue;
    for (int i = 1; i < row.bytes; ++i) {
      const int least = i == 1 ? row.second_first : 0x80;
      const int most = i == 1 ? row.second_last : 0xbf;
      if (byte(at + i) < least || byte(at + i) > most) return -i;
    }
    return row.bytes;
  }
  return -1;
}

std::string utf8(const std::string& bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const int size = character_at(bytes, at);
    text += size > 0 ? bytes.substr(at, size) : "\xef\xbf\xbd";
    at += std::abs(size);
  }
  return text;
}

void text(json& out, const std::string& key, const std::string& value, unsigned unregistered) {
  if (unregistered == 0) {
    out[key] = utf8(value);
  } else {
    out[key] = nullptr;
    out[key + "_ref"] = unregistered;
  }
}

json thread(uint64_t process, uint64_t koid, unsigned unregistered) {
  if (unregistered == 0) return {{"process", process}, {"thread", koid}};
  return {{"process", nullptr}, {"thread", nullptr}, {"thread_ref", unregistered}};
}

json real(uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

json arguments(const std::vector<PlainArgument>& all) {
  const char* const types[] = {"null",   "int32",   "uint32", "int64", "uint64", "double",
                               "string", "pointer", "koid",   "bool",  "blob"};
  json list = json::array();
  for (const PlainArgument& argument : all) {
    json one;
    text(one, "name", argument.name, argument.unregistered_name);
    if (argument.type <= 10) {
      one["type"] = types[argument.type];
    } else {
      one["type"] = argument.type;
    }
    if (argument.type == 1 || argument.type == 3) {
      one["value"] = static_cast<int64_t>(argument.bits);
    } else if (argument.type == 5) {
      one["value"] = real(argument.bits);
    } else if (argument.type == 6) {
      text(one, "value", argument.text, argument.unregistered_text);
    } else if (argument.type == 9) {
      one["value"] = argument.bits == 1;
    } else if (argument.type == 10) {
      one["value"] = base64(argument.text);
    } else if (argument.type >= 2 && argument.type <= 8) {
      one["value"] = argument.bits;
    }
    if (argument.extra_words != 0) one["extra_words"] = argument.extra_words;
    list.push_back(one);
  }
  return list;
}

void metadata(const PlainRecord& record, json& out) {
  const char* const names[] = {"", "provider_info", "provider_section", "provider_event", "magic"};
  out["record"] = names[record.subtype];
  if (record.subtype == 1) out["name"] = utf8(record.name);
  if (record.subtype == 3) {
    if (record.value == 0) {
      out["event"] = "buffer_full";
    } else {
      out["event"] = record.value;
    }
  }
}

void event(const PlainRecord& record, json& out) {
  const char* const names[] = {"instant",           "counter",     "duration_begin", "duration_end",
                               "duration_complete", "async_begin", "async_instant",  "async_end",
                               "flow_begin",        "flow_step",   "flow_end"};
  out["record"] = "event";
  out.update(thread(record.process, record.thread, record.unregistered_thread));
  text(out, "category", record.category, record.unregistered_category);
  text(out, "name", record.name, record.unregistered_name);
  out["args"] = arguments(record.arguments);
  if (record.unknown) {
    out["event"] = record.subtype;
    return;
  }
  out["event"] = names[record.subtype];
  if (record.has_scope) out["scope"] = record.value;
  if (record.subtype == 1) out["counter_id"] = record.value;
  if (record.subtype == 4) out["end_timestamp"] = record.value;
  if (record.subtype >= 5) out["correlation_id"] = record.value;
}

void object(const PlainRecord& record, json& out) {
  text(out, "name", record.name, record.unregistered_name);
  out["args"] = arguments(record.arguments);
  if (record.type == 7) {
    out["record"] = "kernel_object";
    out["koid"] = record.value;
    out["object_type"] = record.subtype;
    return;
  }
  out["record"] = "userspace_object";
  out["pointer"] = record.value;
  out["process"] = record.process;
  if (record.unregistered_thread != 0) {
    out["process"] = nullptr;
    out["thread_ref"] = record.unregistered_thread;
  }
}

void scheduling(const PlainRecord& record, json& out) {
  const char* const states[] = {"runnable", "running", "suspended", "blocked", "dying", "dead"};
  out["record"] = record.subtype == 2 ? "thread_wakeup" : "context_switch";
  out["cpu"] = record.cpu;
  if (record.subtype != 2) {
    if (record.numbers[0] <= 5) {
      out["outgoing_state"] = states[record.numbers[0]];
    } else {
      out["outgoing_state"] = record.numbers[0];
    }
  }
  if (record.subtype == 0) {
    out["outgoing"] = thread(record.process, record.thread, record.unregistered_thread);
    out["incoming"] =
        thread(record.other_process, record.other_thread, record.unregistered_other_thread);
    out["outgoing_priority"] = record.numbers[1];
    out["incoming_priority"] = record.numbers[2];
    return;
  }
  out["args"] = arguments(record.arguments);
  if (record.subtype == 1) {
    out["outgoing"] = {{"thread", record.thread}};
    out["incoming"] = {{"thread", record.other_thread}};
  } else {
    out["thread"] = record.thread;
  }
}

void large(const PlainRecord& record, json& out) {
  out["record"] = "large_blob";
  out["format"] = record.subtype;
  text(out, "category", record.category, record.unregistered_category);
  text(out, "name", record.name, record.unregistered_name);
  out["payload"] = base64(record.payload);
  if (record.subtype != 0) return;
  out["timestamp"] = record.timestamp;
  out.update(thread(record.process, record.thread, record.unregistered_thread));
  out["args"] = arguments(record.arguments);
}

void profiler(const PlainRecord& record, json& out) {
  out.update(thread(record.process, record.thread, record.unregistered_thread));
  if (record.subtype == 0) {
    out["record"] = "profiler_module";
    out["module"] = record.value;
    out["name"] = utf8(record.name);
    out["build_id"] = base64(record.payload);
  } else if (record.subtype == 1) {
    out["record"] = "profiler_mmap";
    out["module"] = record.value;
    out["flags"] = record.numbers[0];
    out["start"] = record.numbers[1];
    out["range"] = record.numbers[2];
    out["vaddr"] = record.numbers[3];
  } else {
    out["record"] = "profiler_backtrace";
    out["frames"] = record.numbers;
  }
}

void unknown(const PlainRecord& record, json& out) {
  out["record"] = "unknown";
  out["type"] = record.type;
  out["words"] = record.raw.size() / 8;
  if (record.type == 0 || record.type == 8 || record.type == 10 || record.type == 15) {
    out["subtype"] = record.subtype;
  }
}

void content(const PlainRecord& record, json& out) {
  switch (record.type) {
    case 0:
      return metadata(record, out);
    case 1:
      out["record"] = "initialization";
      out["ticks_per_second"] = record.value;
      return;
    case 2:
      out["record"] = "string";
      out["index"] = record.value;
      out["value"] = utf8(record.name);
      return;
    case 3:
      out["record"] = "thread";
      out["index"] = record.value;
      out["process"] = record.process;
      out["thread"] = record.thread;
      return;
    case 4:
      return event(record, out);
    case 5:
      out["record"] = "blob";
      text(out, "name", record.name, record.unregistered_name);
      out["blob_type"] = record.subtype;
      out["payload"] = base64(record.payload);
      return;
    case 6:
    case 7:
      return object(record, out);
    case 8:
      return scheduling(record, out);
    case 9:
      out["record"] = "log";
      out.update(thread(record.process, record.thread, record.unregistered_thread));
      out["message"] = utf8(record.name);
      return;
    case 10:
      return profiler(record, out);
    default:
      return large(record, out);
  }
}

}  // namespace

json plain_json(const PlainRecord& record) {
  json out;
  out["offset"] = record.offset;
  if (record.has_provider) out["provider"] = record.provider;
  if (record.unknown && record.type != 4) {
    unknown(record, out);
  } else {
    if (record.type == 4 || record.type == 8 || record.type == 9 || record.type == 10) {
      out["timestamp"] = record.timestamp;
    }
    content(record, out);
    if (record.extra_words != 0) out["extra_words"] = record.extra_words;
  }
  out["raw"] = base64(record.raw);
  return out;
}

}  // namespace barefxt::test
