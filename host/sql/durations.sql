-- Durations by category and name: `durations`.
SELECT filename, category, name, count(*) AS count, sum(until - since) AS total, quantile_disc(until - since, 0.5) AS p50,
       quantile_disc(until - since, 0.99) AS p99, max(until - since) AS max
FROM slices WHERE thread_name IS NULL OR thread_name NOT LIKE 'cpu-%'
GROUP BY filename, category, name ORDER BY total DESC;
