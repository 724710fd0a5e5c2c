// An FXT decoder for tests, written from the specification and from nothing else: it shares no line
// with the library under test, so that a mistake there cannot hide here.
//
// It is plain on purpose: it reads a whole archive into memory and keeps every record. It notes
// problems: content that no archive may have (a broken structure, an unregistered reference, bytes
// that are not UTF-8, an end before its begin, 0 ticks a second, an unknown record).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace barefxt::test {

struct PlainArgument {
  int type = 0;
  std::string name;
  uint64_t bits = 0;  // of all types but strings and blobs; int32 sign-extended
  std::string text;   // of strings and blobs
  // The index of a string that was never registered, else 0.
  unsigned unregistered_name = 0;
  unsigned unregistered_text = 0;
  size_t extra_words = 0;  // beyond what is known of its type
};

// The koids that a thread reference stands for.
struct PlainThread {
  uint64_t process = 0;
  uint64_t thread = 0;
  unsigned unregistered = 0;  // the index, where it was never registered
};

struct PlainRecord {
  unsigned type = 0;
  unsigned subtype = 0;  // today's number of an event, in either dialect
  bool unknown = false;  // the type or subtype means nothing; of events, the event type
  bool has_provider = false;
  uint64_t provider = 0;
  size_t offset = 0;
  uint64_t timestamp = 0;
  uint64_t process = 0;
  uint64_t thread = 0;
  uint64_t other_process = 0;  // incoming, of context switches
  uint64_t other_thread = 0;
  uint64_t cpu = 0;
  uint64_t value = 0;  // provider event, ticks per second, index, koid, pointer, trailing word
  std::string category;
  std::string name;  // also a registered string, a log message
  // Indices that were never registered, else 0.
  unsigned unregistered_category = 0;
  unsigned unregistered_name = 0;
  unsigned unregistered_thread = 0;
  unsigned unregistered_other_thread = 0;
  bool has_scope = false;  // an instant with the one word that is nowhere documented, its value
  size_t extra_words = 0;  // beyond what is known of its type
  std::string raw;         // its bytes
  std::vector<PlainArgument> arguments;
  std::string payload;  // of blobs, a profiler module's build id
  // Values that only one type has: a context switch's outgoing state and then both priorities; a
  // mapping's flags, start, range, virtual address; a backtrace's frames. (A module's number is its
  // value.)
  std::vector<uint64_t> numbers;

  const PlainArgument* argument(const std::string& wanted) const;
};

// True if `barefxt` added this record around a loss.
bool is_added(const PlainRecord& record);

struct PlainArchive {
  std::vector<PlainRecord> records;
  std::vector<std::string> problems;
  // Records and arguments longer than what the specification knows of them, which it allows.
  size_t extended = 0;

  // All problems in one text, for a test's message.
  std::string problem_text() const;
  // The records that a target wrote: those that `barefxt` added around losses are in `records`
  // only.
  std::vector<PlainRecord> of_type(unsigned type) const;
  // The same, events of this name.
  std::vector<PlainRecord> events(const std::string& name) const;
};

struct PlainForm {
  bool big_endian = false;
  bool dialect_2017 = false;
};

// Decodes in the byte order of the magic number, and today's dialect.
PlainArchive decode_plainly(const std::vector<uint8_t>& archive);
PlainArchive decode_plainly(const std::vector<uint8_t>& archive, PlainForm form);

}  // namespace barefxt::test
