-- Counters: `counters`. `time_weighted_mean` weights each value by the time that it stood.
WITH samples AS (
  SELECT traces.filename, category, name, id, argument, value * traces.known AS sample, traces.known, ended - time AS rest,
         lead(time) OVER (PARTITION BY traces.filename, category, name, id, argument ORDER BY time, record) - time AS length
  FROM traces JOIN spans ON traces.filename = spans.filename WHERE kind = 'counter'
)
SELECT filename, category, name, id, argument, sum(known) AS samples, min(sample) AS min, avg(sample) AS mean, max(sample) AS max,
       max(CASE WHEN length IS NULL THEN sample END) AS last,
       coalesce(sum(sample * coalesce(length, rest)) / nullif(sum(coalesce(length, rest)), 0), avg(sample)) AS time_weighted_mean
FROM samples GROUP BY filename, category, name, id, argument ORDER BY filename, category, name, id, argument;
