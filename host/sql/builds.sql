-- Each number by build: the least, the mean and the largest of its traces. `unknown` are traces with losses, and those that cannot show it.
WITH numbers AS (
  SELECT build, metric, statistic, unit, cpu, thread_name, category, name, argument, file, CASE WHEN missing IS NULL THEN value * known END AS number
  FROM figures WHERE metric IS NOT NULL
)
SELECT build, metric, statistic, unit, cpu, thread_name, category, name, argument, count(number) AS traces, count(*) - count(number) AS unknown,
       min(number) AS least, avg(number) AS mean, max(number) AS most
FROM numbers GROUP BY build, metric, statistic, unit, cpu, thread_name, category, name, argument
ORDER BY metric, statistic, thread_name, category, name, argument, cpu, build;
