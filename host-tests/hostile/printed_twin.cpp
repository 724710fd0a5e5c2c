#include "printed_twin.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "archive/archive_provider.h"

namespace barefxt::test {
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
  return koid.is_number_unsigned() && host::is_unknown_thread(koid);
}

// `name_ref` stands where the string was never registered, and `name` is null or empty.
bool take_reference(json& from, const char* member, Texts& texts) {
  const std::string reference = std::string(member) + "_ref";
  if (!from.contains(reference)) return false;
  texts.push_back(kLost);
  from.erase(reference);
  from.erase(member);
  return true;
}

void take_text(json& from, const char* member, Texts& texts) {
  if (take_reference(from, member, texts)) return;
  if (!from.contains(member) || !from.at(member).is_string()) return;
  texts.push_back(from.at(member));
  from.erase(member);
}

void take_thread(json& from, Texts& texts) {
  if (take_reference(from, "thread", texts)) {
    texts.push_back(kLost);
    from.erase("process");
    return;
  }
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
      timed.texts.push_back(is_lost ? kLost : waker[0].at("value").dump());
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

}  // namespace

PrintedTwin::PrintedTwin(const std::string& lines) {
  for (Timed& timed : timed_in(lines)) sound_[timed.key].push_back(std::move(timed.texts));
}

std::string PrintedTwin::first_invented(const std::string& lines) const {
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

}  // namespace barefxt::test
