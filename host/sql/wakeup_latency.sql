-- How long threads waited for a CPU, from a wakeup that found the thread blocked, or new, or ended, to its next run: `wakeup_latency`.
WITH steps AS (
  SELECT filename, thread, thread_name, time, record, 'woken' AS step FROM traces WHERE kind = 'thread_wakeup'
  UNION ALL
  SELECT filename, incoming, incoming_name, time, record, 'runs' FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, thread, thread_name, time, record, CASE WHEN state IN ('new', 'running') THEN 'stops' ELSE 'blocks' END
  FROM traces WHERE kind = 'context_switch'
), ordered AS (
  SELECT *, lag(step) OVER thread_steps AS before
  FROM steps WINDOW thread_steps AS (PARTITION BY filename, thread ORDER BY time, record, step = 'runs')
), waits AS (
  SELECT *, lead(time) OVER w - time AS latency, lead(step) OVER w AS after
  FROM ordered WHERE NOT (step = 'woken' AND coalesce(before, '') IN ('woken', 'runs', 'stops'))
  WINDOW w AS (PARTITION BY filename, thread ORDER BY time, record, step = 'runs')
)
SELECT filename, thread, any_value(thread_name) AS name, count(*) AS count, quantile_disc(latency, 0.5) AS p50,
       quantile_disc(latency, 0.99) AS p99, max(latency) AS max
FROM waits WHERE step = 'woken' AND coalesce(before, 'blocks') = 'blocks' AND after = 'runs'
GROUP BY filename, thread ORDER BY max DESC;
