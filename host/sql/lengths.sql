-- How long threads ran at a time, and were blocked until their wakeup: `run` and `block`.
WITH stretches AS (
  SELECT filename, known, thread, CASE step WHEN 'runs' THEN 'run' ELSE 'block' END AS what, (until - time) * known AS length
  FROM wakeups WHERE (step = 'runs' AND next <> 'none') OR (step = 'blocks' AND next = 'woken')
), ranked AS (
  SELECT *, cume_dist() OVER (PARTITION BY filename, thread, what ORDER BY length) AS share FROM stretches
)
SELECT filename, thread, what, sum(known) AS count, sum(length) AS total, min(CASE WHEN share >= 0.5 THEN length END) AS p50,
       min(CASE WHEN share >= 0.99 THEN length END) AS p99, max(length) AS max
FROM ranked GROUP BY filename, thread, what ORDER BY max DESC;
