-- The rows of `barefxt stats --to parquet`.
CREATE VIEW figures AS SELECT * FROM read_parquet('figures/*.parquet');
