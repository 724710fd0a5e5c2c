-- Durations by category and name: `durations`.
WITH ranked AS (
  SELECT filename, known, category, name, (until - since) * known AS length,
         cume_dist() OVER (PARTITION BY filename, category, name ORDER BY until - since) AS share
  FROM slices WHERE cpu IS NULL
)
SELECT filename, category, name, sum(known) AS count, sum(length) AS total, min(CASE WHEN share >= 0.5 THEN length END) AS p50,
       min(CASE WHEN share >= 0.99 THEN length END) AS p99, max(length) AS max
FROM ranked GROUP BY filename, category, name ORDER BY total DESC;
