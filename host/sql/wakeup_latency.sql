-- From the wakeup that found the thread blocked, or not yet run, or ended, to its next run: `wakeup_latency`.
WITH steps AS (
  SELECT filename, known, thread, thread_name, time, record, 'woken' AS step, 0 AS place FROM traces WHERE kind = 'thread_wakeup'
  UNION ALL
  SELECT filename, known, incoming, incoming_name, time, record, 'runs', 1 FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, known, thread, thread_name, time, record, CASE WHEN state IN ('runnable', 'running') THEN 'stops' ELSE 'blocks' END, 0
  FROM traces WHERE kind = 'context_switch'
), ordered AS (
  SELECT *, lag(step, 1, 'none') OVER (PARTITION BY filename, thread ORDER BY time, record, place) AS earlier FROM steps
), waits AS (
  SELECT *, (lead(time) OVER w - time) * known AS length, lead(step, 1, 'none') OVER w AS later
  FROM ordered WHERE NOT (step = 'woken' AND earlier IN ('woken', 'runs', 'stops'))
  WINDOW w AS (PARTITION BY filename, thread ORDER BY time, record, place)
), ranked AS (
  SELECT *, cume_dist() OVER (PARTITION BY filename, thread ORDER BY length) AS share
  FROM waits WHERE step = 'woken' AND earlier IN ('blocks', 'none') AND later = 'runs'
)
SELECT filename, thread, max(thread_name) AS name, sum(known) AS count, min(CASE WHEN share >= 0.5 THEN length END) AS p50,
       min(CASE WHEN share >= 0.99 THEN length END) AS p99, max(length) AS max
FROM ranked GROUP BY filename, thread ORDER BY max DESC;
