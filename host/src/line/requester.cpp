#include "requester.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <barefxt/wire/cobs.h>

#include "../rebuild/crc32c.h"

namespace barefxt::line {
namespace {

using wire::AnswerStatus;
using wire::RequestKind;

void put(uint8_t* at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) at[i] = static_cast<uint8_t>(value >> (8 * i));
}

std::string name_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::kHello:
      return "hello";
    case RequestKind::kStart:
      return "start";
    case RequestKind::kStop:
      return "stop";
    case RequestKind::kSnapshot:
      return "snapshot";
    case RequestKind::kDump:
      return "dump";
    case RequestKind::kCategories:
      return "categories";
    case RequestKind::kResend:
      return "resend";
  }
  return "request";
}

std::string why(uint8_t status) {
  switch (static_cast<AnswerStatus>(status)) {
    case AnswerStatus::kDone:
      return "done";
    case AnswerStatus::kUnknown:
      return "it does not know this request: is it built with an older barefxt?";
    case AnswerStatus::kOtherCapture:
      return "it has another capture by now";
    case AnswerStatus::kLeftOut:
      return "it was built without it";
    case AnswerStatus::kRecording:
      return "not while it records: ask it to stop first";
    case AnswerStatus::kNotRecording:
      return "it does not record: ask it to start first";
    case AnswerStatus::kNothing:
      return "it has recorded nothing yet";
    case AnswerStatus::kMode:
      return "the mode that it records in has no such thing";
    case AnswerStatus::kHeld:
      return "it holds a snapshot already: ask for the dump of that first";
    case AnswerStatus::kMemory:
      return "it has too little memory for that";
    case AnswerStatus::kNotOffered:
      return "it does not let itself be started over the line";
    case AnswerStatus::kGone:
      return "it has none of it left";
    case AnswerStatus::kFailed:
      break;
  }
  return "for a reason that it does not give";
}

struct VectorSink {
  std::vector<uint8_t> bytes;
  void write(const uint8_t* from, size_t count) { bytes.insert(bytes.end(), from, from + count); }
};

}  // namespace

std::vector<uint8_t> request_bytes(const PendingRequest& request, uint32_t number) {
  using wire::FrameHeader;
  using wire::Request;
  std::array<uint8_t, wire::kRequestFrameBytes> frame{};
  frame[FrameHeader::kVersion] = wire::kVersionOfRequests;
  frame[FrameHeader::kType] = static_cast<uint8_t>(wire::FrameType::kRequest);
  put(&frame[FrameHeader::kCapture], request.capture, 4);
  put(&frame[FrameHeader::kSequence], number, 4);
  uint8_t* payload = &frame[FrameHeader::kBytes];
  payload[Request::kKind] = static_cast<uint8_t>(request.kind);
  payload[Request::kMode] = request.mode;
  put(payload + Request::kCategories, request.categories, 4);
  if (request.kind == RequestKind::kResend) {
    put(payload + Request::kCpu, request.gap.cpu, 2);
    put(payload + Request::kRecords, request.gap.count, 4);
    put(payload + Request::kFirstRecord, request.gap.first, 8);
  }
  constexpr size_t kCovered = wire::kRequestFrameBytes - wire::kCrcBytes;
  put(&frame[kCovered], host::crc32c(std::span(frame).first(kCovered)), wire::kCrcBytes);
  VectorSink sink;
  wire::CobsEncoder<VectorSink> encoder(sink);
  encoder.begin();
  for (const uint8_t byte : frame) encoder.add(byte);
  encoder.end();
  return sink.bytes;
}

Requester::Requester(std::vector<PendingRequest> requests, bool wants_resends,
                     uint32_t first_number, Report say)
    : requests_(std::move(requests)),
      wants_resends_(wants_resends),
      number_(first_number),
      report_(std::move(say)) {
  if (!requests_.empty()) request_ = requests_[at_++];
}

