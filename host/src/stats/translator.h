// The second pass: every record in file order becomes its moments, with times converted if rates
// differ. Losses are added up at once, since they need no order.
#pragma once

#include "jobs.h"
#include "moment.h"
#include "names.h"
#include "survey.h"
#include "window.h"

namespace barefxt::host {

class Translator {
 public:
  Translator(const Reader& reader, Statistics& statistics, Names& names, bool to_nanoseconds,
             const Window& window)
      : reader_(reader),
        statistics_(statistics),
        names_(names),
        to_nanoseconds_(to_nanoseconds),
        window_(window) {}

  // Instants are moments as well.
  void want_instants() { has_instants_ = true; }

  // Calls `sink` with each moment of the record.
  template <typename View, typename Sink>
  [[gnu::always_inline]] void see(const View& view, const Place& place, const Sink& sink) {
    if constexpr (std::is_same_v<View, Event>) {
      event(view, place.offset, sink);
    } else if constexpr (std::is_same_v<View, LegacyContextSwitch>) {
      sink(Moment{.time = unit(view.timestamp),
                  .offset = place.offset,
                  .a = view.outgoing.thread,
                  .b = view.incoming.thread,
                  .label = 0,
                  .cpu = view.cpu,
                  .kind = MomentKind::kSwitch,
                  .state = static_cast<uint8_t>(view.outgoing_state),
                  .outgoing_priority = static_cast<uint8_t>(view.outgoing_priority),
                  .incoming_priority = static_cast<uint8_t>(view.incoming_priority),
                  .has_priorities = true});
    } else if constexpr (std::is_same_v<View, ContextSwitch>) {
      if (is_added(view.arguments)) return;  // what is lost is known from its slice
      Moment moment = plain(MomentKind::kSwitch, view.timestamp, place.offset, view.outgoing);
      moment.b = view.incoming;
      moment.cpu = view.cpu;
      moment.state = static_cast<uint8_t>(view.outgoing_state);
      sink(moment);
    } else if constexpr (std::is_same_v<View, ThreadWakeup>) {
      Moment moment = plain(MomentKind::kWakeup, view.timestamp, place.offset, view.thread);
      moment.cpu = view.cpu;
      if (view.arguments.size() != 0) look_for_waker(view.arguments, moment);
      sink(moment);
    } else if constexpr (std::is_same_v<View, LargeBlob>) {
      if (view.format == fxt::LargeBlob::kFormatEvent) unit(view.timestamp);
    } else if constexpr (requires { view.timestamp; }) {
      unit(view.timestamp);
    }
  }

 private:
  // Converts a record's time to the unit of the statistics, and widens their span to include it.
  [[gnu::always_inline]] uint64_t unit(uint64_t ticks) {
    const uint64_t time = time_in_unit(ticks, reader_.provider(), to_nanoseconds_);
    if (!statistics_.timed) statistics_.first = statistics_.last = time;
    statistics_.timed = true;
    statistics_.first = time < statistics_.first ? time : statistics_.first;
    statistics_.last = time > statistics_.last ? time : statistics_.last;
    return time;
  }

  [[gnu::always_inline]] Moment plain(MomentKind kind, uint64_t ticks, uint64_t offset, uint64_t a,
                                      uint32_t label = 0) {
    return {.time = unit(ticks),
            .offset = offset,
            .a = a,
            .b = 0,
            .label = label,
            .cpu = kNoCpu,
            .kind = kind,
            .state = 0,
            .outgoing_priority = 0,
            .incoming_priority = 0,
            .has_priorities = false};
  }

