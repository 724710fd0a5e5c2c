// A sample archive in a file, as the command reads it.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "sample_archive.h"

namespace barefxt::test {

class SampleFile {
 public:
  SampleFile(const Sample& one, unsigned bodies)
      : path_(::testing::TempDir() + "barefxt-sample-XXXXXX") {
    const int file = ::mkstemp(path_.data());
    EXPECT_GE(file, 0);
    append(file, one.prologue);
    for (unsigned i = 0; i < bodies; ++i) append(file, one.body);
    ::close(file);
  }
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static void append(int file, const std::string& bytes) {
    EXPECT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  std::string path_;
};

}  // namespace barefxt::test
