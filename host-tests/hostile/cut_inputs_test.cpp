// Inputs that become shorter while they are read.
#include <fstream>
#include <unistd.h>

#include "hostile/shell.h"
#include "rebuild/capture_builder.h"
#include "speed/sample_archive.h"

namespace barefxt::test::cut_inputs_test {
namespace {

class CutInputs : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    const Sample one = sample(Mix::kDemo, 1 << 16);
    archive_ = one.archive((8 << 20) / one.body.size());
  }
  std::string archive_;
};

TEST_F(CutInputs, AreACutAndNoCrash) {
  for (const char* line :
       {"print", "print --json", "stats", "profile", "lint", "convert --to perfetto -o out",
        "convert --to fxt -o out", "convert --to parquet -o out", "report -o out"})
    for (const size_t left : {size_t{0}, size_t{100'003}}) {
      write("big.fxt", archive_);
      start("exec BAREFXT " + std::string(line) + " big.fxt");
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      ASSERT_EQ(::truncate(path("big.fxt").c_str(), static_cast<off_t>(left)), 0);
      const int status = wait();
      // A cut that comes before the file is opened makes an empty or shorter file.
      EXPECT_TRUE(status == 1 || status == 3 || status == 4 || status == 0)
          << line << status << messages();
      if (status == 0) {
        EXPECT_TRUE(lacks(messages(), "shorter"));
      }
    }
}

TEST_F(CutInputs, AreSaidToBeCut) {
  write("big.fxt", archive_);
  // The full pipe stops the command in the middle of the file.
  EXPECT_EQ(run("{ BAREFXT print big.fxt; echo $? >status; } | { sleep 0.5; : >big.fxt; cat; } "
                ">printed"),
            0);
  EXPECT_EQ(read("status"), "3\n");
  EXPECT_TRUE(contains(messages(), "became shorter while it was read"));
}

TEST_F(CutInputs, OfCapturesAreSaidToBeCut) {
  const Bytes one = binary_form(two_cpu_capture().frames());
  std::string many;
  while (many.size() < (64 << 20)) many.append(one.begin(), one.end());
  write("in", many);
  start("exec BAREFXT rebuild in -o out");
  const std::string counts = "/proc/" + std::to_string(child()) + "/io";
  ASSERT_TRUE(comes_true_soon([&] {
    std::ifstream file(counts);
    std::string name;
    size_t bytes = 0;
    return file >> name >> bytes && bytes > (4 << 20);
  }));
  ASSERT_EQ(::truncate(path("in").c_str(), 1000), 0);
  EXPECT_EQ(wait(), 3);
  EXPECT_TRUE(contains(messages(), "became shorter while it was read"));
}

}  // namespace
}  // namespace barefxt::test::cut_inputs_test
