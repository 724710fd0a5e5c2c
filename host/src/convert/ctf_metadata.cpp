#include "ctf_metadata.h"

#include <array>

#include <barefxt/host/formatted.h>

namespace barefxt::host::ctf {
namespace {

constexpr std::string_view kTypes = R"tsdl(/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 64; align = 8; signed = false; base = 16; } := address;
typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } := real_t;

trace {
  major = 1;
  minor = 8;
  byte_order = le;
  packet.header := struct {
    uint32_t magic;
    uint32_t stream_id;
  };
};

env {
  tracer_name = "barefxt";
};

clock {
  name = trace;
  description = "Nanoseconds since the traced clock was 0";
  freq = 1000000000;
};

typealias integer { size = 64; align = 8; signed = false; map = clock.trace.value; } := time;

typealias enum : uint8_t {
  new = 0, running = 1, suspended = 2, blocked = 3, dying = 4, dead = 5
} := thread_state;

struct argument {
  string name;
  enum : uint8_t {
    null = 0, signed_number = 1, unsigned_number = 2, real = 3, text = 4, pointer = 5, koid = 6, truth = 7, bytes = 8
  } type;
  variant <type> {
    struct { } null;
    int64_t signed_number;
    uint64_t unsigned_number;
    real_t real;
    string text;
    address pointer;
    uint64_t koid;
    uint8_t truth;
    struct {
      uint32_t count;
      uint8_t bytes[count];
    } bytes;
  } value;
};

stream {
  id = 0;
  packet.context := struct {
    time timestamp_begin;
    time timestamp_end;
    uint64_t content_size;
    uint64_t packet_size;
  };
  event.header := struct {
    uint16_t id;
    time timestamp;
  };
  event.context := struct {
    uint32_t provider;
  };
};
)tsdl";

struct EventForm {
  std::string_view name;
  bool is_labelled;  // of a thread, with a category and a name
  std::string_view own;
  bool has_arguments;
};

constexpr std::string_view kLabelled = R"(    uint64_t process;
    uint64_t thread;
    string category;
    string name;
)";
constexpr std::string_view kArguments = R"(    uint32_t argument_count;
    struct argument arguments[argument_count];
)";
constexpr std::string_view kCorrelation = "    uint64_t correlation_id;\n";

// By the number of the event.
constexpr auto kEvents = std::to_array<EventForm>({
    {"instant", true, "    uint64_t scope;\n", true},
    {"counter", true, "    uint64_t counter_id;\n", true},
    {"duration_begin", true, "", true},
    {"duration_end", true, "", true},
    {"duration_complete", true, "    uint64_t begin;\n    uint64_t length;\n", true},
    {"async_begin", true, kCorrelation, true},
    {"async_instant", true, kCorrelation, true},
    {"async_end", true, kCorrelation, true},
    {"flow_begin", true, kCorrelation, true},
    {"flow_step", true, kCorrelation, true},
    {"flow_end", true, kCorrelation, true},
    {"context_switch", false, R"(    uint16_t cpu;
    thread_state outgoing_state;
    uint64_t outgoing;
    uint64_t incoming;
    uint8_t outgoing_priority;
    uint8_t incoming_priority;
)",
     true},
    {"thread_wakeup", false, "    uint16_t cpu;\n    uint64_t thread;\n", true},
    {"log", false, R"(    uint64_t process;
    uint64_t thread;
    string message;
)",
     false},
    {"buffer_full", false, "    uint32_t of_provider;\n", false},
    {"kernel_object", false, R"(    uint64_t koid;
    uint8_t object_type;
    string name;
)",
     true},
    {"userspace_object", false, R"(    address object;
    uint64_t process;
    string name;
)",
     true},
});

}  // namespace

std::string metadata() {
  std::string text(kTypes);
  for (size_t id = 0; id < kEvents.size(); ++id) {
    const EventForm& one = kEvents[id];
    append(text,
           "\nevent {{\n  name = \"{}\";\n  id = {};\n  stream_id = 0;\n  fields := struct {{\n",
           one.name, id);
    if (one.is_labelled) text += kLabelled;
    text += one.own;
    if (one.has_arguments) text += kArguments;
    text += "  };\n};\n";
  }
  return text;
}

}  // namespace barefxt::host::ctf
