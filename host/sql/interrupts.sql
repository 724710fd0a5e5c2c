-- Interrupts by CPU and name: `interrupts`. The interrupted thread is the one that ran where the outermost interrupt began.
WITH steps AS (
  SELECT filename, cpu, time, record, incoming, incoming_idle, NULL AS name, NULL AS until, NULL AS depth FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, CAST(substr(thread_name, 5) AS UBIGINT), since, first, NULL, NULL, name, until, depth
  FROM slices WHERE thread_name SIMILAR TO 'cpu-[0-9]+' AND (category, name) <> ('barefxt', 'drop_stats')
), found AS (
  SELECT *, until - time AS length, last_value(incoming IGNORE NULLS) OVER so_far AS runner, last_value(incoming_idle IGNORE NULLS) OVER so_far AS idle
  FROM steps WINDOW so_far AS (PARTITION BY filename, cpu ORDER BY time, record ROWS UNBOUNDED PRECEDING)
)
SELECT filename, cpu, name, count(*) AS count, count(*) * 1e9 / any_value(final - spans.first) AS per_second, sum(length) AS total,
       quantile_disc(length, 0.5) AS p50, quantile_disc(length, 0.99) AS p99, max(length) AS max,
       count(*) FILTER (depth > 1) AS nested, coalesce(max(depth), 0) AS deepest, count(*) FILTER (depth = 1 AND idle = 0) AS keeping_off,
       coalesce(max(length) FILTER (depth = 1 AND idle = 0), 0) AS kept_off,
       arg_max(runner, (length, -time)) FILTER (depth = 1 AND idle = 0) AS kept_off_thread
FROM found JOIN spans USING (filename) WHERE name IS NOT NULL GROUP BY filename, cpu, name ORDER BY max DESC;
