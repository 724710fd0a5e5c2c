// One function per record type, fields in the specification's order.
#include "plain_decoder.h"

#include <algorithm>
#include <set>

#include "plain_cursor.h"

namespace barefxt::test {
namespace {

class Decoder : PlainCursor {
 public:
  Decoder(const std::vector<uint8_t>& bytes, PlainForm form)
      : PlainCursor(bytes, form.big_endian),
        bytes_(bytes),
        words_(bytes.size() / 8),
        old_(form.dialect_2017) {}

  PlainArchive run() {
    if (bytes_.size() % 8 != 0) problem("the size is not a multiple of 8");
    if (words_ == 0) {
      problem("empty");
      return archive_;
    }
    if (!old_ && word(0) != 0x0016547846040010u) problem("no magic number at the start");
    while (at_ < words_) {
      const uint64_t header = word(at_);
      const unsigned type = bits(header, 0, 3);
      const uint64_t size = type == 15 ? bits(header, 4, 35) : bits(header, 4, 15);
      if (size == 0 || size > words_ - at_) {
        problem("a record size that is 0 or beyond the end");
        break;
      }
      read_record(header, type, size);
    }
    return archive_;
  }

 private:
  void read_record(uint64_t header, unsigned type, uint64_t size) {
    const size_t next = at_ + size;
    end_ = next;
    record_ = PlainRecord();
    record_.type = type;
    record_.offset = at_ * 8;
    record_.has_provider = provider_ != kNobody;
    record_.provider = record_.has_provider ? provider_ : 0;
    record_.raw.assign(bytes_.begin() + at_ * 8, bytes_.begin() + next * 8);
    ++at_;
    decode(header, type);
    if (at_ < next) {
      ++archive_.extended;
      record_.extra_words = next - at_;
    }
    if (at_ > next) problem("content beyond the record's words");
    at_ = next;
    archive_.records.push_back(record_);
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
        if (record_.value != 0) {
          providers_[provider_].strings[static_cast<unsigned>(record_.value)] = record_.name;
        }
        return;
      case 3:
        zero(header, 24, 63);
        record_.value = bits(header, 16, 23);
        if (record_.value == 0) problem("thread index 0");
        record_.process = next_word();
        record_.thread = next_word();
        if (record_.value != 0) {
          providers_[provider_].threads[static_cast<unsigned>(record_.value)] = {record_.process,
                                                                                 record_.thread, 0};
        }
        return;
      case 4:
        return event(header);
      case 5:
        if (!old_) zero(header, 47, 47);
        zero(header, 56, 63);
        record_.subtype = bits(header, 48, 55);
        name(bits(header, 16, 31));
        record_.payload = stream(bits(header, 32, old_ ? 47 : 46));
        return;
      case 6:
        zero(header, 44, 63);
        record_.value = next_word();
        if (bits(header, 16, 23) == 0) {
          record_.process = next_word();
        } else {
          set_thread(bits(header, 16, 23));
        }
        name(bits(header, 24, 39));
        return arguments(bits(header, 40, 43));
      case 7:
        zero(header, 44, 63);
        record_.subtype = bits(header, 16, 23);
        record_.value = next_word();
        name(bits(header, 24, 39));
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
        unknown("record type");
    }
  }

  void unknown(const char* what) {
    problem(std::string("an unknown ") + what);
    record_.unknown = true;
    at_ = end_;
  }

  // Applies the record to a provider, and to the provider that follows it.
  void metadata(uint64_t header) {
    record_.subtype = bits(header, 16, 19);
    const uint64_t id = bits(header, 20, 51);
    switch (record_.subtype) {
      case 1:
        zero(header, 60, 63);
        of_provider(id);
        record_.name = utf8_stream(bits(header, 52, 59));
        provider_ = id;
        providers_[id] = Provider();
        declared_.insert(id);
        return;
      case 2:
        zero(header, 52, 63);
        of_provider(id);
        if (declared_.count(id) == 0) problem("a section of an undeclared provider");
        provider_ = id;
        return;
      case 3:
        zero(header, 56, 63);
        of_provider(id);
        if (provider_ != kNobody && declared_.count(id) == 0)
          problem("an event of an undeclared provider");
        record_.value = bits(header, 52, 55);
        return;
      case 4:
        if (bits(header, 20, 23) != 0) return unknown("trace info");
        record_.has_provider = false;
        if (header != 0x0016547846040010u) problem("trace info that is no magic number");
        return;
      default:
        unknown("metadata type");
    }
  }

  void of_provider(uint64_t id) {
    record_.has_provider = true;
    record_.provider = id;
    record_.value = id;
  }

