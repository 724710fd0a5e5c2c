-- Stacks by build, the fullest first: the least bytes left in any of its traces. `unknown` are traces with losses, where less may have been left.
WITH stacks AS (
  SELECT build, thread_name, CASE WHEN missing IS NULL THEN value * known END AS bytes
  FROM figures WHERE metric = 'counter' AND statistic = 'min' AND category = 'stack' AND name = 'stack' AND argument = 'left'
)
SELECT build, thread_name, count(bytes) AS traces, count(*) - count(bytes) AS unknown, min(bytes) AS least_left
FROM stacks GROUP BY build, thread_name
ORDER BY least_left, thread_name, build;
