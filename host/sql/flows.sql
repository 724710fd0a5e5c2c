-- Flows from begin to end: `end_to_end` of `flows`. A flow that begins again before it ends counts from the last begin.
WITH ends AS (
  SELECT *, lag(time) OVER flow AS begun, lag(kind) OVER flow AS before, lag(category) OVER flow AS of_category, lag(name) OVER flow AS of_name
  FROM traces WHERE kind IN ('flow_begin', 'flow_end')
  WINDOW flow AS (PARTITION BY filename, provider, id ORDER BY time, record)
)
SELECT filename, of_category AS category, of_name AS name, count(*) AS ended, quantile_disc(time - begun, 0.5) AS p50, max(time - begun) AS max
FROM ends WHERE kind = 'flow_end' AND before = 'flow_begin' GROUP BY ALL ORDER BY max DESC;
