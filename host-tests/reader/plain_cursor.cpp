#include "plain_cursor.h"

namespace barefxt::test {
namespace {

bool plain_utf8(const std::string& text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    unsigned code = 0;
    int more = 0;
    if (byte < 0x80) {
      code = byte;
    } else if ((byte & 0xe0) == 0xc0) {
      code = byte & 0x1f;
      more = 1;
    } else if ((byte & 0xf0) == 0xe0) {
      code = byte & 0x0f;
      more = 2;
    } else if ((byte & 0xf8) == 0xf0) {
      code = byte & 0x07;
      more = 3;
    } else {
      return false;
    }
    for (int k = 1; k <= more; ++k) {
      if (i + k >= text.size()) return false;
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return false;
      code = code * 64 + (next & 0x3f);
    }
    const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
    i += 1 + more;
  }
  return true;
}

}  // namespace

uint64_t PlainCursor::bits(uint64_t word, unsigned first, unsigned last) {
  uint64_t result = 0;
  for (unsigned bit = last + 1; bit-- > first;) result = result * 2 + ((word >> bit) & 1);
  return result;
}

uint64_t PlainCursor::word(size_t index) const {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = value * 256 + bytes_[index * 8 + (big_ ? i : 7 - i)];
  return value;
}

void PlainCursor::problem(const std::string& text) {
  archive_.problems.push_back("at " + std::to_string(record_.offset) + ", record type " +
                              std::to_string(record_.type) + ": " + text);
}

void PlainCursor::zero(uint64_t header, unsigned first, unsigned last) {
  if (bits(header, first, last) != 0) problem("a reserved bit is set");
}

uint64_t PlainCursor::next_word() {
  if (at_ >= end_) {
    ++at_;
    return 0;
  }
  return word(at_++);
}

std::string PlainCursor::stream(uint64_t bytes) {
  std::string text;
  const uint64_t count = bytes / 8 + (bytes % 8 != 0 ? 1 : 0);
  if (at_ > end_ || count > end_ - at_) {
    problem("a stream beyond the record");
    at_ = end_;
    return text;
  }
  for (uint64_t i = 0; i < count * 8; ++i) {
    const uint8_t byte = bytes_[at_ * 8 + i];
    if (i < bytes)
      text += static_cast<char>(byte);
    else if (byte != 0)
      problem("padding that is not zero");
  }
  at_ += count;
  return text;
}

std::string PlainCursor::utf8_stream(uint64_t bytes) {
  std::string text = stream(bytes);
  if (!plain_utf8(text)) problem("a string that is not UTF-8");
  return text;
}

PlainCursor::Text PlainCursor::string(uint64_t ref) {
  if (ref == 0) return {};
  if ((ref & 0x8000) != 0) return {utf8_stream(ref & 0x7fff)};
  const auto& strings = providers_[provider_].strings;
  const auto found = strings.find(static_cast<unsigned>(ref));
  if (found != strings.end()) return {found->second};
  problem("string " + std::to_string(ref) + " is not registered");
  return {"", static_cast<unsigned>(ref)};
}

PlainThread PlainCursor::thread(uint64_t ref) {
  if (ref == 0) {
    const uint64_t process = next_word();
    const uint64_t koid = next_word();
    return {process, koid};
  }
  const auto& threads = providers_[provider_].threads;
  const auto found = threads.find(static_cast<unsigned>(ref));
  if (found != threads.end()) return found->second;
  problem("thread " + std::to_string(ref) + " is not registered");
  return {0, 0, static_cast<unsigned>(ref)};
}

void PlainCursor::name(uint64_t ref) {
  const Text text = string(ref);
  record_.name = text.text;
  record_.unregistered_name = text.unregistered;
}

void PlainCursor::category(uint64_t ref) {
  const Text text = string(ref);
  record_.category = text.text;
  record_.unregistered_category = text.unregistered;
}

void PlainCursor::set_thread(uint64_t ref) {
  const PlainThread koids = thread(ref);
  record_.process = koids.process;
  record_.thread = koids.thread;
  record_.unregistered_thread = koids.unregistered;
}

void PlainCursor::arguments(uint64_t count) {
  const size_t record_end = end_;
  for (; count > 0; --count) {
    if (at_ >= record_end) {
      problem("arguments beyond the record");
      return;
    }
    const size_t start = at_;
    const uint64_t header = next_word();
    const size_t size = bits(header, 4, 15);
    if (size == 0 || start + size > record_end) {
      problem("an argument size that is 0 or beyond the record");
      return;
    }
    end_ = start + size;
    argument(header);
    if (at_ > end_) problem("an argument whose content is longer than its size");
    if (at_ < end_) ++archive_.extended;
    at_ = end_;
    end_ = record_end;
  }
}

void PlainCursor::argument(uint64_t header) {
  PlainArgument argument;
  argument.type = static_cast<int>(bits(header, 0, 3));
  const Text name = string(bits(header, 16, 31));
  argument.name = name.text;
  argument.unregistered_name = name.unregistered;
  switch (argument.type) {
    case 0:
      zero(header, 32, 63);
      break;
    case 1:
      argument.bits = bits(header, 32, 63);
      if ((argument.bits >> 31) != 0) argument.bits |= 0xffffffff00000000u;
      break;
    case 2:
      argument.bits = bits(header, 32, 63);
      break;
    case 3:
    case 4:
    case 5:
    case 7:
    case 8:
      zero(header, 32, 63);
      argument.bits = next_word();
      break;
    case 6: {
      zero(header, 48, 63);
      const Text value = string(bits(header, 32, 47));
      argument.text = value.text;
      argument.unregistered_text = value.unregistered;
      break;
    }
    case 9:
      zero(header, 33, 63);
      argument.bits = bits(header, 32, 32);
      break;
    case 10:
      argument.text = stream(bits(header, 32, 63));
      break;
    default:
      problem("an unknown argument type");
      at_ = end_;
  }
  if (at_ < end_) argument.extra_words = end_ - at_;
  record_.arguments.push_back(argument);
}

}  // namespace barefxt::test
