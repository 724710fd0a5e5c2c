// The part of the plain decoder that walks words: bit fields, streams, references, arguments. Like
// all of it, written from the specification, plainly, and sharing no line with the library.
#pragma once

#include "plain_decoder.h"

namespace barefxt::test {

class PlainCursor {
 protected:
  struct Provider {
    std::map<unsigned, std::string> strings;
    std::map<unsigned, PlainThread> threads;
  };
  // Whose tables are those before any provider, which is not provider 0.
  static constexpr uint64_t kNobody = ~uint64_t{0};
  struct Text {
    std::string text;
    unsigned unregistered = 0;  // the index, where it was never registered
  };

  PlainCursor(const std::vector<uint8_t>& bytes, bool big) : bytes_(bytes), big_(big) {}

  // The field from bit `first` to bit `last`, both included.
  static uint64_t bits(uint64_t word, unsigned first, unsigned last);
  uint64_t word(size_t index) const;

  void problem(const std::string& text);
  // Notes a problem where a bit of the field is set.
  void zero(uint64_t header, unsigned first, unsigned last);

  uint64_t next_word();
  std::string stream(uint64_t bytes);
  std::string utf8_stream(uint64_t bytes);
  Text string(uint64_t ref);
  PlainThread thread(uint64_t ref);
  // These fill in the record that is being read.
  void name(uint64_t ref);
  void category(uint64_t ref);
  void set_thread(uint64_t ref);
  void arguments(uint64_t count);

  PlainArchive archive_;
  PlainRecord record_;
  std::map<uint64_t, Provider> providers_;
  uint64_t provider_ = kNobody;  // the current one
  size_t at_ = 0;                // words read
  size_t end_ = 0;               // of the record, or of the argument

 private:
  void argument(uint64_t header);

  const std::vector<uint8_t>& bytes_;

 protected:
  bool big_;
};

}  // namespace barefxt::test
