# amalgamate.awk: writes files one behind the other, each with the project's own headers put in where it
# includes them; what is included from elsewhere stays as it is.
#
#   awk -v folders=FOLDER[:FOLDER...] [-v ahead=NAME] -f amalgamate.awk FILE...
#
# Headers are looked for in `folders`. The one named by `ahead` is included first of all, as
# `#include "NAME"` without its folder, and nowhere else. A header is put in once, and once more where the place before lies in another branch
# of a condition; a guard made of its name keeps it single.
BEGIN {
  folder_count = split(folders, folder, ":")
  print "// Made of barefxt's sources: change those. See docs/how-to/packaging.md."
  if (ahead == "") {
    print "#pragma once"
  } else {
    print "// To be compiled freestanding, as C++17, without exceptions and RTTI; with GCC also with"
    print "// -fno-tree-loop-distribute-patterns, or it calls memset and memcpy."
    print "#include \"" base_of(ahead) "\""
  }
}

FNR == 1 {
  nesting = 0
  print "// ---- " relative(FILENAME) " ----"
}
{ line($0, FILENAME) }

function relative(path) {
  sub(/^.*\/(runtime|port)\//, "&", path)
  match(path, /(runtime|port)\/[^ ]*$/)
  return RSTART > 0 ? substr(path, RSTART) : path
}

function found(name, from,    i, path, first, side) {
  side = from
  sub(/[^\/]*$/, "", side)
  if ((getline first < (side name)) > 0) {
    close(side name)
    return side name
  }
  for (i = 1; i <= folder_count; ++i) {
    path = folder[i] "/" name
    if ((getline first < path) > 0) {
      close(path)
      return path
    }
  }
  return ""
}

function line(text, from,    name, path) {
  if (text ~ /^#[ \t]*pragma once/) return
  if (text ~ /^#[ \t]*if/) {
    # The guard of a whole header is no condition, nor is that of a build with tracing, which all source files have
    # around them.
    branch[++nesting] = text ~ /^#[ \t]*ifndef BAREFXT_[A-Z0-9_]*_H$|^#if !BAREFXT_DISABLED$/ ? "" : "/" ++branches
  } else if (text ~ /^#[ \t]*el/) {
    branch[nesting] = "/" ++branches
  } else if (text ~ /^#[ \t]*endif/) {
    --nesting
  }
  if (text !~ /^#[ \t]*include[ \t]*[<"]/) {
    print text
    return
  }
  name = text
  sub(/^#[ \t]*include[ \t]*[<"]/, "", name)
  sub(/[>"].*$/, "", name)
  if (name == ahead) return
  path = found(name, from)
  if (path == "") {
    print text
    return
  }
  put(path)
}

function base_of(name) {
  sub(/^.*\//, "", name)
  return name
}

# Returns this place, as the branches of the conditions around it.
function here(    i, all) {
  for (i = 1; i <= nesting; ++i) all = all branch[i]
  return all "/"
}

function put(path,    guard, text, place) {
  if (path in is_open) return
  place = here()
  if (path in put_at && index(place, put_at[path]) == 1) return
  guard = toupper(relative(path))
  gsub(/[^A-Z0-9]/, "_", guard)
  is_open[path] = 1
  print "#ifndef BAREFXT_SINGLE_" guard
  print "#define BAREFXT_SINGLE_" guard
  while ((getline text < path) > 0) line(text, path)
  close(path)
  print "#endif  // " relative(path)
  delete is_open[path]
  put_at[path] = place
}
