-- Samples by the function that ran, `self` of `functions`, and their share. `convert --elf IMAGE` gives functions their names.
WITH functions AS (
  SELECT filename, name, sum(known) AS samples FROM traces WHERE kind = 'sample' GROUP BY filename, name
)
SELECT filename, name, samples, 1e0 * samples / sum(samples) OVER (PARTITION BY filename) AS share
FROM functions ORDER BY filename, samples DESC, name;
