-- Flows from begin to end: `end_to_end` of `flows`. A flow that begins again before it ends counts from the last begin.
WITH ends AS (
  SELECT filename, known, kind, (time - (lag(time) OVER flow)) * known AS length, lag(kind) OVER flow AS earlier,
         lag(category) OVER flow AS begin_category, lag(name) OVER flow AS begin_name
  FROM traces WHERE kind IN ('flow_begin', 'flow_end')
  WINDOW flow AS (PARTITION BY filename, provider, id ORDER BY time, record)
), ranked AS (
  SELECT *, cume_dist() OVER (PARTITION BY filename, begin_category, begin_name ORDER BY length) AS share
  FROM ends WHERE kind = 'flow_end' AND earlier = 'flow_begin'
)
SELECT filename, begin_category AS category, begin_name AS name, sum(known) AS ended, min(CASE WHEN share >= 0.5 THEN length END) AS p50,
       max(length) AS max
FROM ranked GROUP BY filename, begin_category, begin_name ORDER BY max DESC;
