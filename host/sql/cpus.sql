-- Time by CPU: `busy_ticks`, `idle_ticks` and `busy_share` of `cpus`.
WITH stretches AS (
  SELECT traces.filename, cpu, incoming_idle AS is_idle,
         (coalesce(lead(time) OVER (PARTITION BY traces.filename, cpu ORDER BY time, record), ended) - time) * traces.known AS length
  FROM traces JOIN spans ON traces.filename = spans.filename WHERE kind = 'context_switch'
)
SELECT filename, cpu, sum(length * (1 - is_idle)) AS busy, sum(length * is_idle) AS idle,
       CASE WHEN sum(length) = 0 THEN 0e0 ELSE 1e0 * sum(length * (1 - is_idle)) / sum(length) END AS busy_share
FROM stretches GROUP BY filename, cpu ORDER BY filename, cpu;
