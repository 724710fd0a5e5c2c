#include "described.h"

#include <algorithm>
#include <sstream>
#include <vector>

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

void describe_options(const DescribedVerb& verb, std::ostream& page) {
  for (const DescribedOption& option : verb.options) {
    std::string head = joined(option.names, ", ") + option.positional;
    if (!option.values.empty())
      head += " " + joined(option.values, "|");
    else if (option.takes_value && option.positional.empty())
      head += " " + option.value;
    page << ".TP\n.B " << as_troff(head) << "\n" << as_troff(option.description) << "\n";
  }
}

// The body of bash's case of a verb: what follows an option, and the options.
void bash_case(const DescribedVerb& verb, const std::vector<std::string>& more,
               std::ostream& script) {
  std::vector<std::string> words = more;
  std::ostringstream values;
  for (const DescribedOption& option : verb.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
    if (option.names.empty() || !option.takes_value) continue;
    values << "        " << joined(option.names, " | ")
           << ") values=" << in_quotes(joined(option.values, " ")) << " takes_value=1 ;;\n";
  }
  script << "      words=" << in_quotes(joined(words, " ")) << "\n";
  if (!values.str().empty())
    script << "      case $previous in\n" << values.str() << "      esac\n";
  script << "      ;;\n";
}

void zsh_options(const DescribedVerb& verb, std::ostream& script) {
  for (const DescribedOption& option : verb.options) {
    const std::string text = escaped(option.description, "[]:\\");
    for (const std::string& name : option.names) {
      std::string spec = "*";
      spec.append(name).append("[").append(text).append("]");
      if (option.takes_value)
        spec +=
            ":value:" + (option.values.empty() ? "_files" : "(" + joined(option.values, " ") + ")");
      script << "        " << in_quotes(spec) << " \\\n";
    }
  }
}

}  // namespace

std::string manual_page(const DescribedCommand& command) {
  std::ostringstream page;
  const std::string& name = command.name;
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  page << ".TH " << title << " 1 \"\" \"" << command.version << "\"\n"
       << ".SH NAME\n"
       << name << " \\- " << as_troff(command.description) << "\n"
       << ".SH SYNOPSIS\n";
  for (const DescribedVerb& verb : command.verbs) {
    page << ".B " << name << " " << verb.name << "\n[OPTION]...";
    for (const DescribedOption& option : verb.options)
      if (!option.positional.empty()) page << " " << as_troff(option.positional);
    page << "\n.br\n";
  }
  page << ".SH DESCRIPTION\n";
  for (const DescribedVerb& verb : command.verbs) {
    page << ".SS " << name << " " << verb.name << "\n" << as_troff(verb.description) << "\n";
    describe_options(verb, page);
    // As it stands: examples have lines of their own.
    if (!verb.footer.empty()) page << ".PP\n.nf\n" << as_troff(verb.footer) << "\n.fi\n";
  }
  page << ".SH OPTIONS\n";
  describe_options(command, page);
  page << ".SH NOTES\n" << as_troff(command.footer) << "\n";
  return page.str();
}

std::string bash_completion(const DescribedCommand& command) {
  std::vector<std::string> verbs;
  verbs.reserve(command.verbs.size());
  for (const DescribedVerb& verb : command.verbs) verbs.push_back(verb.name);
  const std::string& name = command.name;
  std::ostringstream script;
  script << "# Completion of " << name << " for bash, made by " << name << " --completion bash.\n"
         << "_" << name << "() {\n"
         << "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
         << "  local words='' values='' takes_value='' verb='' i\n"
         << "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         << "    case ${COMP_WORDS[i]} in\n"
         << "      " << joined(verbs, " | ") << ")\n"
         << "        verb=${COMP_WORDS[i]}\n"
         << "        break\n"
         << "        ;;\n"
         << "    esac\n"
         << "  done\n"
         << "  case $verb in\n"
         << "    '')\n";
  bash_case(command, verbs, script);
  for (const DescribedVerb& verb : command.verbs) {
    script << "    " << verb.name << ")\n";
    bash_case(verb, {}, script);
  }
  script << "  esac\n"
         << "  COMPREPLY=()\n"
         << "  if [[ -n $values ]]; then\n"
         << "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
         << "  elif [[ -z $takes_value && (-z $verb || $word == -*) ]]; then\n"
         << "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         << "  else\n"
         << "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
         << "  fi\n"
         << "}\n"
         << "complete -o filenames -F _" << name << " " << name << "\n";
  return script.str();
}

std::string zsh_completion(const DescribedCommand& command) {
  const std::string& name = command.name;
  std::ostringstream script;
  script << "#compdef " << name << "\n"
         << "# Completion of " << name << " for zsh, made by " << name << " --completion zsh.\n"
         << "_" << name << "() {\n"
         << "  local -a verbs\n"
         << "  verbs=(\n";
  for (const DescribedVerb& verb : command.verbs)
    script << "    " << in_quotes(verb.name + ":" + escaped(verb.description, ":\\")) << "\n";
  script << "  )\n"
         << "  if ((CURRENT == 2)); then\n"
         << "    _describe verb verbs\n"
         << "    _arguments \\\n";
  zsh_options(command, script);
  script << "        && return\n"
         << "    return\n"
         << "  fi\n"
         << "  local verb=$words[2]\n"
         << "  shift words\n"
         << "  ((CURRENT--))\n"
         << "  case $verb in\n";
  for (const DescribedVerb& verb : command.verbs) {
    script << "    " << verb.name << ")\n"
           << "      _arguments \\\n";
    zsh_options(verb, script);
    script << "        '*:file:_files'\n"
           << "      ;;\n";
  }
  script << "  esac\n"
         << "}\n"
         << "_" << name << " \"$@\"\n";
  return script.str();
}

}  // namespace barefxt::cli
