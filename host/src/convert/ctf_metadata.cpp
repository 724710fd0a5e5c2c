#include "ctf_metadata.h"

namespace barefxt::host::ctf {

const std::string_view kMetadata = R"tsdl(/* CTF 1.8 */

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

event {
  name = "instant";
  id = 0;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t scope;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "counter";
  id = 1;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t counter_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "duration_begin";
  id = 2;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "duration_end";
  id = 3;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "duration_complete";
  id = 4;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t begin;
    uint64_t length;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "async_begin";
  id = 5;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "async_instant";
  id = 6;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "async_end";
  id = 7;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "flow_begin";
  id = 8;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "flow_step";
  id = 9;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "flow_end";
  id = 10;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string category;
    string name;
    uint64_t correlation_id;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "context_switch";
  id = 11;
  stream_id = 0;
  fields := struct {
    uint16_t cpu;
    thread_state outgoing_state;
    uint64_t outgoing;
    uint64_t incoming;
    uint8_t outgoing_priority;
    uint8_t incoming_priority;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "thread_wakeup";
  id = 12;
  stream_id = 0;
  fields := struct {
    uint16_t cpu;
    uint64_t thread;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "log";
  id = 13;
  stream_id = 0;
  fields := struct {
    uint64_t process;
    uint64_t thread;
    string message;
  };
};

event {
  name = "buffer_full";
  id = 14;
  stream_id = 0;
  fields := struct {
    uint32_t of_provider;
  };
};

event {
  name = "kernel_object";
  id = 15;
  stream_id = 0;
  fields := struct {
    uint64_t koid;
    uint8_t object_type;
    string name;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};

event {
  name = "userspace_object";
  id = 16;
  stream_id = 0;
  fields := struct {
    address object;
    uint64_t process;
    string name;
    uint32_t argument_count;
    struct argument arguments[argument_count];
  };
};
)tsdl";

}  // namespace barefxt::host::ctf
