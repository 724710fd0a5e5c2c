# A covering array: builds that set options so that of any two options each pair of values meets in at
# least one build. Deterministic. Input: lines `OPTION VALUE...`; `-` as a value leaves the option at its default;
# a comma in it stands before another option that goes with it.
# Variables: `most` bounds the builds (0: as many as it takes); forbid: lines `OPTION=VALUE OPTION=VALUE`,
# separated by `;`, of pairs that may not meet. Output: a build a line, OPTION=VALUE..., then `uncovered N`.
#
# Greedy: each build begins with the first pair that has not met, and takes for each further option the value with
# which most pairs meet for the first time.
NF {
  name[++options] = $1
  values[options] = NF - 1
  for (i = 2; i <= NF; ++i) value[options, i - 1] = $i
}
function is_forbidden(a, i, b, j) {
  return ((name[a] "=" value[a, i] " " name[b] "=" value[b, j]) in forbidden) ||
    ((name[b] "=" value[b, j] " " name[a] "=" value[a, i]) in forbidden)
}
# The gain of value `i` for `option`, beside the build's choices so far: new pairs, or -1 if it is
# not allowed.
function gain(option, i,   other, sum) {
  sum = 0
  for (other = 1; other <= options; ++other) {
    if (!(other in chosen) || other == option) continue
    if (is_forbidden(option, i, other, chosen[other])) return -1
    if (option < other ? ((option, i, other, chosen[other]) in missing) : ((other, chosen[other], option, i) in missing)) ++sum
  }
  return sum
}
function meet(   a, b) {
  for (a = 1; a < options; ++a)
    for (b = a + 1; b <= options; ++b)
      if ((a in chosen) && (b in chosen) && ((a, chosen[a], b, chosen[b]) in missing)) {
        delete missing[a, chosen[a], b, chosen[b]]
        --left
      }
}
END {
  count = split(forbid, pairs, ";")
  for (i = 1; i <= count; ++i) {
    sub(/^ +/, "", pairs[i])
    sub(/ +$/, "", pairs[i])
    forbidden[pairs[i]] = 1
  }
  for (a = 1; a < options; ++a)
    for (b = a + 1; b <= options; ++b)
      for (i = 1; i <= values[a]; ++i)
        for (j = 1; j <= values[b]; ++j)
          if (!is_forbidden(a, i, b, j)) {
            missing[a, i, b, j] = 1
            order[++pairs_count] = a SUBSEP i SUBSEP b SUBSEP j
            ++left
          }
  while (left > 0 && (most == 0 || builds < most)) {
    delete chosen
    for (at = 1; at <= pairs_count && !(order[at] in missing); ++at) {}
    if (at > pairs_count) break
    split(order[at], pair, SUBSEP)
    chosen[pair[1]] = pair[2]
    chosen[pair[3]] = pair[4]
    for (option = 1; option <= options; ++option) {
      if (option in chosen) continue
      best = -1
      for (k = 0; k < values[option]; ++k) {
        # Begun at another value each time, so that equals take turns.
        i = 1 + (k + builds) % values[option]
        new = gain(option, i)
        if (new > best) {
          best = new
          chosen[option] = i
        }
      }
      if (best < 0) delete chosen[option]
    }
    meet()
    ++builds
    line = ""
    for (option = 1; option <= options; ++option)
      if ((option in chosen) && value[option, chosen[option]] != "-")
        line = line (line == "" ? "" : " ") name[option] "=" value[option, chosen[option]]
    gsub(",", " ", line)
    print line
  }
  print "uncovered " left
}
