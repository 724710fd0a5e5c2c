// Buffered text output that is fast enough for millions of lines a second. It remembers a failure,
// so that callers need not check after every line.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <barefxt/host/formatted.h>

namespace barefxt::host {

class Output {
 public:
  Output() : buffer_(std::make_unique<Buffer>()) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  virtual ~Output() = default;

  void text(std::string_view piece) {
    if (piece.size() > kCapacity - used_) return text_beyond_room(piece);
    std::memcpy(buffer_->data() + used_, piece.data(), piece.size());
    used_ += piece.size();
  }

  template <typename... Values>
  void print(FormatPattern<sizeof...(Values)> pattern, const Values&... values) {
    text(formatted(pattern, values...));
  }

  void character(char c) {
    if (used_ == kCapacity) flush();
    (*buffer_)[used_++] = c;
  }

  template <std::integral Integer>
  void number(Integer value) {
    constexpr size_t kLongest = 24;
    char* at = room(kLongest);
    commit(std::to_chars(at, at + kLongest, value).ptr);
  }

  // Room for a piece that is made in place, to be followed by commit(end of it).
  char* room(size_t bytes) {
    if (bytes > kCapacity - used_) flush();
    return buffer_->data() + used_;
  }
  void commit(const char* end) { used_ = static_cast<size_t>(end - buffer_->data()); }

  void flush();

  // Set by a failed write; everything after it goes nowhere.
  bool failed() const { return failed_; }

  static constexpr size_t kCapacity = size_t{64} * 1024;

 protected:
  // False where the piece could not be written.
  virtual bool drain(std::string_view piece) = 0;

 private:
  using Buffer = std::array<char, kCapacity>;
  void text_beyond_room(std::string_view piece);
  void drain_unless_failed(std::string_view piece);

  std::unique_ptr<Buffer> buffer_;
  size_t used_ = 0;
  bool failed_ = false;
};

// To a file descriptor that someone else owns. The reason of a failure stays in errno_at_failure.
class DescriptorOutput : public Output {
 public:
  explicit DescriptorOutput(int descriptor) : descriptor_(descriptor) {}
  int errno_at_failure() const { return errno_at_failure_; }

 protected:
  bool drain(std::string_view piece) override;

 private:
  int descriptor_;
  int errno_at_failure_ = 0;
};

class StringOutput : public Output {
 public:
  std::string take() {
    flush();
    return std::move(text_);
  }

 protected:
  bool drain(std::string_view piece) override {
    text_ += piece;
    return true;
  }

 private:
  std::string text_;
};

}  // namespace barefxt::host
