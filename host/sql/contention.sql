-- Waits by the lock's name and address: `contention`.
SELECT filename, name, object, count(*) AS count, sum(until - since) AS total, quantile_disc(until - since, 0.5) AS p50,
       quantile_disc(until - since, 0.99) AS p99, max(until - since) AS max
FROM lock_waits GROUP BY filename, name, object ORDER BY total DESC;
