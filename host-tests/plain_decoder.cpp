#include "plain_decoder.h"

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

struct Koids {
  uint64_t process = 0;
  uint64_t thread = 0;
};

struct Provider {
  std::map<unsigned, std::string> strings;
  std::map<unsigned, Koids> threads;
};

class Decoder {
 public:
  explicit Decoder(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  PlainArchive run() {
    if (bytes_.size() % 8 != 0) problem("the size is not a multiple of 8");
    words_ = bytes_.size() / 8;
    if (words_ == 0) {
      problem("empty");
      return archive_;
    }
    if (word(0) == 0x1000044678541600u) big_ = true;
    if (word(0) != 0x0016547846040010u) problem("no magic number at the start");
    while (at_ < words_) {
      const uint64_t header = word(at_);
      const unsigned type = bits(header, 0, 3);
      const uint64_t size = type == 15 ? bits(header, 4, 35) : bits(header, 4, 15);
      if (size == 0 || size > words_ - at_) {
        problem("a record size that is 0 or beyond the end");
        break;
      }
      end_ = at_ + size;
      record_ = PlainRecord();
      record_.type = type;
      record_.offset = at_ * 8;
      record_.provider = provider_;
      const size_t next = end_;
      ++at_;
      decode(header, type);
      if (at_ < next) ++archive_.extended;
      if (at_ > next) problem("content beyond the record's words");
      at_ = next;
      archive_.records.push_back(record_);
    }
    return archive_;
  }

 private:
  static uint64_t bits(uint64_t word, unsigned first, unsigned last) {
    uint64_t result = 0;
    for (unsigned bit = last + 1; bit-- > first;) result = result * 2 + ((word >> bit) & 1);
    return result;
  }

  uint64_t word(size_t index) const {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value = value * 256 + bytes_[index * 8 + (big_ ? i : 7 - i)];
    return value;
  }

  void problem(const std::string& text) {
    archive_.problems.push_back("at " + std::to_string(record_.offset) + ", record type " +
                                std::to_string(record_.type) + ": " + text);
  }

  void zero(uint64_t header, unsigned first, unsigned last) {
    if (bits(header, first, last) != 0) problem("a reserved bit is set");
  }

  uint64_t next_word() {
    if (at_ >= end_) {
      ++at_;
      return 0;
    }
    return word(at_++);
  }

  std::string stream(size_t bytes) {
    std::string text;
    const size_t count = (bytes + 7) / 8;
    if (at_ + count > end_) {
      problem("a stream beyond the record");
      at_ = end_;
      return text;
    }
    for (size_t i = 0; i < count * 8; ++i) {
      const uint8_t byte = bytes_[at_ * 8 + i];
      if (i < bytes)
        text += static_cast<char>(byte);
      else if (byte != 0)
        problem("padding that is not zero");
    }
    at_ += count;
    return text;
  }

  std::string utf8_stream(size_t bytes) {
    std::string text = stream(bytes);
    if (!plain_utf8(text)) problem("a string that is not UTF-8");
    return text;
  }

  std::string string(uint64_t ref) {
    if (ref == 0) return "";
    if ((ref & 0x8000) != 0) return utf8_stream(ref & 0x7fff);
    const auto& strings = providers_[provider_].strings;
    const auto found = strings.find(static_cast<unsigned>(ref));
    if (found != strings.end()) return found->second;
    problem("string " + std::to_string(ref) + " is not registered");
    return "";
  }

  Koids thread(uint64_t ref) {
    if (ref == 0) {
      const uint64_t process = next_word();
      const uint64_t koid = next_word();
      return {process, koid};
    }
    const auto& threads = providers_[provider_].threads;
    const auto found = threads.find(static_cast<unsigned>(ref));
    if (found != threads.end()) return found->second;
    problem("thread " + std::to_string(ref) + " is not registered");
    return {};
  }

  void set_thread(uint64_t ref) {
    const Koids koids = thread(ref);
    record_.process = koids.process;
    record_.thread = koids.thread;
  }

  void arguments(uint64_t count) {
    const size_t record_end = end_;
    for (; count > 0; --count) {
      if (at_ >= record_end) {
        problem("arguments beyond the record");
        return;
      }
      const size_t start = at_;
      const uint64_t header = next_word();
      PlainArgument argument;
      argument.type = static_cast<int>(bits(header, 0, 3));
      const size_t size = bits(header, 4, 15);
      if (size == 0 || start + size > record_end) {
        problem("an argument size that is 0 or beyond the record");
        return;
      }
      end_ = start + size;
      argument.name = string(bits(header, 16, 31));
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
        case 6:
          zero(header, 48, 63);
          argument.text = string(bits(header, 32, 47));
          break;
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
      if (at_ > end_) problem("an argument whose content is longer than its size");
      if (at_ < end_) ++archive_.extended;
      at_ = end_;
      end_ = record_end;
      record_.arguments.push_back(argument);
    }
  }

  void decode(uint64_t header, unsigned type) {
    switch (type) {
      case 0:
        return metadata(header);
      case 1:
        zero(header, 16, 63);
        record_.value = next_word();
        if (record_.value == 0) problem("0 ticks per second");
        return;
      case 2:
        zero(header, 31, 31);
        zero(header, 47, 63);
        record_.value = bits(header, 16, 30);
        if (record_.value == 0) problem("string index 0");
        record_.name = utf8_stream(bits(header, 32, 46));
        providers_[provider_].strings[static_cast<unsigned>(record_.value)] = record_.name;
        return;
      case 3:
        zero(header, 24, 63);
        record_.value = bits(header, 16, 23);
        if (record_.value == 0) problem("thread index 0");
        record_.process = next_word();
        record_.thread = next_word();
        providers_[provider_].threads[static_cast<unsigned>(record_.value)] = {record_.process,
                                                                               record_.thread};
        return;
      case 4:
        return event(header);
      case 5:
        zero(header, 47, 47);
        zero(header, 56, 63);
        record_.subtype = bits(header, 48, 55);
        record_.name = string(bits(header, 16, 31));
        record_.payload = stream(bits(header, 32, 46));
        return;
      case 6:
        zero(header, 44, 63);
        record_.value = next_word();
        if (bits(header, 16, 23) == 0)
          record_.process = next_word();
        else
          record_.process = thread(bits(header, 16, 23)).process;
        record_.name = string(bits(header, 24, 39));
        return arguments(bits(header, 40, 43));
      case 7:
        zero(header, 44, 63);
        record_.subtype = bits(header, 16, 23);
        record_.value = next_word();
        record_.name = string(bits(header, 24, 39));
        return arguments(bits(header, 40, 43));
      case 8:
        return scheduling(header);
      case 9:
        zero(header, 31, 31);
        zero(header, 40, 63);
        record_.timestamp = next_word();
        set_thread(bits(header, 32, 39));
        record_.name = utf8_stream(bits(header, 16, 30));
        return;
      case 10:
        return profiler(header);
      case 15:
        return large(header);
      default:
        problem("an unknown record type");
        at_ = end_;
    }
  }

  void metadata(uint64_t header) {
    record_.subtype = bits(header, 16, 19);
    if (record_.subtype == 4) {
      if (header != 0x0016547846040010u) problem("trace info that is no magic number");
      return;
    }
    record_.value = bits(header, 20, 51);
    record_.provider = record_.value;
    switch (record_.subtype) {
      case 1:
        zero(header, 60, 63);
        provider_ = record_.value;
        providers_[provider_] = Provider();
        record_.name = utf8_stream(bits(header, 52, 59));
        return;
      case 2:
        zero(header, 52, 63);
        provider_ = record_.value;
        if (providers_.count(provider_) == 0) problem("a section of an undeclared provider");
        return;
      case 3:
        zero(header, 56, 63);
        if (providers_.count(record_.value) == 0) problem("an event of an undeclared provider");
        record_.value = bits(header, 52, 55);
        return;
      default:
        problem("an unknown metadata type");
        at_ = end_;
    }
  }

  void event(uint64_t header) {
    record_.subtype = bits(header, 16, 19);
    record_.timestamp = next_word();
    set_thread(bits(header, 24, 31));
    record_.category = string(bits(header, 32, 47));
    record_.name = string(bits(header, 48, 63));
    arguments(bits(header, 20, 23));
    if (record_.subtype > 10) problem("an unknown event type");
    if (record_.subtype == 1 || record_.subtype >= 4) record_.value = next_word();
    if (record_.subtype == 4 && record_.value < record_.timestamp)
      problem("an end before its begin");
  }

  void scheduling(uint64_t header) {
    record_.subtype = bits(header, 60, 63);
    record_.timestamp = next_word();
    if (record_.subtype == 0) {
      record_.cpu = bits(header, 16, 23);
      set_thread(bits(header, 28, 35));
      const Koids incoming = thread(bits(header, 36, 43));
      record_.other_process = incoming.process;
      record_.other_thread = incoming.thread;
      record_.numbers = {bits(header, 24, 27), bits(header, 44, 51), bits(header, 52, 59)};
    } else if (record_.subtype <= 2) {
      record_.cpu = bits(header, 20, 35);
      record_.thread = next_word();
      zero(header, record_.subtype == 1 ? 40 : 36, 59);
      if (record_.subtype == 1) {
        record_.numbers = {bits(header, 36, 39)};
        record_.other_thread = next_word();
      }
      arguments(bits(header, 16, 19));
    } else {
      problem("an unknown scheduling record");
    }
    if (!record_.numbers.empty() && record_.numbers[0] > 5) problem("an unknown thread state");
    if (record_.cpu >= 4096) problem("a CPU number that Perfetto gives up at");
  }

  void profiler(uint64_t header) {
    record_.subtype = bits(header, 16, 19);
    record_.timestamp = next_word();
    set_thread(bits(header, 20, 27));
    if (record_.subtype == 0) {
      zero(header, 60, 63);
      record_.value = bits(header, 28, 43);
      record_.name = utf8_stream(bits(header, 44, 51));
      record_.payload = stream(bits(header, 52, 59));
    } else if (record_.subtype == 1) {
      zero(header, 47, 63);
      record_.value = bits(header, 28, 43);
      record_.numbers.push_back(bits(header, 44, 46));
      for (int i = 0; i < 3; ++i) record_.numbers.push_back(next_word());
    } else if (record_.subtype == 2) {
      zero(header, 36, 63);
      for (uint64_t i = bits(header, 28, 35); i > 0; --i) record_.numbers.push_back(next_word());
    } else {
      problem("an unknown profiler record");
    }
  }

  void large(uint64_t header) {
    zero(header, 44, 63);
    const uint64_t kind = bits(header, 40, 43);
    record_.subtype = kind;
    const uint64_t format = next_word();
    zero(format, kind == 0 ? 44 : 32, 63);
    if (bits(header, 36, 39) != 0 || kind > 1) problem("an unknown large record");
    record_.category = string(bits(format, 0, 15));
    record_.name = string(bits(format, 16, 31));
    if (kind == 0) {
      record_.timestamp = next_word();
      set_thread(bits(format, 36, 43));
      arguments(bits(format, 32, 35));
    }
    record_.payload = stream(next_word());
  }

  const std::vector<uint8_t>& bytes_;
  PlainArchive archive_;
  PlainRecord record_;
  std::map<uint64_t, Provider> providers_;
  uint64_t provider_ = 0;
  bool big_ = false;
  size_t words_ = 0;
  size_t at_ = 0;
  size_t end_ = 0;
};

}  // namespace

const PlainArgument* PlainRecord::argument(const std::string& wanted) const {
  for (const PlainArgument& argument : arguments)
    if (argument.name == wanted) return &argument;
  return nullptr;
}

std::string PlainArchive::problem_text() const {
  std::string text;
  for (const std::string& problem : problems) text += problem + "\n";
  return text;
}

std::vector<PlainRecord> PlainArchive::of_type(unsigned type) const {
  std::vector<PlainRecord> found;
  for (const PlainRecord& record : records)
    if (record.type == type) found.push_back(record);
  return found;
}

std::vector<PlainRecord> PlainArchive::events(const std::string& name) const {
  std::vector<PlainRecord> found;
  for (const PlainRecord& record : records)
    if (record.type == 4 && record.name == name) found.push_back(record);
  return found;
}

PlainArchive decode_plainly(const std::vector<uint8_t>& archive) { return Decoder(archive).run(); }

}  // namespace barefxt::test
