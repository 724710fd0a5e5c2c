# stack.awk: the stack that functions need with all that they call, from a call graph of GCC's (-fcallgraph-info=su).
# `wanted` is a list of functions; prints "FUNCTION BYTES" for each. Calls through pointers are to
# `indirect`, a pattern of the functions that may be behind them here.
/^node: / {
  name = quoted("title")
  if (match($0, /\\n[0-9]+ bytes \([a-z,]+\)/)) {
    text = substr($0, RSTART + 2, RLENGTH - 2)
    own[name] = text + 0
    if (text ~ /dynamic/ && text !~ /bounded/) print "FAILED: " name " takes what only run time knows"
  }
  if (name ~ indirect && own[name] > most_indirect) most_indirect = own[name]
}
/^edge: / {
  from = quoted("sourcename")
  called[from, ++calls[from]] = quoted("targetname")
}
END {
  count = split(wanted, list, " ")
  for (i = 1; i <= count; ++i) print list[i], need(list[i])
}
function quoted(key,    rest) {
  rest = substr($0, index($0, key ": \"") + length(key) + 3)
  return substr(rest, 1, index(rest, "\"") - 1)
}
function need(name,    i, most, each) {
  if (name == "__indirect_call") return most_indirect
  if (name in known) return known[name]
  if (name in is_open) {
    # Once, by its last statement (write_back.cpp); no other may.
    if (name !~ /write_back_segment/) print "FAILED: " name " calls itself"
    return own[name]
  }
  is_open[name] = 1
  most = 0
  for (i = 1; i <= calls[name]; ++i) {
    each = need(called[name, i])
    if (each > most) most = each
  }
  delete is_open[name]
  return known[name] = own[name] + most
}