  // Today's number of an event type: in 2017 there was no duration complete, which is 4.
  void event_type(unsigned number) {
    const unsigned last = old_ ? 9 : 10;
    record_.unknown = number > last;
    record_.subtype = old_ && number >= 4 && number <= last ? number + 1 : number;
    if (record_.unknown) problem("an unknown event type");
  }

  void event(uint64_t header) {
    event_type(bits(header, 16, 19));
    record_.timestamp = next_word();
    set_thread(bits(header, 24, 31));
    category(bits(header, 32, 47));
    name(bits(header, 48, 63));
    arguments(bits(header, 20, 23));
    if (record_.unknown) return;
    if (record_.subtype == 1 || record_.subtype >= 4) record_.value = next_word();
    if (record_.subtype == 4 && record_.value < record_.timestamp)
      problem("an end before its begin");
    if (record_.subtype == 0 && at_ + 1 == end_) {
      record_.has_scope = true;
      record_.value = next_word();
      ++archive_.extended;
    }
  }

  void scheduling(uint64_t header) {
    record_.subtype = bits(header, 60, 63);
    if (old_) {
      zero(header, 44, 63);
      record_.subtype = 0;
    }
    if (record_.subtype > 2) return unknown("scheduling record");
    record_.timestamp = next_word();
    if (record_.subtype == 0) {
      record_.cpu = bits(header, 16, 23);
      set_thread(bits(header, 28, 35));
      const PlainThread incoming = thread(bits(header, 36, 43));
      record_.other_process = incoming.process;
      record_.other_thread = incoming.thread;
      record_.unregistered_other_thread = incoming.unregistered;
      record_.numbers = {bits(header, 24, 27), bits(header, 44, 51), bits(header, 52, 59)};
    } else {
      record_.cpu = bits(header, 20, 35);
      record_.thread = next_word();
      zero(header, record_.subtype == 1 ? 40 : 36, 59);
      if (record_.subtype == 1) {
        record_.numbers = {bits(header, 36, 39)};
        record_.other_thread = next_word();
      }
      arguments(bits(header, 16, 19));
    }
    if (!record_.numbers.empty() && record_.numbers[0] > 5) problem("an unknown thread state");
    if (record_.cpu >= 4096) problem("a CPU number that Perfetto gives up at");
  }

  void profiler(uint64_t header) {
    record_.subtype = bits(header, 16, 19);
    if (record_.subtype > 2) return unknown("profiler record");
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
    } else {
      zero(header, 36, 63);
      for (uint64_t i = bits(header, 28, 35); i > 0; --i) record_.numbers.push_back(next_word());
    }
  }

  void large(uint64_t header) {
    record_.subtype = bits(header, 36, 39);
    if (record_.subtype != 0) return unknown("large record");
    const uint64_t kind = bits(header, 40, 43);
    if (kind > 1) return unknown("large blob");
    zero(header, 44, 63);
    record_.subtype = kind;
    const uint64_t format = next_word();
    zero(format, kind == 0 ? 44 : 32, 63);
    category(bits(format, 0, 15));
    name(bits(format, 16, 31));
    if (kind == 0) {
      record_.timestamp = next_word();
      set_thread(bits(format, 36, 43));
      arguments(bits(format, 32, 35));
    }
    record_.payload = stream(next_word());
  }

  const std::vector<uint8_t>& bytes_;
  const size_t words_;
  const bool old_;
  std::set<uint64_t> declared_;
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

bool is_added(const PlainRecord& record) {
  return !record.arguments.empty() && record.arguments[0].name == "barefxt_added";
}

std::vector<PlainRecord> PlainArchive::of_type(unsigned type) const {
  std::vector<PlainRecord> found;
  for (const PlainRecord& record : records)
    if (record.type == type && !is_added(record)) found.push_back(record);
  return found;
}

std::vector<PlainRecord> PlainArchive::events(const std::string& name) const {
  std::vector<PlainRecord> found;
  for (const PlainRecord& record : records)
    if (record.type == 4 && record.name == name && !is_added(record)) found.push_back(record);
  return found;
}

PlainArchive decode_plainly(const std::vector<uint8_t>& archive) {
  const std::vector<uint8_t> big = {0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10};
  PlainForm form;
  form.big_endian =
      std::vector<uint8_t>(archive.begin(),
                           archive.begin() + std::min<size_t>(archive.size(), 8)) == big;
  return decode_plainly(archive, form);
}

PlainArchive decode_plainly(const std::vector<uint8_t>& archive, PlainForm form) {
  return Decoder(archive, form).run();
}

}  // namespace barefxt::test
