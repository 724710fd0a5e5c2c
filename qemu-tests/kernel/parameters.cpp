// The command line.
#include "kernel/parameters.h"

#include <barefxt/config.h>

#include "kernel/board.h"
#include "kernel/console.h"

namespace kernel {
namespace {

#if defined(KERNEL_SMALL)
constexpr size_t kMaxCommandLine = 128;
#else
constexpr size_t kMaxCommandLine = 512;
#endif
constexpr uint32_t kUnset = ~uint32_t{0};

[[noreturn]] void refuse(const char* word) {
  print(
      "kernel: what is \"", word,
      "\"? Known: "
      "mode=demo|full|circular|streaming|asked|reset|cost|profile|records|torture|lives|injected|"
      "sweep|"
      "sleds "
      "records=N rounds=N seed=N samples=N stacks=0|1 "
      "check=0|1 seconds=N workers=N slow=N burst=N ring=N pause=MS resend=N deepest=N least=TICKS "
      "dump=uart|file|text|fxt|rtt|none coded=0|1 "
      "sweep=once|twice|restart|switch|monitor|reset|calls|limited extent=few|short|full\n");
  board::exit(3);
}

// Returns the part of `word` behind `key`, or null if the word is another.
const char* value_of(const char* word, const char* key) {
  while (*key != '\0') {
    if (*word++ != *key++) return nullptr;
  }
  return word;
}

bool same(const char* left, const char* right) {
  const char* rest = value_of(left, right);
  return rest != nullptr && *rest == '\0';
}

uint32_t number(const char* word, const char* digits) {
  uint32_t value = 0;
  if (*digits == '\0') refuse(word);
  for (; *digits != '\0'; ++digits) {
    if (*digits < '0' || *digits > '9' || value > 100000000) refuse(word);
    value = value * 10 + static_cast<uint32_t>(*digits - '0');
  }
  return value;
}

Mode mode(const char* word, const char* value) {
  if (same(value, "demo")) return Mode::kDemo;
  if (same(value, "full")) return Mode::kFull;
  if (same(value, "circular")) return Mode::kCircular;
  if (same(value, "streaming")) return Mode::kStreaming;
  if (same(value, "asked")) return Mode::kAsked;
  if (same(value, "reset")) return Mode::kReset;
  if (same(value, "cost")) return Mode::kCost;
  if (same(value, "profile")) return Mode::kProfile;
  if (same(value, "records")) return Mode::kRecords;
  if (same(value, "torture")) return Mode::kTorture;
  if (same(value, "lives")) return Mode::kLives;
  if (same(value, "injected")) return Mode::kInjected;
  if (same(value, "sweep")) return Mode::kSweep;
  if (same(value, "sleds")) return Mode::kSleds;
  refuse(word);
}

Sweep sweep(const char* word, const char* value) {
  if (same(value, "once")) return Sweep::kOnce;
  if (same(value, "twice")) return Sweep::kTwice;
  if (same(value, "restart")) return Sweep::kRestart;
  if (same(value, "switch")) return Sweep::kSwitch;
  if (same(value, "monitor")) return Sweep::kMonitor;
  if (same(value, "reset")) return Sweep::kReset;
  if (same(value, "calls")) return Sweep::kCalls;
  if (same(value, "limited")) return Sweep::kLimited;
  if (same(value, "names")) return Sweep::kNames;
  refuse(word);
}

Extent extent(const char* word, const char* value) {
  if (same(value, "short")) return Extent::kShort;
  if (same(value, "full")) return Extent::kFull;
  refuse(word);
}

DumpTo dump(const char* word, const char* value) {
  if (same(value, "uart")) return DumpTo::kUart;
  if (same(value, "file")) return DumpTo::kFile;
  if (same(value, "text")) return DumpTo::kText;
  if (same(value, "fxt")) return DumpTo::kFxt;
  if (same(value, "rtt")) return DumpTo::kProbe;
  if (same(value, "none")) return DumpTo::kNowhere;
  refuse(word);
}

// Returns true and the value if `word` is `key` and a value.
bool is(const char* word, const char* key, const char*& value) {
  value = value_of(word, key);
  return value != nullptr;
}

void take_word(Parameters& parameters, const char* word) {
  const char* value = nullptr;
  if (is(word, "mode=", value)) {
    parameters.mode = mode(word, value);
  } else if (is(word, "check=", value)) {
    parameters.checks_cpus = number(word, value) != 0;
  } else if (is(word, "seconds=", value)) {
    parameters.seconds = number(word, value);
  } else if (is(word, "workers=", value)) {
    parameters.workers = number(word, value);
  } else if (is(word, "slow=", value)) {
    parameters.slow = number(word, value);
  } else if (is(word, "burst=", value)) {
    parameters.burst = number(word, value);
  } else if (is(word, "records=", value)) {
    parameters.records = number(word, value);
  } else if (is(word, "rounds=", value)) {
    parameters.rounds = number(word, value);
  } else if (is(word, "ring=", value)) {
    parameters.ring_bytes = number(word, value);
  } else if (is(word, "seed=", value)) {
    parameters.seed = number(word, value);
  } else if (is(word, "pause=", value)) {
    parameters.pause_ms = number(word, value);
  } else if (is(word, "resend=", value)) {
    parameters.resend_segments = number(word, value);
  } else if (is(word, "deepest=", value)) {
    parameters.deepest = number(word, value);
  } else if (is(word, "least=", value)) {
    parameters.least_ticks = number(word, value);
  } else if (is(word, "sweep=", value)) {
    parameters.sweep = sweep(word, value);
  } else if (is(word, "extent=", value)) {
    parameters.extent = extent(word, value);
  } else if (is(word, "every=", value)) {
    parameters.every = number(word, value);
  } else if (is(word, "later=", value)) {
    parameters.later = number(word, value);
  } else if (is(word, "rate=", value)) {
    parameters.ticks_a_second = number(word, value);
  } else if (is(word, "samples=", value)) {
    parameters.samples = number(word, value);
  } else if (is(word, "stacks=", value)) {
    parameters.stacks = number(word, value) != 0;
  } else if (is(word, "dump=", value)) {
    parameters.dump = dump(word, value);
  } else if (is(word, "coded=", value)) {
    parameters.coded = number(word, value) != 0;
  } else {
    refuse(word);
  }
}

// Cuts the next word out of `at` in place; null where there is none.
char* next_word(char*& at) {
  while (*at == ' ') ++at;
  if (*at == '\0') return nullptr;
  char* word = at;
  while (*at != ' ' && *at != '\0') ++at;
  if (*at == ' ') *at++ = '\0';
  return word;
}

bool fills_its_rings(Mode mode) { return mode == Mode::kFull || mode == Mode::kCircular; }

size_t default_ring_bytes(Mode mode) {
  switch (mode) {
    case Mode::kFull:
      return size_t{2} * BAREFXT_SEGMENT_BYTES;
    case Mode::kCircular:
      return size_t{4} * BAREFXT_SEGMENT_BYTES;
    case Mode::kStreaming:
      return size_t{64} * BAREFXT_SEGMENT_BYTES;
    default:
      return board::kTraceBytes / board::kMaxCpus;
  }
}

}  // namespace

Parameters read_parameters() {
  Parameters parameters;
  parameters.workers = kUnset;
  parameters.ring_bytes = kUnset;
  static char line[kMaxCommandLine];
  if (board::command_line(line, sizeof line)) {
    char* at = line;
    next_word(at);  // the image's own name
    while (const char* word = next_word(at)) take_word(parameters, word);
  }
  if (parameters.workers == kUnset)
    parameters.workers = fills_its_rings(parameters.mode) ? 60 : 300;
  // Some modes are to be interrupted often.
  const bool is_often = parameters.mode == Mode::kTorture || parameters.mode == Mode::kLives;
  if (parameters.ticks_a_second == 0) parameters.ticks_a_second = is_often ? 5000 : 1000;
  if (parameters.ring_bytes == kUnset) parameters.ring_bytes = default_ring_bytes(parameters.mode);
  return parameters;
}

}  // namespace kernel