  template <typename Sink>
  [[gnu::always_inline]] void event(const Event& event, uint64_t offset, const Sink& sink) {
    using fxt::EventType;
    switch (event.type) {
      case EventType::kDurationBegin:
        if (is_added(event.arguments)) [[unlikely]]
          return;
        labelled(MomentKind::kBegin, event, offset, event.thread.thread, sink);
        if (is_job(event)) [[unlikely]]
          begin_job(event, offset, 0, sink);
        return;
      case EventType::kDurationEnd:
        if (is_added(event.arguments)) [[unlikely]]
          return labelled(MomentKind::kCut, event, offset, event.thread.thread, sink);
        labelled(MomentKind::kEnd, event, offset, event.thread.thread, sink);
        if (is_job(event)) [[unlikely]]
          end_job(event, offset, sink);
        return;
      case EventType::kDurationComplete:
        return complete(event, offset, sink);
      case EventType::kCounter:
        return counter(event, offset, sink);
      case EventType::kFlowBegin:
        return flow(MomentKind::kFlowBegin, event, offset, sink);
      case EventType::kFlowStep:
        return flow(MomentKind::kFlowStep, event, offset, sink);
      case EventType::kFlowEnd:
        return flow(MomentKind::kFlowEnd, event, offset, sink);
      case EventType::kAsyncBegin:
        hold(MomentKind::kHold, event, offset, sink);
        if (is_job(event)) [[unlikely]]
          begin_job(event, offset, 0, sink);
        return;
      case EventType::kAsyncEnd:
        hold(MomentKind::kRelease, event, offset, sink);
        if (is_job(event)) [[unlikely]]
          end_job(event, offset, sink);
        return;
      case EventType::kInstant:
        if (has_instants_) [[unlikely]]
          labelled(MomentKind::kInstant, event, offset, event.thread.thread, sink);
        if (event.name.bytes == "thread_wakeup") {
          sink(plain(MomentKind::kWakeup, event.timestamp, offset, woken_thread(event)));
          return;
        }
        if (event.name.bytes == "blocks") return blocks(event, offset, sink);
        if (is_job(event)) [[unlikely]]
          return begin_job(event, offset, kJobUntilBlocked, sink);
        [[fallthrough]];
      default:
        unit(event.timestamp);
    }
  }

  template <typename Sink>
  [[gnu::always_inline]] void labelled(MomentKind kind, const Event& event, uint64_t offset,
                                       uint64_t a, const Sink& sink) {
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    const Moment moment = plain(kind, event.timestamp, offset, a, label);
    if (label == Labels::kNone) {
      ++statistics_.left_out;
    } else {
      sink(moment);
    }
  }

  template <typename Sink>
  void flow(MomentKind kind, const Event& event, uint64_t offset, const Sink& sink) {
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    Moment moment = plain(kind, event.timestamp, offset, event.trailing, label);
    moment.cpu = provider();
    moment.b = event.thread.thread;
    if (label == Labels::kNone) {
      ++statistics_.left_out;
    } else {
      sink(moment);
    }
  }

