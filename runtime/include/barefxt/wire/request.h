// The way back: requests of a host to a target, in a frame of the kind that carries traces
// (frame.h), and the target's answers.
//
// All requests have one size, so that a receiver needs no more memory than that. A request's
// sequence number is the host's: the target performs a number once and answers it as often as it
// comes. So a host repeats a request until it is answered. docs/reference/wire-format.md has the
// details.
#pragma once

#include <barefxt/wire/frame.h>

namespace barefxt::wire {

enum class RequestKind : uint8_t {
  kHello = 1,       // the tables of the present session, once more
  kStart = 2,       // recording
  kStop = 3,        // recording
  kSnapshot = 4,    // holds what is recorded now
  kDump = 5,        // sends what is held, or what there is after the stop
  kCategories = 6,  // enables exactly these
  kResend = 7,      // records of a stream once more
};

// Payload of kRequest. Fields that a kind does not use are zero.
struct Request {
  static constexpr size_t kKind = 0;        // u8, RequestKind
  static constexpr size_t kMode = 1;        // u8, Mode of a start; 0: the target's choice
  static constexpr size_t kCpu = 2;         // u16, of a resend
  static constexpr size_t kCategories = 4;  // u32, of a start (0: the target's choice) or a change
  static constexpr size_t kRecords = 4;     // u32, of a resend: how many
  // u64, of a resend: the first of them, as Records::kRecordsBefore counts
  static constexpr size_t kFirstRecord = 8;
  static constexpr size_t kBytes = 16;
};
inline constexpr size_t kRequestFrameBytes = kMinFrameBytes + Request::kBytes;
// A request with this for its capture means whichever is there.
inline constexpr uint32_t kAnyCapture = 0;

// Payload of kAnswer. The frame has the number of the request, and the capture that the target has
// after it; 0 if it never recorded.
struct Answer {
  static constexpr size_t kKind = 0;        // u8, as the request's
  static constexpr size_t kStatus = 1;      // u8, AnswerStatus
  static constexpr size_t kState = 2;       // u8, TargetState
  static constexpr size_t kReserved = 3;    // u8, zero
  static constexpr size_t kCategories = 4;  // u32, those that are enabled now
  static constexpr size_t kBytes = 8;
};

enum class AnswerStatus : uint8_t {
  kDone = 0,
  kUnknown = 1,       // no such request, or one that has something where zero belongs
  kOtherCapture = 2,  // another capture is there now than the one that was meant
  kLeftOut = 3,       // the image was built without it
  kRecording = 4,     // not while it records
  kNotRecording = 5,  // only while it records
  kNothing = 6,       // it never recorded
  kMode = 7,          // the mode that it records in has no such thing
  kHeld = 8,          // a snapshot is held already
  kMemory = 9,        // too little memory for that
  kNotOffered = 10,   // the target does not let itself be started over the line
  kFailed = 11,       // another reason, which a start has
  kGone = 12,         // none of these records is held any more
};

struct TargetState {
  static constexpr uint8_t kRecording = 1;
  static constexpr uint8_t kHasRecorded = 2;
};

}  // namespace barefxt::wire
