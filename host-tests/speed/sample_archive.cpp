// Draws records by weight and writes them, word by word.
#include "sample_archive.h"

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <span>
#include <utility>

namespace barefxt::test {
namespace {

using U = uint64_t;

constexpr U kStrings = 48;
constexpr U kThreads = 24;
constexpr U kMagic = 0x0016547846040010;
constexpr U kCounter = 1;
constexpr U kComplete = 4;

// One place in a program that traces: its records are all of one kind.
struct Site {
  U type;     // of record
  U subtype;  // of event or scheduling record
  std::string_view arguments;
  std::array<unsigned, 15> next;  // of a thousand records after it, the number of each site
};

// Argument types by letter: i int32, u uint32, l int64, w uint64, d double, p pointer, k koid,
// s string, b bool.
using Sites = std::span<const Site>;

// Counted in an archive of the demo kernel on four CPUs.
constexpr auto kDemo = std::to_array<Site>({
    {4, 3, "", {53, 373, 24, 424, 89, 2, 0, 1, 8, 0, 18, 0, 5, 0, 1}},
    {8, 0, "", {41, 346, 24, 224, 154, 1, 1, 1, 65, 36, 21, 0, 29, 31, 26}},
    {8, 2, "", {342, 94, 529, 27, 4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0}},
    {4, 2, "u", {677, 26, 220, 43, 28, 1, 0, 1, 2, 1, 0, 0, 1, 1, 1}},
    {4, 2, "", {7, 62, 10, 8, 7, 321, 329, 252, 1, 0, 0, 0, 0, 0, 0}},
    {4, 8, "uuikb", {270, 57, 650, 7, 6, 2, 1, 2, 2, 1, 0, 0, 1, 0, 0}},
    {4, 10, "ui", {981, 4, 2, 2, 5, 2, 1, 1, 0, 1, 0, 0, 0, 0, 0}},
    {4, 9, "uu", {357, 68, 554, 9, 5, 2, 5, 0, 2, 0, 0, 0, 0, 0, 0}},
    {4, 0, "lws", {16, 567, 3, 26, 382, 2, 0, 0, 2, 0, 0, 0, 2, 0, 0}},
    {4, 5, "u", {11, 196, 578, 11, 0, 0, 0, 0, 3, 0, 0, 199, 3, 0, 0}},
    {4, 7, "", {8, 796, 0, 3, 3, 0, 0, 0, 0, 191, 0, 0, 0, 0, 0}},
    {7, 2, "k", {0, 0, 227, 3, 0, 0, 0, 0, 0, 0, 0, 770, 0, 0, 0}},
    {4, 1, "u", {25, 901, 11, 49, 7, 4, 0, 0, 4, 0, 0, 0, 0, 0, 0}},
    {4, 0, "u", {12, 422, 4, 234, 164, 0, 4, 0, 0, 0, 160, 0, 0, 0, 0}},
    {4, 4, "p", {14, 352, 111, 171, 352, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
});

// The same kinds in no order at all, which is the hardest for a processor that guesses what comes.
constexpr std::array<unsigned, 15> kAnything = {225, 218, 171, 160, 69, 23, 23, 18,
                                                17,  10,  10,  9,   8,  7,  6};

// Events by a writer without tables.
constexpr std::array<unsigned, 15> kAnyInline = {300, 300, 100, 100, 100, 100};
constexpr auto kInline = std::to_array<Site>({
    {4, 2, "u", kAnyInline},
    {4, 3, "", kAnyInline},
    {4, 0, "ws", kAnyInline},
    {4, 4, "d", kAnyInline},
    {8, 0, "", kAnyInline},
    {4, 1, "w", kAnyInline},
});

class Writer {
 public:
  explicit Writer(bool in_line) : in_line_(in_line) {
    for (U i = 1; i <= kStrings; ++i) {
      strings_.push_back(std::string(4 + i % 13, static_cast<char>('a' + i % 26)));
    }
  }

  // With `ordered`, the next site is drawn by `next`; otherwise all sites are as likely.
  Sample write(Sites sites, bool ordered, size_t body_bytes) {
    Sample result;
    prologue();
    result.prologue = take(result.of_prologue);
    std::vector<std::discrete_distribution<size_t>> after;
    for (const Site& site : sites) {
      const auto& next = ordered ? site.next : kAnything;
      after.emplace_back(next.begin(), next.begin() + static_cast<ptrdiff_t>(sites.size()));
    }
    bytes_.reserve(body_bytes + 4096);
    for (size_t at = 0; bytes_.size() < body_bytes; at = after[at](random_)) {
      record(sites[at]);
    }
    result.body = take(result.of_body);
    return result;
  }

 private:
  std::string take(Sums& sums) {
    sums = std::exchange(sums_, {});
    return std::exchange(bytes_, {});
  }

  void prologue() {
    plain(kMagic);
    plain(U{1} | U{2} << 4, 1'000'000'000);
    for (U i = 1; i <= kStrings; ++i) {
      const std::string& text = strings_[i - 1];
      start(U{2} | i << 16 | U{text.size()} << 32);
      stream(text);
      sums_.add_text(text);
      finish();
    }
    for (U i = 1; i <= kThreads; ++i) {
      start(U{3} | i << 16);
      word(process_of(i));
      word(thread_of(i));
      sums_.koids += process_of(i) + thread_of(i);
      finish();
    }
  }

  void record(const Site& site) {
    if (site.type == 8 && site.subtype == 0) return context_switch();
    if (site.type == 8) return wakeup();
    if (site.type == 7) return kernel_object(site);
    event(site);
  }

  void context_switch() {
    const U outgoing = thread();
    const U incoming = thread();
    start(U{8} | U{cpu()} << 16 | U{3} << 24 | reference(outgoing) << 28 |
          reference(incoming) << 36 | U{20} << 44 | U{30} << 52);
    time();
    koids(outgoing);
    koids(incoming);
    finish();
  }

  void wakeup() {
    start(U{8} | U{cpu()} << 20 | U{2} << 60);
    time();
    const U woken = thread_of(thread());
    word(woken);
    sums_.koids += woken;
    finish();
  }

  void kernel_object(const Site& site) {
    const U name = string();
    start(U{7} | site.subtype << 16 | reference_to_text(name) << 24 |
          U{site.arguments.size()} << 40);
    const U koid = thread_of(thread());
    word(koid);
    sums_.koids += koid;
    text(name);
    for (const char letter : site.arguments) argument(letter);
    finish();
  }

  void event(const Site& site) {
    const U whose = thread();
    const U category = string();
    const U name = string();
    start(U{4} | site.subtype << 16 | U{site.arguments.size()} << 20 | reference(whose) << 24 |
          reference_to_text(category) << 32 | reference_to_text(name) << 48);
    const U begin = now_;
    time();
    koids(whose);
    text(category);
    text(name);
    for (const char letter : site.arguments) argument(letter);
    if (site.subtype == kComplete) {
      end_now(begin);
    } else if (site.subtype == kCounter || site.subtype > kComplete) {
      const U trailing = random_();
      word(trailing);
      sums_.values += trailing;
    }
    finish();
  }

  void argument(char letter) {
    const U type = std::string_view("?iulwdspkb").find(letter);
    const size_t at = bytes_.size();
    const U name = string();
    const U number = random_() & 0xffffff;
    const U text_value = string();
    const bool in_header = letter == 'i' || letter == 'u' || letter == 'b';
    const U value = letter == 'd'   ? std::bit_cast<U>(static_cast<double>(number))
                    : letter == 'b' ? number & 1
                                    : number;
    U header = type | reference_to_text(name) << 16;
    if (in_header) header |= value << 32;
    if (letter == 's') header |= reference_to_text(text_value) << 32;
    word(header);
    text(name);
    if (letter == 's') {
      text(text_value);
    } else if (letter == 'k') {
      sums_.koids += value;
    } else {
      sums_.values += value;
    }
    if (!in_header && letter != 's') word(value);
    ++sums_.arguments;
    patch(at, header | U{(bytes_.size() - at) / 8} << 4);
  }

  static U process_of(U index) { return 1000 + index / 4; }
  static U thread_of(U index) { return 5000 + index * 7; }
  U thread() { return 1 + random_() % kThreads; }
  U string() { return 1 + random_() % kStrings; }
  U cpu() { return random_() % 4; }
  U reference(U thread) const { return in_line_ ? 0 : thread; }
  U reference_to_text(U index) const {
    return in_line_ ? U{0x8000} | strings_[index - 1].size() : index;
  }

  void koids(U thread) {
    if (in_line_) {
      word(process_of(thread));
      word(thread_of(thread));
    }
    sums_.koids += process_of(thread) + thread_of(thread);
  }
  void text(U index) {
    if (in_line_) stream(strings_[index - 1]);
    sums_.add_text(strings_[index - 1]);
  }
  // The record's time is its end, so that the archive is in order; it began when the one before it
  // ended.
  void end_now(U begin) {
    const size_t timestamp = start_ + 8;
    patch(timestamp, begin);
    sums_.times -= now_ - begin;
    word(now_);
    sums_.values += now_;
  }
  void time() {
    now_ += random_() % 4096;
    word(now_);
    sums_.times += now_;
  }

  void plain(U header) {
    word(header);
    ++sums_.records;
  }
  void plain(U header, U second) {
    plain(header);
    word(second);
    sums_.values += second;
  }
  void start(U header) {
    start_ = bytes_.size();
    header_ = header;
    word(0);
  }
  void finish() {
    patch(start_, header_ | U{(bytes_.size() - start_) / 8} << 4);
    ++sums_.records;
  }
  void word(U value) {
    std::array<char, 8> raw;
    std::memcpy(raw.data(), &value, raw.size());
    bytes_.append(raw.data(), raw.size());
  }
  void patch(size_t at, U value) { std::memcpy(bytes_.data() + at, &value, sizeof value); }
  void stream(std::string_view text) {
    bytes_ += text;
    bytes_.append((8 - text.size() % 8) % 8, '\0');
  }

  bool in_line_;
  std::mt19937_64 random_{20240229};
  std::vector<std::string> strings_;
  std::string bytes_;
  Sums sums_;
  size_t start_ = 0;
  U header_ = 0;
  U now_ = 0;
};

}  // namespace

Sums& Sums::operator+=(const Sums& more) {
  records += more.records;
  arguments += more.arguments;
  text += more.text;
  letters += more.letters;
  koids += more.koids;
  values += more.values;
  times += more.times;
  return *this;
}

std::string Sample::archive(size_t bodies) const {
  std::string whole = prologue;
  whole.reserve(prologue.size() + bodies * body.size());
  for (size_t i = 0; i < bodies; ++i) whole += body;
  return whole;
}

Sums Sample::sums(size_t bodies) const {
  Sums all = of_prologue;
  for (size_t i = 0; i < bodies; ++i) all += of_body;
  return all;
}

Sample sample(Mix mix, size_t body_bytes) {
  if (mix == Mix::kInline) return Writer(true).write(kInline, true, body_bytes);
  return Writer(false).write(kDemo, mix == Mix::kDemo, body_bytes);
}

}  // namespace barefxt::test
