// Reads an XRay flight data recorder log, record by record: versions 1 to 5, in either byte order,
// from any writer, damaged or cut.
//
// Read is what compiler-rt writes and what the specification allows, though LLVM's tools do not:
// padding of any content behind EndOfBuffer, logs laid end to end, most-significant-bit-first
// records.
//
// Invariants: every record that comes out has a thread, a CPU and a time from its own buffer, so
// damage in one buffer never reaches into another. Behind damage reading goes on with the next
// buffer: at the begin that the log gives, otherwise at the next records that begin a buffer. A
// place can be kept and read from again; the reader is small and copying it is cheap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/status.h>
#include <barefxt/host/xray_record.h>

namespace barefxt::host {

struct XrayDamage {
  uint64_t offset;
  uint64_t bytes;  // that were not read because of it
  std::string what;
};

class XrayReader {
 public:
  // The first of a buffer, or of a part of it that belongs to another thread.
  struct Preamble {
    uint64_t offset = 0;
    XrayThreadId thread;
    XrayWallClock wall_clock;
  };
  // A position of reading: plain data.
  struct Place {
    XrayHeader header;
    uint64_t at = 0;
    uint64_t end = 0;           // of the buffer
    uint64_t buffer_begin = 0;  // its first byte
    bool end_is_known = false;
    bool between = true;  // buffers
    bool has_thread = false;
    bool has_time = false;
    Preamble preamble;
    uint16_t cpu = 0;
    uint64_t tsc = 0;
  };

  // Returns true if the bytes begin like a log of any version.
  static bool is_log(Bytes bytes);
  // `bytes` must outlive it.
  static Result<XrayReader> open(Bytes bytes, const std::string& name);

  // The next call or event, null at the end. It holds until the next call.
  const XrayRecord* next();

  // That of the first log, whose clock all times are in.
  const XrayHeader& header() const { return first_; }
  // The record read last has this preamble.
  const Preamble& preamble() const { return place_.preamble; }
  // From where on the record's preamble is read again.
  const Place& preamble_place() const { return preamble_place_; }
  void go_to(const Place& place) { place_ = place; }
  // The offset that reading has reached.
  uint64_t position() const { return place_.at; }

  uint64_t logs() const { return logs_; }
  // Thread ids of version 1 that are others in the specification's 16 bits than in LLVM's 32, which
  // are what is taken.
  uint64_t wide_threads() const { return wide_threads_; }

  uint64_t damaged_places() const { return damaged_places_; }
  uint64_t damaged_bytes() const { return damaged_bytes_; }
  // The first few.
  const std::vector<XrayDamage>& damage() const { return damage_; }

 private:
  explicit XrayReader(Bytes bytes) : bytes_(bytes) {}

  enum class Step : uint8_t { kRecord, kOn, kEnd };
  Step step();
  Step between_buffers();
  Step function();
  Step metadata(unsigned kind);
  Step event(unsigned kind);
  void new_buffer();
  void extents();
  void end_of_buffer();
  void look_for_a_cut();

  uint64_t number(uint64_t at, size_t bytes) const;
  std::optional<unsigned> metadata_kind(uint64_t at) const;
  std::optional<XrayHeader> header_at(uint64_t at) const;
  bool is_preamble(uint64_t at) const;
  uint64_t scaled(uint64_t tsc) const;
  void set_time(uint64_t tsc);
  XrayRecord& record(XrayKind kind);

  // Something is wrong here: reading goes on with the next buffer.
  Step damaged(const std::string& what);
  void note(uint64_t offset, uint64_t bytes, const std::string& what);

  Bytes bytes_;
  XrayHeader first_;
  Place place_;
  Place preamble_place_;
  XrayRecord record_;
  uint64_t logs_ = 0;
  uint64_t wide_threads_ = 0;
  uint64_t damaged_places_ = 0;
  uint64_t damaged_bytes_ = 0;
  std::vector<XrayDamage> damage_;
};

}  // namespace barefxt::host
