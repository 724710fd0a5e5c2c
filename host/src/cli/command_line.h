// The command line: its verbs, their options, and the values that the options set. Only
// command_line.cpp knows the library behind it (CLI11), which takes seconds to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <barefxt/host/status.h>

#include "described.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace barefxt::cli {

// A handle to one option, valid as long as its CommandLine. Each function adds a rule and returns
// the same option. parse() reports words that break a rule.
class Option {
 public:
  Option(CLI::Option* option) : option_(option) {}

  // --help shows `text` for the value, in place of its type, default and rules.
  Option placeholder(const char* text) const;
  Option shows_default() const;  // in --help: what the value is now
  Option shows_default(const char* text) const;
  Option under(const char* heading) const;  // in --help, in place of "Options"
  Option required() const;
  Option one_of(std::initializer_list<const char*> values) const;
  Option one_of(std::initializer_list<int> values) const;
  Option in_range(uint64_t least, uint64_t most) const;
  Option positive() const;
  Option not_negative() const;
  Option needs(const Option& other) const;
  Option excludes(const Option& other) const;
  // For several values: only one follows the option each time. Without this rule all words up to
  // the next option do.
  Option one_each_time() const;
  Option of_two_words() const;              // for several values: two words follow the option
  Option separated_by(char between) const;  // several values in one word
  // It still works and warns, and no list shows it: its description is the new spelling.
  Option is_old_spelling() const;
  // Values that completion offers; others are accepted as well.
  Option suggests(std::initializer_list<const char*> values) const;

 private:
  CLI::Option* option_;
};

// A word that the user writes, and the value that it stands for.
template <typename Value>
struct Choice {
  const char* word;
  Value value;
};

// A handle to options that belong together, valid as long as their CommandLine. `names` are such as
// "-o,--output", or "FILE" for what is given without a name. parse() sets `value` if the option is
// given; `value` must live until then.
class OptionSet {
 public:
  explicit OptionSet(CLI::App* app) : app_(app) {}

  Option flag(const char* names, bool& value, const char* description) const;
  // Value: std::string, int, unsigned, uint64_t, double, or a vector of strings or unsigned.
  template <typename Value>
  Option option(const char* names, Value& value, const char* description) const;

  // One of the words of `choices`, an array with static storage. Target: Value, an optional of it,
  // or a vector of it, to which the choices are appended in the order given.
  template <typename Target, typename Value, size_t kCount>
  Option choice(const char* names, Target& target, const Choice<Value> (&choices)[kCount],
                const char* description) const {
    constexpr bool kTakesSeveral = std::is_same_v<Target, std::vector<Value>>;
    std::vector<std::string> words;
    std::string now;
    for (const Choice<Value>& choice : choices) {
      words.emplace_back(choice.word);
      if constexpr (!kTakesSeveral)
        if (target == choice.value) now = choice.word;
    }
    const auto choose = [&target, &choices](size_t chosen) {
      if constexpr (kTakesSeveral)
        target.push_back(choices[chosen].value);
      else
        target = choices[chosen].value;
    };
    return add_choice(names, words, kTakesSeveral, choose, now, description);
  }

  // Exactly one of these options must be given. --help lists them under `name`.
  OptionSet exactly_one(const char* name) const;

 protected:
  CLI::App* app_;

 private:
  // Calls `choose` with the index of each word given.
  Option add_choice(const char* names, const std::vector<std::string>& words, bool takes_several,
                    const std::function<void(size_t)>& choose, const std::string& now,
                    const char* description) const;
};

class Verb : public OptionSet {
 public:
  Verb(CLI::App* app, int& status) : OptionSet(app), status_(&status) {}

  void footer(const char* text) const;  // below the options in --help
  // If the verb is chosen, parse() calls `verb`, which returns the exit status.
  void run(const std::function<int()>& verb) const;

 private:
  int* status_;
};

class CommandLine {
 public:
  CommandLine(const char* name, const char* version, const char* description, const char* footer);
  ~CommandLine();

  OptionSet options() const;  // those without a verb
  Verb add_verb(const char* name, const char* description);

  // Parses the words and runs the verb among them. Returns the exit status if that is all:
  // --help or --version was printed, or wrong words were reported to standard error (kUsage).
  // Otherwise returns nothing, and status() is that of the verb. Call it once.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);
  bool has_run_verb() const;
  int status() const { return status_; }  // kDone if no verb ran

  std::string help() const;
  DescribedCommand describe() const;

 private:
  host::Status check_verb(const std::vector<std::string>& words) const;
  // `trouble`: as the library behind it says it, in case all options are known.
  host::Error wrong_words(const std::vector<std::string>& words, const std::string& trouble) const;

  std::unique_ptr<CLI::App> app_;
  std::string version_;
  int status_ = 0;
};

}  // namespace barefxt::cli
