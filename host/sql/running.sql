-- Time on a CPU and number of runs by thread: `running_ticks` and `runs` of `threads`.
WITH stretches AS (
  SELECT traces.filename, traces.known, incoming AS thread, incoming_name,
         coalesce(lead(time) OVER (PARTITION BY traces.filename, cpu ORDER BY time, record), ended) - time AS length
  FROM traces JOIN spans ON traces.filename = spans.filename WHERE kind = 'context_switch'
)
SELECT filename, thread, max(incoming_name) AS name, sum(known) AS runs, sum(length * known) AS running
FROM stretches GROUP BY filename, thread ORDER BY running DESC;
