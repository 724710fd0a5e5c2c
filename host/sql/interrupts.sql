-- Interrupts by CPU and name: `interrupts`. The interrupted thread is the one that ran where the outermost interrupt began.
WITH steps AS (
  SELECT filename, known, cpu, time, record, incoming, incoming_idle, NULL AS name, NULL AS until, NULL AS depth FROM traces WHERE kind = 'context_switch'
  UNION ALL
  SELECT filename, known, cpu, since, first_record, NULL, NULL, name, until, depth
  FROM slices WHERE cpu IS NOT NULL AND NOT (category = 'barefxt' AND name = 'drop_stats')
), numbered AS (
  SELECT *, count(incoming) OVER (PARTITION BY filename, cpu ORDER BY time, record ROWS UNBOUNDED PRECEDING) AS run FROM steps
), interrupted AS (
  SELECT *, (until - time) * known AS length, max(incoming) OVER of_run AS runner,
         CASE WHEN depth = 1 AND max(incoming_idle) OVER of_run = 0 THEN 1 ELSE 0 END AS keeps_off
  FROM numbered WINDOW of_run AS (PARTITION BY filename, cpu, run)
), ranked AS (
  SELECT *, cume_dist() OVER (PARTITION BY filename, cpu, name ORDER BY length) AS share,
         row_number() OVER (PARTITION BY filename, cpu, name ORDER BY keeps_off DESC, length DESC, time) AS place
  FROM interrupted WHERE name IS NOT NULL
)
SELECT ranked.filename, cpu, name, sum(ranked.known) AS count, 1e9 * sum(ranked.known) / max(ended - begun) AS per_second, sum(length) AS total,
       min(CASE WHEN share >= 0.5 THEN length END) AS p50, min(CASE WHEN share >= 0.99 THEN length END) AS p99, max(length) AS max,
       sum(ranked.known * CASE WHEN depth > 1 THEN 1 ELSE 0 END) AS nested, coalesce(max(depth), 0) * max(ranked.known) AS deepest,
       sum(ranked.known * keeps_off) AS keeping_off, max(length * keeps_off) AS kept_off,
       max(CASE WHEN place = 1 AND keeps_off = 1 THEN runner * ranked.known END) AS kept_off_thread
FROM ranked JOIN spans ON ranked.filename = spans.filename GROUP BY ranked.filename, cpu, name ORDER BY max DESC;
