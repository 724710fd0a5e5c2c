#include "random_archive.h"

#include <algorithm>

namespace barefxt::test {
namespace {

using U = uint64_t;

class RecordMaker {
 public:
  RecordMaker(const Numbers& numbers, PlainForm form) : numbers_(numbers), form_(form) {}

  std::vector<Piece> record() {
    const unsigned type = below(16);
    switch (type) {
      case 0:
        return metadata();
      case 1:
        return finish(1, reserved(16, 63), {W(any())});
      case 2:
        return string();
      case 3:
        return finish(3, below(5) << 16 | reserved(24, 63), {W(any()), W(any())});
      case 4:
        return event();
      case 5:
        return blob();
      case 6:
      case 7:
        return object(type);
      case 8:
        return scheduling();
      case 9:
        return log();
      case 10:
        return profiler();
      case 15:
        return large();
      default:
        return unknown(type, any() & ~U{0xffff});
    }
  }

 private:
  using Pieces = std::vector<Piece>;

  U any() { return next_ < numbers_.size() ? numbers_[next_++] : 0; }
  U below(U limit) { return any() % limit; }
  // Seldom true, and false for small numbers.
  bool seldom() { return below(16) == 15; }

  // Bits that must be zero, which a reader ignores.
  U reserved(unsigned first, unsigned last) {
    if (!seldom()) return 0;
    const unsigned width = last - first + 1;
    return (width == 64 ? any() : any() % (U{1} << width)) << first;
  }

  Piece stream(std::string bytes) {
    const bool dirty = seldom();
    while (bytes.size() % 8 != 0) bytes += dirty ? '!' : '\0';
    return {{}, bytes};
  }
  std::string content(U size) {
    std::string bytes;
    const U seed = any();
    const bool text = !seldom();
    for (U i = 0; i < size; ++i) {
      const U number = seed + i * (seed % 251 + 1);
      bytes += static_cast<char>(text ? 'a' + number % 26 : number);
    }
    return bytes;
  }
  U length() { return seldom() ? below(300) : below(20); }

  // A reference, and the stream of an inline one: to be put where the record wants it.
  struct Text {
    U ref;
    Pieces stream;
  };
  Text text() {
    const U kind = below(3);
    if (kind == 0) return {0, {}};
    if (kind == 1) return {below(8) + (seldom() ? 0x7ff8 : 0), {}};
    const U size = length();
    return {0x8000 | size, size == 0 ? Pieces{} : Pieces{stream(content(size))}};
  }
  Text thread(bool process_only = false) {
    if (below(2) == 0) return {below(4) + 1, {}};
    if (process_only) return {0, {W(any())}};
    return {0, {W(any()), W(any())}};
  }

  static void append(Pieces& to, const Pieces& more) {
    to.insert(to.end(), more.begin(), more.end());
  }
  static U words_of(const Pieces& pieces) {
    U words = 0;
    for (const Piece& piece : pieces) words += piece.words.size() + piece.stream.size() / 8;
    return words;
  }
  Pieces extra() { return seldom() ? Pieces(below(4), W(any())) : Pieces{}; }

  // The header with the size, the content, and perhaps more than anyone knows of.
  Pieces finish(U type, U rest, Pieces content) {
    append(content, extra());
    const U size = words_of(content) + 1;
    content.insert(content.begin(), W(type | size << 4 | rest));
    return content;
  }

  Pieces unknown(U type, U rest) { return finish(type, rest, Pieces(below(4), W(any()))); }

  Pieces argument() {
    const U type = below(12);  // of those without a name one will do
    const Text name = text();
    Pieces content = name.stream;
    U rest = name.ref << 16;
    if (type == 1 || type == 2) {
      rest |= below(U{1} << 32) << 32;
    } else if (type == 6) {
      const Text value = text();
      append(content, value.stream);
      rest |= value.ref << 32 | reserved(48, 63);
    } else if (type == 9) {
      rest |= below(2) << 32 | reserved(33, 63);
    } else if (type == 10) {
      const U size = length();
      rest |= size << 32;
      if (size > 0) content.push_back(stream(this->content(size)));
    } else if (type == 11) {
      append(content, Pieces(below(3), W(any())));
    } else {
      rest |= reserved(32, 63);
      if (type != 0) content.push_back(W(any()));
    }
    return finish(type, rest, content);
  }
  U arguments(Pieces& content) {
    const U count = seldom() ? 15 : below(4);
    for (U i = 0; i < count; ++i) append(content, argument());
    return count;
  }

