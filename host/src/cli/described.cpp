#include "described.h"

#include <algorithm>
#include <vector>

#include <barefxt/host/formatted.h>

namespace barefxt::cli {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : between) + part;
  return all;
}

// Each of `special` behind a backslash.
std::string escaped(const std::string& text, const std::string& special) {
  std::string all;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) all += '\\';
    all += c;
  }
  return all;
}

// For troff: no line may begin with a dot or a quote, and a hyphen is a minus.
std::string as_troff(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c == '\\') {
      all += "\\e";
    } else if (c == '-') {
      all += "\\-";
    } else if ((c == '.' || c == '\'') && (all.empty() || all.back() == '\n')) {
      all += std::string("\\&") + c;
    } else {
      all += c;
    }
  }
  return all;
}

// Within single quotes, for a shell. Not named quoted(): that finds std::quoted, too, which prefers
// a string that is not const and leaves $ and ` to the shell.
std::string in_quotes(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

void describe_options(const DescribedVerb& verb, std::string& page) {
  for (const DescribedOption& option : verb.options) {
    std::string head = joined(option.names, ", ") + option.positional;
    if (!option.values.empty())
      head += " " + joined(option.values, "|");
    else if (option.takes_value && option.positional.empty())
      head += " " + option.value;
    host::append(page, ".TP\n.B {}\n{}\n", as_troff(head), as_troff(option.description));
  }
}

// The body of bash's case of a verb: what follows an option, and the options.
void bash_case(const DescribedVerb& verb, const std::vector<std::string>& more,
               std::string& script) {
  std::vector<std::string> words = more;
  std::string values;
  for (const DescribedOption& option : verb.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
    if (option.names.empty() || !option.takes_value) continue;
    host::append(values, "        {}) values={} takes_value=1 ;;\n", joined(option.names, " | "),
                 in_quotes(joined(option.values, " ")));
  }
  host::append(script, "      words={}\n", in_quotes(joined(words, " ")));
  if (!values.empty()) host::append(script, "      case $previous in\n{}      esac\n", values);
  script += "      ;;\n";
}

void zsh_options(const DescribedVerb& verb, std::string& script) {
  for (const DescribedOption& option : verb.options) {
    const std::string text = escaped(option.description, "[]:\\");
    for (const std::string& name : option.names) {
      std::string spec = "*";
      spec.append(name).append("[").append(text).append("]");
      if (option.takes_value)
        spec +=
            ":value:" + (option.values.empty() ? "_files" : "(" + joined(option.values, " ") + ")");
      host::append(script, "        {} \\\n", in_quotes(spec));
    }
  }
}

}  // namespace

std::string manual_page(const DescribedCommand& command) {
  std::string page;
  const std::string& name = command.name;
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  host::append(page, ".TH {} 1 \"\" \"{}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", title,
               command.version, name, as_troff(command.description));
  for (const DescribedVerb& verb : command.verbs) {
    host::append(page, ".B {} {}\n[OPTION]...", name, verb.name);
    for (const DescribedOption& option : verb.options)
      if (!option.positional.empty()) host::append(page, " {}", as_troff(option.positional));
    page += "\n.br\n";
  }
  page += ".SH DESCRIPTION\n";
  for (const DescribedVerb& verb : command.verbs) {
    host::append(page, ".SS {} {}\n{}\n", name, verb.name, as_troff(verb.description));
    describe_options(verb, page);
    // As it stands: examples have lines of their own.
    if (!verb.footer.empty()) host::append(page, ".PP\n.nf\n{}\n.fi\n", as_troff(verb.footer));
  }
  page += ".SH OPTIONS\n";
  describe_options(command, page);
  host::append(page, ".SH NOTES\n{}\n", as_troff(command.footer));
  return page;
}

std::string bash_completion(const DescribedCommand& command) {
  std::vector<std::string> verbs;
  verbs.reserve(command.verbs.size());
  for (const DescribedVerb& verb : command.verbs) verbs.push_back(verb.name);
  const std::string& name = command.name;
  std::string script;
  host::append(script, "# Completion of {} for bash, made by {} --completion bash.\n_{}", name,
               name, name);
  script +=
      "() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  local words='' values='' takes_value='' verb='' i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${COMP_WORDS[i]} in\n";
  host::append(script, "      {})\n", joined(verbs, " | "));
  script +=
      "        verb=${COMP_WORDS[i]}\n"
      "        break\n"
      "        ;;\n"
      "    esac\n"
      "  done\n"
      "  case $verb in\n"
      "    '')\n";
  bash_case(command, verbs, script);
  for (const DescribedVerb& verb : command.verbs) {
    host::append(script, "    {})\n", verb.name);
    bash_case(verb, {}, script);
  }
  script +=
      "  esac\n"
      "  COMPREPLY=()\n"
      "  if [[ -n $values ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
      "  elif [[ -z $takes_value && (-z $verb || $word == -*) ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "  fi\n"
      "}\n";
  host::append(script, "complete -o filenames -F _{} {}\n", name, name);
  return script;
}

std::string zsh_completion(const DescribedCommand& command) {
  const std::string& name = command.name;
  std::string script;
  host::append(script,
               "#compdef {}\n"
               "# Completion of {} for zsh, made by {} --completion zsh.\n"
               "_{}() {{\n"
               "  local -a verbs\n"
               "  verbs=(\n",
               name, name, name, name);
  for (const DescribedVerb& verb : command.verbs)
    host::append(script, "    {}\n", in_quotes(verb.name + ":" + escaped(verb.description, ":\\")));
  script +=
      "  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe verb verbs\n"
      "    _arguments \\\n";
  zsh_options(command, script);
  script +=
      "        && return\n"
      "    return\n"
      "  fi\n"
      "  local verb=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $verb in\n";
  for (const DescribedVerb& verb : command.verbs) {
    host::append(script, "    {})\n      _arguments \\\n", verb.name);
    zsh_options(verb, script);
    script +=
        "        '*:file:_files'\n"
        "      ;;\n";
  }
  host::append(script, "  esac\n}}\n_{} \"$@\"\n", name);
  return script;
}

}  // namespace barefxt::cli
