-- Which rule fails on which build. A rule that holds in a trace with losses is unknown there; a violation is certain.
WITH judged AS (
  SELECT build, rule, file, CASE WHEN verdict = 'holds' AND known IS NULL THEN 'unknown' ELSE verdict END AS outcome, violated AS cases FROM verdicts
)
SELECT build, rule, count(*) AS traces, sum(CASE WHEN outcome = 'violated' THEN 1 ELSE 0 END) AS violated,
       sum(CASE WHEN outcome = 'unknown' THEN 1 ELSE 0 END) AS unknown, sum(CASE WHEN outcome = 'holds' THEN 1 ELSE 0 END) AS holds,
       sum(cases) AS violations, min(CASE WHEN outcome = 'violated' THEN file END) AS example
FROM judged GROUP BY build, rule ORDER BY violated DESC, unknown DESC, build, rule;