  // Correlation ids and addresses are each provider's own.
  uint32_t provider() const {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&reader_.provider()) >> 4);
  }

  template <typename Sink>
  void hold(MomentKind kind, const Event& event, uint64_t offset, const Sink& sink) {
    Moment moment = plain(kind, event.timestamp, offset, event.thread.thread);
    if (event.category.bytes != kLockCategory) return;
    moment.label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    moment.b = event.trailing;
    moment.cpu = provider();
    sink(moment);
  }

  // A thread is about to wait for an object, in the call that the duration of the wait is named
  // after.
  template <typename Sink>
  void blocks(const Event& event, uint64_t offset, const Sink& sink) {
    Moment moment = plain(MomentKind::kBlocks, event.timestamp, offset, event.thread.thread);
    const auto in = event.arguments.find("in");
    const std::optional<uint64_t> object = object_in(event);
    if (!in || in->type != fxt::ArgumentType::kString || !object) return;
    const auto holder = event.arguments.find("holder");
    if (holder && holder->type == fxt::ArgumentType::kKoid) moment.b = holder->bits;
    moment.cpu = provider();
    const uint32_t label = names_.labels.number_of(event.category.bytes, in->string.bytes);
    wait(moment, label, object, event.category.bytes.size() + in->string.bytes.size(), sink);
  }

  template <typename Sink>
  void wait(Moment& moment, uint32_t label, std::optional<uint64_t> object, size_t text_bytes,
            const Sink& sink) {
    moment.label = label == Labels::kNone
                       ? Labels::kNone
                       : names_.objects.number_of({label, 0, object}, text_bytes);
    if (moment.label == Labels::kNone) {
      ++statistics_.left_out;
    } else {
      sink(moment);
    }
  }

  template <typename Sink>
  void complete(const Event& event, uint64_t offset, const Sink& sink) {
    const uint64_t begin = unit(event.timestamp);
    if (event.trailing < event.timestamp) return;  // lint's business
    if (is_loss(event)) return lose(event, begin, unit(event.trailing));
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    if (label == Labels::kNone) {
      ++statistics_.left_out;
      return;
    }
    Moment moment =
        plain(MomentKind::kComplete, event.trailing, offset, event.thread.thread, label);
    moment.b = begin;
    sink(moment);
    const bool is_lock = event.category.bytes == kLockCategory;
    const std::optional<uint64_t> object = is_lock ? pointer_in(event) : object_in(event);
    if (!is_lock && !object) return;
    moment.kind = MomentKind::kWait;
    const auto failed = event.arguments.find("failed");
    moment.state = failed && failed->type == fxt::ArgumentType::kBool && failed->bits != 0 ? 1 : 0;
    wait(moment, label, object, event.category.bytes.size() + event.name.bytes.size(), sink);
  }

  template <typename Sink>
  void counter(const Event& event, uint64_t offset, const Sink& sink) {
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    Moment moment = plain(MomentKind::kCounter, event.timestamp, offset, event.trailing);
    for (const Argument& argument : event.arguments) {
      if (!argument.is_numeric()) continue;
      const uint32_t name = names_.arguments.number_of({}, argument.name.bytes);
      moment.label =
          label == Labels::kNone || name == Labels::kNone
              ? Labels::kNone
              : names_.series.number_of({label, name, event.trailing},
                                        event.category.bytes.size() + event.name.bytes.size() +
                                            argument.name.bytes.size());
      if (moment.label == Labels::kNone) {
        ++statistics_.left_out;
        continue;
      }
      const bool is_signed =
          argument.type == fxt::ArgumentType::kInt32 || argument.type == fxt::ArgumentType::kInt64;
      const bool real = argument.type == fxt::ArgumentType::kDouble;
      moment.b = argument.type == fxt::ArgumentType::kInt32
                     ? static_cast<uint64_t>(int64_t{argument.as_int32()})
                     : argument.bits;
      moment.state = static_cast<uint8_t>(real        ? ValueKind::kReal
                                          : is_signed ? ValueKind::kSigned
                                                      : ValueKind::kUnsigned);
      sink(moment);
    }
  }

  // Jobs are the durations of the category that have a period or a deadline.
  template <typename Sink>
  [[gnu::noinline]] void begin_job(const Event& event, uint64_t offset, uint8_t flags,
                                   const Sink& sink) {
    Moment moment = plain(MomentKind::kJobBegin, event.timestamp, offset, event.thread.thread);
    const auto period = amount(event, "period_ns");
    const auto deadline = amount(event, "deadline_ns");
    if (!period && !deadline) return;
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    if (label != Labels::kNone)
      moment.label = names_.number_of(JobTerms{label, period.value_or(0), deadline.value_or(0)});
    if (label == Labels::kNone || moment.label == Labels::kNone) {
      ++statistics_.left_out;
      return;
    }
    moment.state = flags | (is_set(event, "overrun") ? kJobOverran : 0);
    sink(moment);
  }
  template <typename Sink>
  [[gnu::noinline]] void end_job(const Event& event, uint64_t offset, const Sink& sink) {
    const uint32_t label = names_.labels.number_of(event.category.bytes, event.name.bytes);
    if (label == Labels::kNone) return;
    Moment moment = plain(MomentKind::kJobEnd, event.timestamp, offset, event.thread.thread, label);
    moment.state = is_set(event, "abandoned") ? kJobAbandoned : 0;
    sink(moment);
  }

  // The thread that woke the other, or the name of an interrupt that has no record of its own.
  void look_for_waker(const Arguments& arguments, Moment& moment);
  static std::optional<uint64_t> amount(const Event& event, std::string_view name);
  static bool is_set(const Event& event, std::string_view name);
  static uint64_t woken_thread(const Event& event);
  static std::optional<uint64_t> pointer_in(const Event& event);
  // The object that a wait of a kernel's hooks is for.
  static std::optional<uint64_t> object_in(const Event& event);
  void lose(const Event& event, uint64_t begin, uint64_t end);

  const Reader& reader_;
  Statistics& statistics_;
  Names& names_;
  bool to_nanoseconds_;
  bool has_instants_ = false;
  const Window& window_;
  NamedRoom room_of_losses_;
};

}  // namespace barefxt::host
