// `print --json` of a damaged capture has no event, switch or wakeup that the sound capture lacks.
// Losses take records and names away, and add nothing but what reports them.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "archive/archive_provider.h"
#include "build_kind.h"
#include "hostile/mutations.h"
#include "print/printing.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::damaged_twin_test {
namespace {

using nlohmann::json;
// An object's texts and threads, which a loss may take; the rest of the object is its key.
using Texts = std::vector<std::string>;
constexpr const char* kLost = "string#";

struct Timed {
  std::string key;
  Texts texts;
  std::string line;
};

bool is_of_loss(const json& object) {
  const json& arguments = object.value("args", json::array());
  if (!arguments.empty() && arguments[0].at("name") == "barefxt_added") return true;
  return object.at("record") == "event" && object.at("category") == "barefxt" &&
         object.at("name") == "drop_stats";
}

bool is_of_unknown_thread(const json& koid) {
  return koid.is_number_unsigned() && koid >= host::kUnknownThreadsProcess &&
         koid < host::kCpusProcess;
}

void take_text(json& from, const char* member, Texts& texts) {
  if (!from.contains(member) || !from.at(member).is_string()) return;
  texts.push_back(from.at(member));
  from.erase(member);
}

void take_thread(json& from, Texts& texts) {
  for (const char* member : {"process", "thread"}) {
    if (!from.contains(member)) continue;
    texts.push_back(is_of_unknown_thread(from.at(member)) ? kLost : from.at(member).dump());
    from.erase(member);
  }
}

std::vector<Timed> timed_in(const std::string& lines) {
  std::vector<Timed> all;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    json object = json::parse(line);
    if (!object.contains("timestamp") || is_of_loss(object)) continue;
    Timed timed{.key = {}, .texts = {}, .line = line};
    object.erase("offset");
    for (const char* member : {"category", "name", "message"})
      take_text(object, member, timed.texts);
    take_thread(object, timed.texts);
    for (const char* member : {"outgoing", "incoming"})
      if (object.contains(member)) take_thread(object[member], timed.texts);
    if (object.at("record") == "thread_wakeup") {
      const json& waker = object.at("args");
      const bool is_lost = waker.empty() || is_of_unknown_thread(waker[0].at("value"));
      timed.texts.push_back(is_lost ? kLost : waker.dump());
      object.erase("args");
    } else {
      for (json& argument : object["args"])
        for (const char* member : {"name", "value"}) take_text(argument, member, timed.texts);
    }
    timed.key = object.dump();
    all.push_back(std::move(timed));
  }
  return all;
}

// True if losses can make the one of the other.
bool may_become(const Texts& sound, const Texts& left) {
  return std::equal(sound.begin(), sound.end(), left.begin(), left.end(),
                    [](const std::string& whole, const std::string& rest) {
                      return rest == whole || rest.starts_with(kLost);
                    });
}

// Holds the objects of a damaged capture to those of the sound one. Allowed are:
//   - records that barefxt adds around losses: marked `barefxt_added`, or `drop_stats`
//   - `string#N`, the text of a string whose table entry was lost
//   - a thread called by its index, whose table entry was lost
//   - a wakeup without its waker, who may have been among the lost records
class Twin {
 public:
  explicit Twin(const std::string& lines) {
    for (Timed& timed : timed_in(lines)) sound_[timed.key].push_back(std::move(timed.texts));
  }

  // Returns the first object that is none of the sound capture's, each of which counts once; empty
  // if there is none.
  std::string first_invented(const std::string& lines) const {
    auto left = sound_;
    std::vector<Timed> others = timed_in(lines);
    // Those that lost nothing first, so that no other takes their place.
    for (const bool is_whole : {true, false})
      std::erase_if(others, [&](const Timed& timed) {
        std::vector<Texts>& sound = left[timed.key];
        const auto twin = std::ranges::find_if(sound, [&](const Texts& texts) {
          return is_whole ? texts == timed.texts : may_become(texts, timed.texts);
        });
        if (twin == sound.end()) return false;
        sound.erase(twin);
        return true;
      });
    return others.empty() ? "" : others.front().line;
  }

 private:
  std::map<std::string, std::vector<Texts>> sound_;
};

std::string printed(const Bytes& capture) {
  const Bytes archive = rebuild(capture).archive;
  return archive.empty() ? "" : json_of({archive.begin(), archive.end()});
}

TEST(DamagedTwin, HasNothingThatTheSoundCaptureLacks) {
  std::mt19937_64 random(20261126);
  const size_t cases = is_full_run() ? 1'000 : 6;
  for (const SoundInput& input : sound_inputs()) {
    if (input.kind != InputKind::kCapture) continue;
    const Twin twin(printed(input.bytes));
    for (size_t i = 0; i < cases; ++i) {
      const std::string invented = twin.first_invented(printed(damaged(input.bytes, random)));
      ASSERT_EQ(invented, "") << input.name << ", case " << i;
    }
  }
}

}  // namespace
}  // namespace barefxt::test::damaged_twin_test
