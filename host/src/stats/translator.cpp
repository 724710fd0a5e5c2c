// Translates the rare events.
#include "translator.h"

#include <algorithm>

namespace barefxt::host {

std::optional<uint64_t> Translator::amount(const Event& event, std::string_view name) {
  const auto argument = event.arguments.find(name);
  if (!argument || (argument->type != fxt::ArgumentType::kUint64 &&
                    argument->type != fxt::ArgumentType::kUint32)) {
    return std::nullopt;
  }
  return argument->bits;
}

// The thread that a wakeup event is about: a koid argument, or else the event's own.
uint64_t Translator::woken_thread(const Event& event) {
  for (const Argument& argument : event.arguments) {
    if (argument.type == fxt::ArgumentType::kKoid && argument.name.bytes != "waker")
      return argument.bits;
  }
  return event.thread.thread;
}

std::optional<uint64_t> Translator::pointer_in(const Event& event) {
  for (const Argument& argument : event.arguments) {
    if (argument.type == fxt::ArgumentType::kPointer) return argument.bits;
  }
  return std::nullopt;
}

std::optional<uint64_t> Translator::object_in(const Event& event) {
  const auto object = event.arguments.find("object");
  const bool is_one = object && (object->type == fxt::ArgumentType::kKoid ||
                                 object->type == fxt::ArgumentType::kPointer);
  return is_one ? std::optional(object->bits) : std::nullopt;
}

bool Translator::is_set(const Event& event, std::string_view name) {
  const auto argument = event.arguments.find(name);
  return argument && argument->type == fxt::ArgumentType::kBool && argument->bits != 0;
}

void Translator::look_for_waker(const Arguments& arguments, Moment& moment) {
  const auto waker = arguments.find("waker");
  if (waker && waker->type == fxt::ArgumentType::kKoid) moment.b = waker->bits;
  const auto number = arguments.find("irq");
  if (!number || number->type != fxt::ArgumentType::kUint32) return;
  const auto known = arguments.find("interrupt");
  const bool has_name = known && known->type == fxt::ArgumentType::kString;
  moment.label = names_.labels.number_of(
      "irq", has_name ? std::string(known->string.bytes) : formatted("irq {}", number->bits));
  moment.state = moment.label == Labels::kNone ? 0 : 1;
  if (moment.state == 0) ++statistics_.left_out;
}

void Translator::lose(const Event& event, uint64_t begin, uint64_t end) {
  if (end < window_.from || begin > window_.to) return;
  const auto where = event.arguments.find("where");
  std::string place = where && where->type == fxt::ArgumentType::kString
                          ? std::string(where->string.bytes)
                          : std::string("unknown");
  auto key = std::pair(statistics_.name_of(event.thread.thread), std::move(place));
  if (!statistics_.losses.contains(key) &&
      !room_of_losses_.take(key.first.size() + key.second.size())) {
    ++statistics_.left_out;
    return;
  }
  LossStatistics& loss = statistics_.losses[std::move(key)];
  const auto records = amount(event, "records");
  const auto bytes = amount(event, "bytes");
  loss.first = loss.times == 0 ? begin : std::min(loss.first, begin);
  loss.last = std::max(loss.last, end);
  ++loss.times;
  loss.records += records.value_or(0);
  loss.bytes += bytes.value_or(0);
  loss.records_unknown = loss.records_unknown || !records;
  loss.bytes_unknown = loss.bytes_unknown || !bytes;
}

}  // namespace barefxt::host
