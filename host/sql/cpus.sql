-- Time by CPU: `busy_ticks`, `idle_ticks` and `busy_share` of `cpus`.
WITH runs AS (
  SELECT filename, cpu, incoming_idle AS idle,
         coalesce(lead(time) OVER (PARTITION BY filename, cpu ORDER BY time, record), final) - time AS length
  FROM traces JOIN spans USING (filename) WHERE kind = 'context_switch'
)
SELECT filename, cpu, sum(length * (1 - idle)) AS busy, sum(length * idle) AS idle,
       coalesce(sum(length * (1 - idle)) / nullif(sum(length), 0), 0) AS busy_share
FROM runs GROUP BY filename, cpu ORDER BY filename, cpu;
