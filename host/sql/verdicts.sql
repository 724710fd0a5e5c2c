-- The rows of `barefxt check --to parquet`.
CREATE VIEW verdicts AS SELECT * FROM read_parquet('verdicts/*.parquet');
