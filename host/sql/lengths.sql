-- How long threads ran at a time, and were blocked until their wakeup: `run` and `block`.
SELECT filename, thread, CASE step WHEN 'runs' THEN 'run' ELSE 'block' END AS what, count(*) AS count, sum(until - time) AS total,
       quantile_disc(until - time, 0.5) AS p50, quantile_disc(until - time, 0.99) AS p99, max(until - time) AS max
FROM wakeups WHERE step = 'runs' AND next IS NOT NULL OR step = 'blocks' AND next = 'woken' GROUP BY ALL ORDER BY max DESC;
