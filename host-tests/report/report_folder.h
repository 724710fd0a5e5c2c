// Tests of reports with a folder of their own, where they run the command.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>

namespace barefxt::test {

class ReportFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "barefxt-report-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // An absolute name stays one.
  std::string path(const std::string& name) const {
    return (std::filesystem::path(folder_) / name).string();
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  // In the folder. Returns its exit status; its messages are in the file err.
  int run_command(const std::string& arguments) const {
    const std::string line =
        "cd '" + folder_ + "' && '" BAREFXT_COMMAND "' " + arguments + " 2>err";
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c)
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string folder_;
};

}  // namespace barefxt::test
