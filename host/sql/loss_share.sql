-- How much of the time some CPU lost records: `loss_ticks`, `loss_share`.
WITH lost AS (
  SELECT filename, time, end_time,
         coalesce(max(end_time) OVER (PARTITION BY filename ORDER BY time, record ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), time) AS so_far
  FROM traces WHERE kind = 'duration_complete' AND category = 'barefxt' AND name = 'drop_stats'
), parts AS (
  SELECT lost.filename, greatest(end_time - (greatest(time, so_far)), 0) AS length, ended - begun AS whole
  FROM lost JOIN spans ON lost.filename = spans.filename
)
SELECT filename, sum(length) AS loss, 1e0 * sum(length) / max(whole) AS share FROM parts GROUP BY filename ORDER BY share DESC;
