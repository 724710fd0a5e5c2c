-- How much of the time some CPU lost records: `loss_ticks`, `loss_share`.
WITH lost AS (
  SELECT filename, time, end_time, max(end_time) OVER (PARTITION BY filename ORDER BY time, record ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS so_far
  FROM traces WHERE kind = 'duration_complete' AND category = 'barefxt' AND name = 'drop_stats'
)
SELECT filename, sum(greatest(end_time - greatest(time, coalesce(so_far, time)), 0)) AS loss, loss / any_value(final - first) AS share
FROM lost JOIN spans USING (filename) GROUP BY filename ORDER BY share DESC;
