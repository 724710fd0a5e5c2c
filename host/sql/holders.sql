-- Waits by lock and holder: `holders` of `contention`.
SELECT filename, name, object, holder, count(*) AS count, sum(until - since) AS total, quantile_disc(until - since, 0.5) AS p50,
       quantile_disc(until - since, 0.99) AS p99, max(until - since) AS max
FROM lock_waits GROUP BY filename, name, object, holder ORDER BY total DESC;
