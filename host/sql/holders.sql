-- Waits by lock and holder: `holders` of `contention`.
WITH ranked AS (
  SELECT filename, known, name, object, holder, (until - since) * known AS length,
         cume_dist() OVER (PARTITION BY filename, name, object, holder ORDER BY until - since) AS share
  FROM lock_waits
)
SELECT filename, name, object, holder, sum(known) AS count, sum(length) AS total, min(CASE WHEN share >= 0.5 THEN length END) AS p50,
       min(CASE WHEN share >= 0.99 THEN length END) AS p99, max(length) AS max
FROM ranked GROUP BY filename, name, object, holder ORDER BY total DESC;
