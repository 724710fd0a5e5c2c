// The way back: what a host asks for over the line, and the answers.
//
// Two contexts: barefxt_receive, an interrupt maybe, puts a whole request into the one place that
// there is for it; barefxt_serve takes it from there, performs and answers it. The place belongs to
// the receiver while it is empty and to the server while it is not. A request that finds it taken
// is forgotten: its host asks again.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>

#if BAREFXT_WAY_BACK

#include "dump.h"
#include "request_receiver.h"
#include "sent_segments.h"
#include "table_frames.h"

#if !BAREFXT_LINEAR

namespace barefxt {
namespace {

struct Place {
  Atomic<bool> is_taken;
  uint8_t frame[wire::kRequestFrameBytes] = {};
};

RequestReceiver receiver;
Place place;

// A request in words of this side.
struct Asked {
  uint32_t capture;
  uint32_t number;
  uint8_t kind;
  uint8_t mode;
  uint32_t categories;
  SentRecords records;
  bool is_sane;  // zero where zero belongs
};

// The last answer: its request is not performed a second time.
struct Answered {
  bool is_any = false;
  uint32_t number = 0;
  uint8_t kind = 0;
  wire::AnswerStatus status = wire::AnswerStatus::kDone;
};
Answered answered;

bool is_zero(const uint8_t* bytes, size_t count) {
  uint8_t all = 0;
  for (size_t i = 0; i < count; ++i) all |= bytes[i];
  return all == 0;
}

Asked read(const uint8_t* frame) {
  using wire::FrameHeader;
  using wire::Request;
  const uint8_t* payload = frame + FrameHeader::kBytes;
  Asked asked;
  asked.capture = wire::load_u32(frame + FrameHeader::kCapture);
  asked.number = wire::load_u32(frame + FrameHeader::kSequence);
  asked.kind = payload[Request::kKind];
  asked.mode = payload[Request::kMode];
  asked.categories = wire::load_u32(payload + Request::kCategories);
  asked.records.cpu = wire::load_u16(payload + Request::kCpu);
  asked.records.first = wire::load_u64(payload + Request::kFirstRecord);
  asked.records.count = wire::load_u32(payload + Request::kRecords);
  const bool is_resend = asked.kind == static_cast<uint8_t>(wire::RequestKind::kResend);
  asked.is_sane =
      is_zero(frame + FrameHeader::kFlags, 2) &&
      (is_resend ||
       (is_zero(payload + Request::kCpu, Request::kCategories - Request::kCpu) &&
        is_zero(payload + Request::kFirstRecord, Request::kBytes - Request::kFirstRecord)));
  return asked;
}

wire::AnswerStatus status_of(barefxt_error error) {
  switch (error) {
    case BAREFXT_OK:
      return wire::AnswerStatus::kDone;
    case BAREFXT_ERROR_RUNNING:
      return wire::AnswerStatus::kRecording;
    case BAREFXT_ERROR_NEVER_STARTED:
      return wire::AnswerStatus::kNothing;
    case BAREFXT_ERROR_MODE:
      return wire::AnswerStatus::kMode;
    case BAREFXT_ERROR_SNAPSHOT_HELD:
      return wire::AnswerStatus::kHeld;
    case BAREFXT_ERROR_MEMORY_TOO_SMALL:
      return wire::AnswerStatus::kMemory;
    case BAREFXT_ERROR_LEFT_OUT:
      return wire::AnswerStatus::kLeftOut;
    default:
      return wire::AnswerStatus::kFailed;
  }
}

class Server {
 public:
  Server(const barefxt_writer& writer, barefxt_dump_form form, const barefxt_config* start)
      : writer_(writer), form_(form), start_(start) {}

  wire::AnswerStatus perform(const Asked& asked) const {
    using wire::RequestKind;
    if (!asked.is_sane) return wire::AnswerStatus::kUnknown;
    if (asked.capture != wire::kAnyCapture && asked.capture != capture())
      return wire::AnswerStatus::kOtherCapture;
    switch (static_cast<RequestKind>(asked.kind)) {
      case RequestKind::kHello:
        return hello();
      case RequestKind::kStart:
        return start(asked);
      case RequestKind::kStop:
        return stop();
      case RequestKind::kSnapshot:
        return snapshot();
      case RequestKind::kDump:
        return dump();
      case RequestKind::kCategories:
        return categories(asked);
      case RequestKind::kResend:
        return resend(asked);
    }
    return wire::AnswerStatus::kUnknown;
  }

