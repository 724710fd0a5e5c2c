-- Counters: `counters`. `time_weighted_mean` weights each value by the time that it stood.
WITH values AS (
  SELECT traces.*, coalesce(lead(time) OVER (PARTITION BY filename, category, name, id, argument ORDER BY time, record), final) - time AS length
  FROM traces JOIN spans USING (filename) WHERE kind = 'counter'
)
SELECT filename, category, name, id, argument, count(*) AS samples, min(value) AS min, avg(value) AS mean, max(value) AS max,
       arg_max(value, (time, record)) AS last, coalesce(sum(value * length) / nullif(sum(length), 0), avg(value)) AS time_weighted_mean
FROM values GROUP BY ALL ORDER BY ALL;