  Pieces metadata() {
    const U id = below(4) + (seldom() ? 0xfffffff0 : 0);
    switch (below(5)) {
      case 0: {
        const U size = below(20);
        return finish(0, U{1} << 16 | id << 20 | size << 52 | reserved(60, 63),
                      size == 0 ? Pieces{} : Pieces{stream(content(size))});
      }
      case 1:
        return finish(0, U{2} << 16 | id << 20 | reserved(52, 63), {});
      case 2:
        return finish(0, U{3} << 16 | id << 20 | below(16) << 52 | reserved(56, 63), {});
      case 3:  // the magic number may come again, and may not grow
        return form_.dialect_2017 ? Pieces{W(U{1} << 4)} : Pieces{W(kMagic)};
      default:  // types 0 and 5 to 15, and trace info of another type
        return below(2) == 0 ? unknown(0, U{4} << 16 | (below(15) + 1) << 20)
                             : unknown(0, (below(2) == 0 ? 0 : below(11) + 5) << 16);
    }
  }
  Pieces string() {
    const U size = length();
    return finish(2, below(8) << 16 | size << 32 | reserved(31, 31) | reserved(47, 63),
                  size == 0 ? Pieces{} : Pieces{stream(content(size))});
  }
  Pieces event() {
    const U type = below(16);
    const Text who = thread();
    const Text category = text();
    const Text name = text();
    Pieces content = {W(any())};
    append(content, who.stream);
    append(content, category.stream);
    append(content, name.stream);
    const U count = arguments(content);
    const U last = form_.dialect_2017 ? 9 : 10;
    if (type == 1 || (type >= 4 && type <= last)) content.push_back(W(any()));
    return finish(4, type << 16 | count << 20 | who.ref << 24 | category.ref << 32 | name.ref << 48,
                  content);
  }
  Pieces blob() {
    const Text name = text();
    const U size = length();
    Pieces content = name.stream;
    if (size > 0) content.push_back(stream(this->content(size)));
    return finish(5,
                  name.ref << 16 | size << 32 | (form_.dialect_2017 ? 0 : reserved(47, 47)) |
                      below(5) << 48 | reserved(56, 63),
                  content);
  }
  Pieces object(U type) {
    Pieces content = {W(any())};
    U rest = below(256) << 16;
    if (type == 6) {
      const Text process = thread(true);
      append(content, process.stream);
      rest = process.ref << 16;
    }
    const Text name = text();
    append(content, name.stream);
    rest |= name.ref << 24 | reserved(44, 63);
    rest |= arguments(content) << 40;
    return finish(type, rest, content);
  }
  Pieces scheduling() {
    const U subtype = form_.dialect_2017 ? 0 : below(4);
    Pieces content = {W(any())};
    if (subtype == 0) {
      const Text outgoing = thread();
      const Text incoming = thread();
      append(content, outgoing.stream);
      append(content, incoming.stream);
      const U newer = form_.dialect_2017 ? reserved(44, 63) : below(256) << 44 | below(256) << 52;
      return finish(
          8, below(256) << 16 | below(16) << 24 | outgoing.ref << 28 | incoming.ref << 36 | newer,
          content);
    }
    if (subtype == 3) return unknown(8, (below(13) + 3) << 60);
    for (U i = subtype; i < 3; ++i) content.push_back(W(any()));
    U rest = below(U{1} << 16) << 20 | subtype << 60;
    rest |= subtype == 1 ? below(16) << 36 | reserved(40, 59) : reserved(36, 59);
    rest |= arguments(content) << 16;
    return finish(8, rest, content);
  }
  Pieces log() {
    const Text who = thread();
    const U size = length();
    Pieces content = {W(any())};
    append(content, who.stream);
    if (size > 0) content.push_back(stream(this->content(size)));
    return finish(9, size << 16 | reserved(31, 31) | who.ref << 32 | reserved(40, 63), content);
  }
  Pieces profiler() {
    const U subtype = below(4);
    if (subtype == 3) return unknown(10, (below(13) + 3) << 16);
    const Text who = thread();
    Pieces content = {W(any())};
    append(content, who.stream);
    U rest = subtype << 16 | who.ref << 20;
    if (subtype == 0) {
      const U name = below(20);
      const U build_id = below(21);
      if (name > 0) content.push_back(stream(this->content(name)));
      if (build_id > 0) content.push_back(stream(this->content(build_id)));
      rest |= below(U{1} << 16) << 28 | name << 44 | build_id << 52 | reserved(60, 63);
    } else if (subtype == 1) {
      append(content, {W(any()), W(any()), W(any())});
      rest |= below(U{1} << 16) << 28 | below(8) << 44 | reserved(47, 63);
    } else {
      const U frames = below(5);
      for (U i = 0; i < frames; ++i) content.push_back(W(any()));
      rest |= frames << 28 | reserved(36, 63);
    }
    return finish(10, rest, content);
  }
  Pieces large() {
    const U kind = below(4);
    if (kind == 2) return unknown(15, (below(15) + 1) << 36);
    if (kind == 3) return unknown(15, (below(14) + 2) << 40);
    const Text category = text();
    const Text name = text();
    Pieces content = category.stream;
    append(content, name.stream);
    U format = category.ref | name.ref << 16;
    if (kind == 0) {
      const Text who = thread();
      content.push_back(W(any()));
      append(content, who.stream);
      format |= arguments(content) << 32 | who.ref << 36 | reserved(44, 63);
    } else {
      format |= reserved(32, 63);
    }
    const U size = length();
    content.push_back(W(size));
    if (size > 0) content.push_back(stream(this->content(size)));
    content.insert(content.begin(), W(format));
    return finish(15, kind << 40 | reserved(44, 63), content);
  }

  const Numbers& numbers_;
  size_t next_ = 0;
  PlainForm form_;
};

}  // namespace

RandomArchive random_archive(const std::vector<Numbers>& records, PlainForm form) {
  RandomArchive archive;
  // In either dialect something comes first that proves it to be an archive.
  if (form.dialect_2017) {
    archive.pieces = {W(U{1} << 0 | U{2} << 4), W(1000)};
  } else {
    archive.pieces = {W(kMagic)};
  }
  for (const Numbers& numbers : records) {
    const std::vector<Piece> pieces = RecordMaker(numbers, form).record();
    archive.pieces.insert(archive.pieces.end(), pieces.begin(), pieces.end());
  }
  return archive;
}

}  // namespace barefxt::test
