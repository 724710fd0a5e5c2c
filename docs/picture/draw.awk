# barefxt print --json in, SVG out. See draw.sh.

# The value of KEY in the object TEXT, whether number or string; "" where there is none.
function value(text, key,   at) {
  if (!match(text, "\"" key "\":(\"[^\"]*\"|[-0-9.]+)")) return ""
  at = substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
  gsub("\"", "", at)
  return at
}

# The object that KEY names.
function object(text, key) {
  if (!match(text, "\"" key "\":{[^}]*}")) return ""
  return substr(text, RSTART, RLENGTH)
}

function x_of(time) { return left + (time - from) / (to - from) * width }
function y_of(cpu) { return top + cpu * lane }
function clip(x) { return x < left ? left : x > left + width ? left + width : x }

function escape(text) {
  gsub("&", "\\&amp;", text)
  gsub("<", "\\&lt;", text)
  return text
}

# Threads of a process share a hue; which of them it is, the lightness tells.
function colour(thread,   process) {
  process = process_of[thread]
  if (!(process in hue)) hue[process] = 210 + 110 * hues++
  return "hsl(" (hue[process] % 360) ",60%," (58 + thread * 7 % 25) "%)"
}

function end_slice(cpu, time,   x, w, label) {
  if (!(cpu in running) || process_of[running[cpu]] == 0) return
  x = clip(x_of(since[cpu]))
  w = clip(x_of(time)) - x
  if (w <= 0) return
  if (w < 0.6) w = 0.6
  label = name_of[running[cpu]]
  slices = slices sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>\n", \
                          x, y_of(cpu), w, bar, colour(running[cpu]), escape(label))
  sub(".*/", "", label)
  if (length(label) * 6.2 + 4 < w)
    slices = slices sprintf("<text x=\"%.1f\" y=\"%d\">%s</text>\n", x + 3, y_of(cpu) + 17, escape(label))
}

BEGIN {
  left = 62; width = 905; top = 62; lane = 58; bar = 25
}

/"record":"initialization"/ { ticks_per_ms = value($0, "ticks_per_second") / 1000 }

/"record":"kernel_object"/ {
  name_of[value($0, "koid")] = value($0, "name")
  process = object($0, "process")
  if (match($0, "\"name\":\"process\",\"type\":\"koid\",\"value\":[0-9]+")) {
    process = substr($0, RSTART, RLENGTH)
    process_of[value($0, "koid")] = value(process, "value")
  }
}

{ time = value($0, "timestamp") }
time == "" { next }
{ time += 0 }
first == "" {
  first = time
  from = first + start * ticks_per_ms
  to = from + length_ms * ticks_per_ms
}
time > to { next }

/"record":"context_switch"/ {
  cpu = value($0, "cpu")
  if (cpu > cpus) cpus = cpu
  end_slice(cpu, time)
  incoming = object($0, "incoming")
  running[cpu] = value(incoming, "thread")
  process_of[running[cpu]] = value(incoming, "process")
  since[cpu] = time
  cpu_of[running[cpu]] = cpu
  next
}

time < from { next }

/"category":"irq"/ {
  cpu = name_of[value($0, "thread")]
  sub("cpu-", "", cpu)
  if (/"event":"duration_begin"/) irq_since[cpu] = time
  else if (cpu in irq_since) {
    w = x_of(time) - x_of(irq_since[cpu])
    marks = marks sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"7\" fill=\"#c0392b\"><title>%s</title></rect>\n", \
                          x_of(irq_since[cpu]), y_of(cpu) - 10, w < 1.2 ? 1.2 : w, escape(value($0, "name")))
  }
  next
}

/"event":"instant"/ && (value($0, "thread") in cpu_of) {
  marks = marks sprintf("<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" fill=\"#222\"><title>%s</title></circle>\n", \
                        x_of(time), y_of(cpu_of[value($0, "thread")]) + bar + 6, escape(value($0, "name")))
}

/"event":"flow_begin"/ {
  flow = value($0, "correlation_id")
  flow_x[flow] = x_of(time)
  flow_y[flow] = y_of(cpu_of[value($0, "thread")]) + bar / 2
}

/"event":"flow_end"/ {
  flow = value($0, "correlation_id")
  if (flow in flow_x) {
    x = x_of(time)
    y = y_of(cpu_of[value($0, "thread")]) + bar / 2
    lines = lines sprintf("<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", flow_x[flow], flow_y[flow], \
                          flow_x[flow] + 14, flow_y[flow] + 16, x - 14, y + 16, x, y)
  }
}

END {
  for (cpu = 0; cpu <= cpus; ++cpu) end_slice(cpu, to)
  height = top + (cpus + 1) * lane + 22
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %d\" font-family=\"sans-serif\" font-size=\"11\">\n", height
  printf "<rect width=\"1000\" height=\"%d\" fill=\"#fff\"/>\n", height
  x = left
  for (process in hue) {
    printf "<rect x=\"%d\" y=\"10\" width=\"14\" height=\"12\" fill=\"hsl(%d,60%%,68%%)\"/><text x=\"%d\" y=\"20\">%s</text>\n", \
           x, hue[process] % 360, x + 19, escape(name_of[process])
    x += 90
  }
  printf "<rect x=\"%d\" y=\"12\" width=\"10\" height=\"7\" fill=\"#c0392b\"/><text x=\"%d\" y=\"20\">interrupt</text>\n", x, x + 16
  printf "<circle cx=\"%d\" cy=\"16\" r=\"2.5\" fill=\"#222\"/><text x=\"%d\" y=\"20\">instant</text>\n", x + 100, x + 108
  printf "<path d=\"M%d 16h22\" stroke=\"#444\" stroke-opacity=\"0.7\"/><text x=\"%d\" y=\"20\">message</text>\n", x + 175, x + 202
  for (tick = 0; tick <= 8; ++tick) {
    x = left + tick / 8 * width
    printf "<path d=\"M%.1f 44V%d\" stroke=\"#e4e4e4\"/><text x=\"%.1f\" y=\"40\" text-anchor=\"middle\" fill=\"#777\">%g ms</text>\n", \
           x, height - 12, x, start + tick * length_ms / 8
  }
  for (cpu = 0; cpu <= cpus; ++cpu)
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f3f3f3\"/><text x=\"10\" y=\"%d\" font-size=\"12\">CPU %d</text>\n", \
           left, y_of(cpu), width, bar, y_of(cpu) + 17, cpu
  printf "%s", slices
  printf "<g fill=\"none\" stroke=\"#444\" stroke-opacity=\"0.7\">\n%s</g>\n%s</svg>\n", lines, marks
}