  void answer() const {
    FrameWriter frame(writer_, form_, capture(), answered.number);
    frame.begin(wire::FrameType::kAnswer, 0, wire::kVersionOfRequests);
    frame.u8(answered.kind);
    frame.u8(static_cast<uint8_t>(answered.status));
    frame.u8((is_recording() ? wire::TargetState::kRecording : 0) |
             (session.holds_records ? wire::TargetState::kHasRecorded : 0));
    frame.u8(0);
    frame.u32(BAREFXT_LOAD_RELAXED_(barefxt_enabled_categories));
    frame.end();
  }

 private:
  // Before the first start, a retained descriptor does not belong to this boot.
  static uint32_t capture() {
    return session.holds_records ? barefxt_descriptor.capture : wire::kAnyCapture;
  }
  static bool is_recording() { return is_running(); }

  wire::AnswerStatus hello() const {
    if (!session.holds_records) return wire::AnswerStatus::kNothing;
    const Trace trace = session_trace();
    TraceFrames frames(trace, writer_, form_, 0);
    frames.begin_asked();
    send_tables(frames, 0);
    return wire::AnswerStatus::kDone;
  }

  wire::AnswerStatus start(const Asked& asked) const {
    if (start_ == nullptr) return wire::AnswerStatus::kNotOffered;
    if (asked.mode > static_cast<uint8_t>(wire::Mode::kStreaming))
      return wire::AnswerStatus::kUnknown;
    barefxt_config config;
    copy_config(*start_, config);
    if (asked.mode != 0) config.mode = static_cast<barefxt_mode>(asked.mode - 1);
    if (asked.categories != 0) config.categories = asked.categories;
    return status_of(barefxt_start(&config));
  }
  static_assert(BAREFXT_MODE_ONE_SHOT + 1 == static_cast<int>(wire::Mode::kOneShot) &&
                    BAREFXT_MODE_CIRCULAR + 1 == static_cast<int>(wire::Mode::kCircular) &&
                    BAREFXT_MODE_STREAMING + 1 == static_cast<int>(wire::Mode::kStreaming),
                "the wire's modes are the configuration's, from 1");

  static wire::AnswerStatus stop() {
    if (!is_recording()) return wire::AnswerStatus::kNotRecording;
    barefxt_stop();
    return wire::AnswerStatus::kDone;
  }

  static wire::AnswerStatus snapshot() {
    if (!is_recording()) return wire::AnswerStatus::kNotRecording;
    return status_of(barefxt_snapshot());
  }

  wire::AnswerStatus dump() const {
    // A stream leaves by the drain, to its end.
    if (session.holds_records && session.config.mode == BAREFXT_MODE_STREAMING)
      return wire::AnswerStatus::kMode;
    return status_of(barefxt_dump(&writer_, form_));
  }

  static wire::AnswerStatus categories(const Asked& asked) {
    if (!is_recording()) return wire::AnswerStatus::kNotRecording;
    barefxt_set_categories(asked.categories);
    return wire::AnswerStatus::kDone;
  }

#if BAREFXT_RESEND_SEGMENTS
  wire::AnswerStatus resend(const Asked& asked) const {
    if (!session.holds_records) return wire::AnswerStatus::kNothing;
    if (session.config.mode != BAREFXT_MODE_STREAMING) return wire::AnswerStatus::kMode;
    const Trace trace = session_trace();
    TraceFrames frames(trace, writer_, form_, 0);
    frames.begin_asked();
    return resend_records(frames, asked.records) ? wire::AnswerStatus::kDone
                                                 : wire::AnswerStatus::kGone;
  }
#else
  static wire::AnswerStatus resend(const Asked& /*asked*/) { return wire::AnswerStatus::kLeftOut; }
#endif

  const barefxt_writer& writer_;
  barefxt_dump_form form_;
  const barefxt_config* start_;
};

}  // namespace
}  // namespace barefxt

using namespace barefxt;

extern "C" {

void barefxt_receive(uint8_t byte) {
  const uint8_t* frame = receiver.add(byte);
  if (frame == nullptr || place.is_taken.load_acquire()) return;
  for (size_t i = 0; i < wire::kRequestFrameBytes; ++i) place.frame[i] = frame[i];
  place.is_taken.store_release(true);
}

bool barefxt_serve(const barefxt_writer* writer, barefxt_dump_form form,
                   const barefxt_config* start) {
  if (!place.is_taken.load_acquire()) return false;
  const Asked asked = read(place.frame);
  place.is_taken.store_release(false);
  const Server server(*writer, form, start);
  if (!answered.is_any || answered.number != asked.number || answered.kind != asked.kind) {
    answered.status = server.perform(asked);
    answered.number = asked.number;
    answered.kind = asked.kind;
    answered.is_any = true;
  }
  server.answer();
  return true;
}

}  // extern "C"

#endif

#endif

#endif
