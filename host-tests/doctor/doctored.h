// The doctor's findings for inputs in memory, for tests.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <barefxt/host/doctor.h>

#include "rebuild/capture_builder.h"

namespace barefxt::test {

struct Doctored {
  std::vector<host::Diagnosis> diagnoses;

  // The names of the checks, in order, with a blank between them.
  std::string names() const {
    std::string all;
    for (const host::Diagnosis& one : diagnoses)
      all += (all.empty() ? "" : " ") + std::string(one.check->name);
    return all;
  }
  // All findings as text, for messages of tests and for searching.
  std::string text() const {
    std::string all;
    for (const host::Diagnosis& one : diagnoses)
      all += one.where + ": " + one.what + " (" + one.hint + ")\n";
    return all;
  }
  bool reports(const std::string& part) const { return text().find(part) != std::string::npos; }
};

inline Doctored doctor(const Bytes& input) {
  Doctored doctored;
  host::Doctor work([](const std::string&) {},
                    [&](const host::Diagnosis& one) { doctored.diagnoses.push_back(one); });
  EXPECT_TRUE(work.feed(input).ok());
  EXPECT_TRUE(work.end_input("input").ok());
  EXPECT_TRUE(work.examine().ok());
  EXPECT_EQ(work.diagnoses(), doctored.diagnoses.size());
  return doctored;
}
inline Doctored doctor(const TestCapture& capture) { return doctor(binary_form(capture.frames())); }

}  // namespace barefxt::test
