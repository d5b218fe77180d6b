-- Frozen months: the catalog at the end of the last run of each, which retention keeps. Once written, a row stays as it is.
create table editions (
  -- 'YYYY-MM', UTC.
  edition text primary key,
  -- The mark of that run.
  seq bigint not null,
  -- Exact bytes: canonical JSON with run, counts and hashes.
  manifest text not null
);
-- Retention asks which edition shows a change.
create index editions_seq on editions (seq);