void Requester::add(const PendingRequest& request) {
  if (has_failed_) {
    has_failed_ = false;
    at_ = requests_.size();
    end_request();
  }
  requests_.push_back(request);
  if (!request_) request_ = requests_[at_++];
}

void Requester::start_request(const host::Arrival& arrival) {
  if (at_ < requests_.size()) {
    request_ = requests_[at_++];
    return;
  }
  if (!wants_resends_) return;
  if (capture_ != arrival.capture) lost_.clear();
  capture_ = arrival.capture;
  for (const host::Gap& gap : arrival.gaps.all()) {
    // More than a request can name is more than any ring keeps.
    if (gap.count > 0xffffffff) continue;
    if (std::find(lost_.begin(), lost_.end(), gap) != lost_.end()) continue;
    request_ = PendingRequest{.kind = RequestKind::kResend, .capture = capture_, .gap = gap};
    return;
  }
}

std::vector<uint8_t> Requester::next(Clock::time_point now, uint64_t bytes,
                                     const host::Arrival& arrival) {
  const std::optional<host::Answer>& answer = arrival.answer;
  if (!has_failed_ && request_ && is_asked_ && answer && answer->number == number_) {
    const PendingRequest asked = *request_;
    judge(asked, *answer, arrival);
  }
  if (!has_failed_ && !request_) start_request(arrival);
  if (has_failed_ || !request_) return {};
  const PendingRequest& request = *request_;
  // A dump takes its time: as long as something comes it is on its way.
  const bool is_coming = request.kind == RequestKind::kDump && bytes != bytes_then_;
  bytes_then_ = bytes;
  if (!is_asked_ || is_coming) patient_since_ = now;
  if (is_asked_ && now - patient_since_ >= kPatience) {
    report_(
        host::formatted("{}: no answer within {} seconds: is the target built with "
                        "BAREFXT_WAY_BACK, and does it call barefxt_serve?",
                        name_of(request.kind), kPatience.count()));
    if (request.kind != RequestKind::kResend) has_failed_ = true;
    wants_resends_ = false;
    end_request();
    return {};
  }
  if (is_asked_ && now - sent_at_ < kRepeatAfter) return {};
  is_asked_ = true;
  sent_at_ = now;
  return request_bytes(request, number_);
}

// A resend may be lost again, so a gap is requested several times. A gap that has become smaller
// counts as another; at one record it can shrink no more.
void Requester::judge_resend(const host::Gap& asked, const host::Answer& answer,
                             const host::Arrival& arrival) {
  const auto status = static_cast<AnswerStatus>(answer.status);
  const std::span<const host::Gap> gaps = arrival.gaps.all();
  const bool is_left = std::find(gaps.begin(), gaps.end(), asked) != gaps.end();
  resends_ = is_left && asked == last_gap_ ? resends_ + 1 : 1;
  last_gap_ = asked;
  if (is_left && (status != AnswerStatus::kDone || resends_ == kMaxResends)) lost_.push_back(asked);
  if (status != AnswerStatus::kDone && status != AnswerStatus::kGone &&
      status != AnswerStatus::kOtherCapture) {
    report_(name_of(RequestKind::kResend) + ": refused: " + why(answer.status));
    wants_resends_ = false;
  }
}

void Requester::end_request() {
  request_.reset();
  ++number_;
  is_asked_ = false;
}

void Requester::judge(const PendingRequest& request, const host::Answer& answer,
                      const host::Arrival& arrival) {
  if (request.kind == RequestKind::kResend) {
    judge_resend(request.gap, answer, arrival);
    end_request();
    return;
  }
  if (answer.status != static_cast<uint8_t>(AnswerStatus::kDone)) {
    report_(name_of(request.kind) + ": refused: " + why(answer.status));
    has_failed_ = true;
    return;
  }
  report_(host::formatted(
      "{}: done: capture 0x{:08x}, {}, categories 0x{:08x}", name_of(request.kind), answer.capture,
      (answer.state & wire::TargetState::kRecording) != 0 ? "recording" : "not recording",
      answer.categories));
  end_request();
}

}  // namespace barefxt::line
