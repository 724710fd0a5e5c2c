// Receives the records that a FrameReader finds.
#pragma once

#include <stdint.h>

#include <barefxt/fxt/field.h>

namespace barefxt::torture {

// Without pure functions, which would need a library.
class RecordSink {
 public:
  // The next records are in this ring and segment.
  virtual void segment(uint32_t /*ring*/, uint32_t /*sequence*/) {}
  // A finished record as it stands in the ring.
  virtual void record(const fxt::Word* /*words*/, uint32_t /*count*/) {}

 protected:
  ~RecordSink() = default;
};

}  // namespace barefxt::torture
